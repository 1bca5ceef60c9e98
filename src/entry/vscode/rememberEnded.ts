import { remember } from '../../runner/remember.ts';
import { openSessionFile } from '../openSessionFile.ts';
import { systemClock } from '../systemClock.ts';
import type { EndedSession } from './memories.ts';

/** Opens the journal of a session again and remembers it. Returns what was in the way, in words. */
export async function rememberEnded(
  { agent, journalFile }: Pick<EndedSession, 'agent' | 'journalFile'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const opened = openSessionFile({ file: journalFile, id: '', agent: '', clock: systemClock });
  if (!opened.ok) return opened.message;
  const { session } = opened;
  try {
    const remembered = await remember(agent, session, signal);
    return remembered.kind === 'failed' ? remembered.why : undefined;
  } finally {
    session.journal.close();
  }
}

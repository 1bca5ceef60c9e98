/** Opens a session on a journal file (or in memory), and says what had to be repaired. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Clock } from '../core/ports.ts';
import { createJournal } from '../session/journal.ts';
import { openJournalFile } from '../session/journalFile.ts';
import { openSession, type Session } from '../session/session.ts';

export type OpenedSession =
  | { readonly ok: true; readonly session: Session; readonly notices: readonly string[] }
  | { readonly ok: false; readonly message: string };

export interface SessionInput {
  /** Without a file the session lives in memory. */
  readonly file?: string;
  readonly id: string;
  /** The agent file's name, for the journal. */
  readonly agent: string;
  readonly clock: Clock;
  readonly onListenerError?: (error: unknown) => void;
}

/** A short id that sorts by nothing and collides with nothing. */
export function newSessionId(): string {
  return `s-${randomUUID().slice(0, 8)}`;
}

export function openSessionFile({ file, id, agent, clock, onListenerError }: SessionInput): OpenedSession {
  const common = { clock, ...(onListenerError ? { onListenerError } : {}) };
  if (file === undefined)
    return { ok: true, session: openSession(createJournal(common), { id, agent }), notices: [] };
  const opened = openJournalFile(file);
  if (!opened.ok) return opened;
  try {
    const journal = createJournal({ ...common, sink: opened.sink, past: opened.past });
    const session = openSession(journal, { id, agent });
    const notices = [opened.notice, ...repairWords(session)].filter((notice) => notice !== undefined);
    return { ok: true, session, notices };
  } catch (error) {
    // Nothing above throws; should it, the file must not stay locked.
    opened.sink.close();
    return { ok: false, message: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function repairWords({ repaired }: Session): string[] {
  return [
    ...(repaired.interrupted
      ? [
          l10n.t(
            'The last run of this session was interrupted. What it had begun is closed and marked as unknown.',
          ),
        ]
      : []),
    ...(repaired.messages > 0
      ? [
          l10n.t(
            'The history of this session was not legal: {0} messages were repaired; the journal says which.',
            String(repaired.messages),
          ),
        ]
      : []),
  ];
}

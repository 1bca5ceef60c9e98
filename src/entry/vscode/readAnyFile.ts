import { createHash } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { foreignJournal } from '../../core/foreignJournal.ts';
import { readForeignLog } from '../../core/foreignLog.ts';
import { createTokenCounter } from '../../planner/tokens.ts';
import { readJournalText } from '../../session/journalText.ts';
import type { PanelSession } from './panelChannel.ts';
import { createPastSession } from './pastSessions.ts';

const digest = {
  sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
  byteLength: (text: string) => Buffer.byteLength(text),
};

/**
 * A file as a session that can be read: a journal, or the requests that another agent logged. By its place it is another
 * session than the one that was written into it, which may be open beside it. Throws, in the user's language, for a file
 * that is neither.
 */
export async function readAnyFile(uri: vscode.Uri): Promise<PanelSession> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const session = `file-${digest.sha256(uri.toString()).slice(0, 12)}`;
  const journal = readJournalText(text);
  if (journal.ok && journal.events[0]?.type === 'session.opened')
    return createPastSession(session, journal.events);
  const { bodies } = readForeignLog(text);
  if (bodies.length === 0)
    throw new Error(
      vscode.l10n.t(
        '{0} holds neither a journal nor request bodies or messages arrays.',
        path.posix.basename(uri.path),
      ),
    );
  const counter = await createTokenCounter();
  await counter.ahead(bodies.flatMap(({ messages }) => messages.map((message) => JSON.stringify(message))));
  const name = path.posix.basename(uri.path);
  return createPastSession(session, foreignJournal(bodies, { session, name, digest, count: counter }));
}

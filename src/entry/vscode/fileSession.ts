/** A file of any folder as a session that is read, and kept up with while somebody writes to it. */
import { createHash } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { readJournalSteps } from '../../session/journalText.ts';
import { inSlices } from '../inSlices.ts';
import { readSessionFile } from '../sessionFile.ts';
import type { PanelSession } from './panelChannel.ts';
import { openPastSession, type PastSession } from './pastSessions.ts';

export interface FileSession extends vscode.Disposable {
  /** As it was read last. */
  readonly session: PanelSession;
  /** The file was read anew: `session` is another one. */
  readonly onDidReplace: vscode.Event<void>;
}

interface Opened {
  readonly session: PastSession;
  readonly whole: number | undefined;
}

/**
 * By its place it is another session than the one that was written into it, which may be open beside it. Rejects, in the
 * user's language, for a file that can not be shown.
 */
export async function openFileSession(uri: vscode.Uri): Promise<FileSession> {
  const replaced = new vscode.EventEmitter<void>();
  let { session, whole } = await read(uri);
  let isTold = false;

  /** What was appended to a journal is shown; any other change is offered to be read. */
  async function keepUp(): Promise<void> {
    const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => undefined);
    // Deleted, or out of reach: what was read of it stays.
    if (!bytes) return;
    if (whole === undefined || bytes.length < whole) return await offerAnew();
    const text = new TextDecoder().decode(bytes.subarray(whole));
    const more = await inSlices(readJournalSteps(text, session.events.length));
    if (!more?.ok) return await offerAnew();
    whole += Buffer.byteLength(text.slice(0, more.whole));
    if (more.events.length > 0) session.grow(more.events);
  }

  async function offerAnew(): Promise<void> {
    if (isTold) return;
    isTold = true;
    const again = vscode.l10n.t('Read Again');
    const name = path.posix.basename(uri.path);
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t('{0} has changed. What was read of it before is shown.', name),
      again,
    );
    isTold = false;
    if (chosen !== again) return;
    try {
      ({ session, whole } = await read(uri));
      replaced.fire();
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  const folder = vscode.Uri.joinPath(uri, '..');
  const name = path.posix.basename(uri.path).replace(/[*?{}[\]]/g, '?');
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(folder, name),
    true,
    false,
    true,
  );
  // One after the other: what is appended is counted from where the last one ended.
  let turn: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const follow = watcher.onDidChange((changed) => {
    if (changed.path !== uri.path || isWaiting) return;
    isWaiting = true;
    turn = turn.then(() => {
      isWaiting = false;
      return keepUp();
    });
  });
  return {
    get session() {
      return session;
    },
    onDidReplace: replaced.event,
    dispose: () => void vscode.Disposable.from(follow, watcher, replaced).dispose(),
  };
}

async function read(uri: vscode.Uri): Promise<Opened> {
  const bytes = await vscode.workspace.fs.readFile(uri);
  const id = `file-${createHash('sha256').update(uri.toString()).digest('hex').slice(0, 12)}`;
  const found = await readSessionFile(bytes, { name: path.posix.basename(uri.path), session: id });
  if (!found.ok) throw new Error(found.problem);
  for (const notice of found.notices) void vscode.window.showWarningMessage(notice);
  return { session: await openPastSession(id, found.events, true), whole: found.whole };
}

import * as path from 'node:path';
import * as vscode from 'vscode';
import { agentUriOf } from './agentUri.ts';
import type { PanelSession } from './panelChannel.ts';
import type { SessionStore } from './sessionStore.ts';

/**
 * The agent file of a session: that of the live one, else the one that its journal names. A journal names it by its
 * file name alone, so where it is not in the first folder it is looked for.
 */
export async function agentOf(session: PanelSession, store: SessionStore): Promise<vscode.Uri | undefined> {
  const live = store.live(session.id)?.agentUri;
  if (live) return live;
  const system = [...session.state.messages.values()].find(({ origin }) => origin.kind === 'system');
  return fileNamed(system?.origin.location?.path ?? session.agent);
}

/** A file that a journal names; undefined where there is none of that name. */
export async function fileNamed(name: string): Promise<vscode.Uri | undefined> {
  if (name === '') return undefined;
  const named = agentUriOf(name);
  const isThere = await vscode.workspace.fs.stat(named).then(
    () => true,
    () => false,
  );
  if (isThere) return named;
  const base = path.posix.basename(name).replace(/[*?{}[\]]/g, '?');
  return (await vscode.workspace.findFiles(`**/${base}`, '**/node_modules/**', 1))[0];
}

/** Which agent a command means: the one in the active editor, the only one there is, or the one picked. */
import * as vscode from 'vscode';
import { agentGlob, agentLanguage, commands } from './names.ts';

/** Undefined when the user gave up, or was told that there is none. */
export async function findAgent(): Promise<vscode.Uri | undefined> {
  const active = activeAgent();
  if (active) return active;
  const found = await vscode.workspace.findFiles(agentGlob, '**/node_modules/**', 100);
  const [only, ...more] = found.sort((a, b) => a.path.localeCompare(b.path));
  if (!only) return offerNewAgent();
  if (more.length === 0) return only;
  const items = [only, ...more].map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  // It stays like the goal that is asked next: a session that just ends moves the focus.
  const options = { title: vscode.l10n.t('Which agent?'), ignoreFocusOut: true };
  const picked = await vscode.window.showQuickPick(items, options);
  return picked?.uri;
}

export function activeAgent(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const isAgent = document?.languageId === agentLanguage || document?.fileName.endsWith('.agent.json');
  return isAgent && document && !document.isUntitled ? document.uri : undefined;
}

async function offerNewAgent(): Promise<undefined> {
  const create = vscode.l10n.t('New Agent');
  const message = vscode.workspace.workspaceFolders
    ? vscode.l10n.t('There is no agent file (*.agent.json) in this workspace.')
    : vscode.l10n.t(
        'No folder is open. An agent file (*.agent.json) lives in one, and so do the files its tools see.',
      );
  if ((await vscode.window.showInformationMessage(message, create)) === create)
    await vscode.commands.executeCommand(commands.newAgent);
  return undefined;
}

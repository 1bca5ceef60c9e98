import * as jsonc from 'jsonc-parser';
import * as vscode from 'vscode';
import { agentOf } from './agentOf.ts';
import type { PanelSession } from './panelChannel.ts';
import { requestText } from './requestText.ts';
import type { SessionStore } from './sessionStore.ts';
import { showPlace } from './showPlace.ts';
import { bodyUri } from './virtualFiles.ts';

/**
 * Opens the place where a tool is defined: the agent file for a command of the user's, else the definition that the
 * model was sent. For one that is built in there is no such place, and that is said.
 */
export async function openTool(session: PanelSession, name: string, store: SessionStore): Promise<void> {
  const agent = await agentOf(session, store);
  if (agent && (await openInAgent(agent, name))) return;
  const isOurs = session.state.opened?.kind !== 'attach';
  if (isOurs && (await isBuiltIn(name))) {
    const words = vscode.l10n.t('The tool {0} is built into Loopscope.', name);
    void vscode.window.showInformationMessage(words);
    return;
  }
  if (await openInRequest(session, name)) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t('No request of this session defines a tool {0}, nor does its agent file.', name),
  );
}

async function isBuiltIn(name: string): Promise<boolean> {
  // The tools themselves are loaded with the first run.
  const { toolNames } = await import('../../toolbox/builtinTools.ts');
  const { readResult } = await import('../../toolbox/readResult.ts');
  return [...toolNames, readResult.spec.name].includes(name);
}

async function openInAgent(agent: vscode.Uri, name: string): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(agent).then(undefined, () => undefined);
  const tree = document && jsonc.parseTree(document.getText());
  const tools = tree && jsonc.findNodeAtLocation(tree, ['tools']);
  const tool = tools?.children?.find((one) => jsonc.findNodeAtLocation(one, ['name'])?.value === name);
  if (!document || !tool) return false;
  const at = document.positionAt(tool.offset);
  await showPlace(agent, new vscode.Range(at, at));
  return true;
}

/** The last request that had the tool. */
async function openInRequest({ id, state }: PanelSession, name: string): Promise<boolean> {
  for (const { id: request, attempts } of [...state.requests.values()].toReversed()) {
    const attempt = attempts.at(-1)?.sent.attempt ?? 1;
    const body = requestText(state, request, attempt);
    const tree = body === undefined ? undefined : jsonc.parseTree(body);
    const tools = tree && jsonc.findNodeAtLocation(tree, ['tools']);
    const tool = tools?.children?.find(
      (one) => jsonc.findNodeAtLocation(one, ['function', 'name'])?.value === name,
    );
    if (!tool) continue;
    const document = await vscode.workspace.openTextDocument(bodyUri(id, request, attempt));
    const range = new vscode.Range(
      document.positionAt(tool.offset),
      document.positionAt(tool.offset + tool.length),
    );
    await showPlace(document.uri, range);
    return true;
  }
  return false;
}

// Loaded beside Loopscope by `npm start`: the first thing to see is an agent stopped before its first request.
import * as vscode from 'vscode';

export async function activate() {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return;
  await vscode.debug.startDebugging(folder, {
    type: 'loopscope',
    request: 'launch',
    name: 'Plan my day',
    agent: vscode.Uri.joinPath(folder.uri, 'day-planner.agent.json').fsPath,
    goal: 'I am busy, plan the rest of my day',
    stopOnEntry: true,
  });
}

/** Checks agent files as they are opened and edited, so that what is wrong with one is seen before it is run. */
import * as vscode from 'vscode';
import { agentLanguage } from './names.ts';

/** Milliseconds without a key before a file is checked again. */
const quiet = 250;

export function createAgentChecks(
  diagnostics: vscode.DiagnosticCollection,
  onFault: (error: unknown) => void,
): vscode.Disposable {
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const { version } = document;
    const { checkAgent } = await import('./checkAgent.ts');
    if (document.isClosed || document.version !== version) return;
    diagnostics.set(document.uri, checkAgent(document));
  };
  const soon = (document: vscode.TextDocument, ms: number) => {
    if (document.languageId !== agentLanguage) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    const timer = setTimeout(() => {
      waiting.delete(key);
      check(document).catch(onFault);
    }, ms);
    waiting.set(key, timer);
  };
  const all = () => vscode.workspace.textDocuments.forEach((document) => soon(document, 0));
  all();
  const listening = [
    vscode.workspace.onDidOpenTextDocument((document) => soon(document, 0)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => soon(document, quiet)),
    vscode.workspace.onDidCloseTextDocument(({ languageId, uri }) => {
      if (languageId !== agentLanguage) return;
      clearTimeout(waiting.get(uri.toString()));
      diagnostics.delete(uri);
    }),
    // Whether commands run here is part of it.
    vscode.workspace.onDidGrantWorkspaceTrust(all),
    vscode.workspace.onDidChangeWorkspaceFolders(all),
  ];
  return {
    dispose() {
      for (const timer of waiting.values()) clearTimeout(timer);
      for (const one of listening) one.dispose();
    },
  };
}

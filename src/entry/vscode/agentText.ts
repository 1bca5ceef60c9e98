import * as vscode from 'vscode';

/** The text of an agent file: what the editor shows is what the user means, saved or not. Undefined where there is none. */
export async function readAgentText(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText();
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

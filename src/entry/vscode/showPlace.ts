import * as vscode from 'vscode';

/** Shows a place in an editor; says why where it can not be shown. */
export async function showPlace(uri: vscode.Uri, selection: vscode.Range): Promise<void> {
  await vscode.window.showTextDocument(uri, { selection }).then(undefined, (error: Error) => {
    void vscode.window.showErrorMessage(error.message);
  });
}

import * as jsonc from 'jsonc-parser';
import * as vscode from 'vscode';

/** Sets limit and policy in an agent file that is shown for it: one edit, not saved, so that Undo takes it back. */
export async function useBudget(agent: vscode.Uri | undefined, limit: number, policy: string): Promise<void> {
  try {
    if (!agent) throw new Error(vscode.l10n.t('The agent file of this session is not known.'));
    const document = await vscode.workspace.openTextDocument(agent);
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
    edit.replace(agent, whole, withBudget(document.getText(), limit, policy));
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.workspace.applyEdit(edit);
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** Comments and everything else stay as they are. */
function withBudget(text: string, limit: number, policy: string): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const values = { max_tokens: limit, policy };
  return Object.entries(values).reduce((before, [name, value]) => {
    const edits = jsonc.modify(before, ['context', name], value, { formattingOptions });
    return jsonc.applyEdits(before, edits);
  }, text);
}

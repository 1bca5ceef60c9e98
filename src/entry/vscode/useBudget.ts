import * as jsonc from 'jsonc-parser';
import * as vscode from 'vscode';

/** Sets limit and policy in an agent file that is shown for it: one edit, not saved, so that Undo takes it back. */
export async function useBudget(agent: vscode.Uri | undefined, limit: number, policy: string): Promise<void> {
  try {
    if (!agent) throw new Error(vscode.l10n.t('The agent file of this session is not known.'));
    const document = await vscode.workspace.openTextDocument(agent);
    const before = document.getText();
    const after = withBudget(before, limit, policy);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    if (after === before) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The agent file has this limit and policy already.'),
      );
      return;
    }
    // What differs and no more: the rest of the file, and what is folded or selected in it, stays as it is.
    const [start, end] = sharedEnds(before, after);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - end));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(agent, range, after.slice(start, after.length - end));
    if (!(await vscode.workspace.applyEdit(edit)))
      throw new Error(vscode.l10n.t('{0} can not be changed.', vscode.workspace.asRelativePath(agent)));
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** Comments and everything else stay as they are. Throws, in the user's language, for a file that is not JSON. */
function withBudget(text: string, limit: number, policy: string): string {
  const errors: jsonc.ParseError[] = [];
  jsonc.parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error(vscode.l10n.t('The agent file is not valid JSON: mend that first.'));
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const values = { max_tokens: limit, policy };
  return Object.entries(values).reduce((before, [name, value]) => {
    const edits = jsonc.modify(before, ['context', name], value, { formattingOptions });
    return jsonc.applyEdits(before, edits);
  }, text);
}

/** How much two texts have in common at their beginning and at their end, in UTF-16 units. */
function sharedEnds(before: string, after: string): readonly [start: number, end: number] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [start, end];
}

import type * as vscode from 'vscode';

/** The part of VS Code that the workspace tools use; handed in, so that the rules can be tested without an editor. */
export interface EditorApi {
  readonly workspace: Pick<
    typeof vscode.workspace,
    | 'workspaceFolders'
    | 'textDocuments'
    | 'notebookDocuments'
    | 'getConfiguration'
    | 'fs'
    | 'applyEdit'
    | 'openTextDocument'
    | 'encode'
    | 'decode'
  >;
  readonly Uri: Pick<typeof vscode.Uri, 'joinPath'>;
  readonly FileType: typeof vscode.FileType;
  readonly FilePermission: typeof vscode.FilePermission;
  readonly WorkspaceEdit: typeof vscode.WorkspaceEdit;
  readonly Range: typeof vscode.Range;
}

import * as vscode from 'vscode';
import type { ToolPlace } from '../absentTools.ts';

/** This window, as tools meet it. */
export function toolPlaceHere(): ToolPlace {
  return {
    isTrusted: vscode.workspace.isTrusted,
    hasEditor: true,
    hasFolder: (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === 'file'),
  };
}

/** Calls of tools over VS Code's own services, as an agent's run makes them. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createDiagnosticsWatch } from '../../src/entry/vscode/diagnosticsWatch.ts';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { workspaceServices } from '../../src/entry/vscode/workspaceServices.ts';
import { builtinTools, codeTools, editorTools, programTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { toolContext } from '../unit/toolbox/toolContext.ts';

const box = createToolbox([
  ...builtinTools,
  ...codeTools,
  ...editorTools,
  ...programTools({ env: process.env }),
]);
const top = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');

export const at = (path: string) => vscode.Uri.joinPath(top, path);

export async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text, 'utf8'));
}

/** The data of a call, or what went wrong. */
export async function call<T>(name: string, input: object, signal?: AbortSignal): Promise<T> {
  const watch = createDiagnosticsWatch(vscode);
  try {
    const workspace = createEditorWorkspace(vscode, undefined, workspaceServices(watch));
    const context = toolContext({ workspace, ...(signal ? { signal } : {}) });
    const { observation } = await box.perform({ name, arguments: JSON.stringify(input) }, context);
    return (observation.success ? observation.data : observation.error) as T;
  } finally {
    watch.dispose();
  }
}

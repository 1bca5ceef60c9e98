/** What an agent gets to know of the editor, and the demo agent that repairs a test, in a real VS Code. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createDiagnosticsWatch } from '../../src/entry/vscode/diagnosticsWatch.ts';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { workspaceServices } from '../../src/entry/vscode/workspaceServices.ts';
import { builtinTools, codeTools, editorTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { memoryFiles, toolContext } from '../unit/toolbox/toolContext.ts';
import { demoAgent, startDemo, stopAll, when } from './debugHelpers.ts';

const top = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
const box = createToolbox([...builtinTools, ...codeTools, ...editorTools]);

describe('what the editor knows', () => {
  const watch = createDiagnosticsWatch(vscode);
  const collection = vscode.languages.createDiagnosticCollection('test');
  const workspace = createEditorWorkspace(vscode, undefined, workspaceServices(watch));
  const files = memoryFiles();
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const request = { name, arguments: JSON.stringify(input) };
    const { observation } = await box.perform(request, toolContext({ workspace, files }));
    return observation.success ? observation.data : observation.error;
  };
  const uri = vscode.Uri.joinPath(top, 'diagnosed.txt');
  /** Resolves when VS Code has told of it, which is some time later. */
  const says = async (message: string) => {
    const told = new Promise<void>((resolve) => {
      const registration = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (!uris.some((one) => one.toString() === uri.toString())) return;
        registration.dispose();
        resolve();
      });
    });
    collection.set(uri, [new vscode.Diagnostic(new vscode.Range(1, 2, 1, 5), message)]);
    await told;
  };

  after(() => {
    watch.dispose();
    collection.dispose();
  });

  it('C36 diagnostics are waited for after an edit, and marked where they do not come', async () => {
    await vscode.workspace.fs.writeFile(uri, Buffer.from('one\n  two\n'));
    await says('before the edit');
    await call('edit_file', { path: 'diagnosed.txt', old_string: 'two', new_string: 'TWO' });
    const waiting = call('get_diagnostics', { path: 'diagnosed.txt' });
    await says('after the edit');
    assert.deepEqual(await waiting, {
      diagnostics: [
        { path: 'diagnosed.txt', line: 2, column: 3, severity: 'error', message: 'after the edit' },
      ],
      more: false,
    });
    // Of another file: VS Code tells of what was set more than once, also late.
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(top, 'unwatched.txt'), Buffer.from('one\n'));
    await call('edit_file', { path: 'unwatched.txt', old_string: 'one', new_string: 'ONE' });
    assert.match(JSON.stringify(await call('get_diagnostics', { path: 'unwatched.txt' })), /may be older/);
    assert.match(String(await call('get_diagnostics', { path: '../x' })), /leads out/);
  }).timeout(20_000);

  it('open editors: what is in front, what is selected, what is not saved', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    editor.selection = new vscode.Selection(0, 0, 0, 3);
    const { editors } = (await call('get_open_editors', {})) as { editors: unknown[] };
    assert.deepEqual(editors, [
      { path: 'diagnosed.txt', active: true, selection: { start: 1, end: 1, text: 'one' } },
    ]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});

describe('the demo agent that repairs a test', () => {
  after(stopAll);

  it('reads, searches, edits, looks at the diagnostics and runs the test, for real', async () => {
    const broken = vscode.Uri.joinPath(top, 'broken/total.js');
    const ended = new Promise<void>((resolve) => {
      const registration = vscode.debug.onDidTerminateDebugSession(() => {
        registration.dispose();
        resolve();
      });
    });
    const agent = demoAgent('fix-test.agent.json').toString();
    await startDemo({ agent, goal: 'Fix the failing test' }, { noDebug: true });
    await ended;
    const text = Buffer.from(await vscode.workspace.fs.readFile(broken)).toString('utf8');
    assert.match(text, /1 - discount \/ 100/);
    const document = await vscode.workspace.openTextDocument(broken);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await when(vscode.workspace.onDidChangeTextDocument, () =>
      document.getText().includes('(1 - discount)') ? true : undefined,
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }).timeout(90_000);
});

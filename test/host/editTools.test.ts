/** The file tools on VS Code's own documents and file systems, on disk and on one that the test provides. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { builtinTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { memoryFiles, toolContext } from '../unit/toolbox/toolContext.ts';
import { createMemoryFiles } from './memoryFiles.ts';

const box = createToolbox(builtinTools);
const { fs } = vscode.workspace;

/** The tools over the folders of this window, or over these in their place. */
function tools(folders = vscode.workspace.workspaceFolders) {
  const workspace = new Proxy(vscode.workspace, {
    get: (target, key) => (key === 'workspaceFolders' ? folders : (Reflect.get(target, key) as unknown)),
  });
  const ports = { workspace: createEditorWorkspace({ ...vscode, workspace }), files: memoryFiles() };
  return async (name: string, input: unknown): Promise<unknown> => {
    const request = { name, arguments: JSON.stringify(input) };
    const { observation } = await box.perform(request, toolContext(ports));
    return observation.success ? observation.data : observation.error;
  };
}

const top = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
const at = (path: string) => vscode.Uri.joinPath(top, path);
const write = (path: string, text: string) => fs.writeFile(at(path), Buffer.from(text, 'utf8'));
const onDisk = async (path: string) => Buffer.from(await fs.readFile(at(path))).toString('utf8');

async function shown(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(at(path));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

const undo = () => vscode.commands.executeCommand('undo');
const edit = (path: string, old_string: string, new_string: string) =>
  tools()('edit_file', { path, old_string, new_string });

describe('the file tools in the editor', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('C31 a saved file: editor and disk change, and one undo takes it back', async () => {
    await write('edit-clean.txt', 'one\ntwo\nthree\n');
    const document = await shown('edit-clean.txt');
    const done = await edit('edit-clean.txt', 'two', 'TWO\nmore');
    assert.deepEqual(done, { path: 'edit-clean.txt', replaced: 1, lines: '2–3' });
    assert.equal(document.getText(), 'one\nTWO\nmore\nthree\n');
    assert.equal(await onDisk('edit-clean.txt'), document.getText());
    assert.equal(document.isDirty, false);
    await undo();
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
  });

  it('C31 unsaved changes are seen and kept, what is on disk stays, and one undo takes the edit back', async () => {
    await write('edit-dirty.txt', 'v1');
    const document = await shown('edit-dirty.txt');
    const typed = new vscode.WorkspaceEdit();
    typed.replace(document.uri, new vscode.Range(0, 0, 0, 2), 'v2 (dirty)');
    await vscode.workspace.applyEdit(typed);
    assert.match(
      JSON.stringify(await tools()('read_file', { path: 'edit-dirty.txt' })),
      /v2 \(dirty\).*unsaved/,
    );
    assert.match(JSON.stringify(await edit('edit-dirty.txt', 'v', 'w')), /not saved/);
    assert.equal(document.getText(), 'w2 (dirty)');
    assert.equal(document.isDirty, true);
    assert.equal(await onDisk('edit-dirty.txt'), 'v1');
    await undo();
    assert.equal(document.getText(), 'v2 (dirty)');
  });

  it('C31 a file open in two groups: both show the edit, and it is saved once', async () => {
    await write('edit-twice.txt', 'one\n');
    const document = await shown('edit-twice.txt');
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
    await edit('edit-twice.txt', 'one', 'two');
    const texts = vscode.window.visibleTextEditors
      .filter((editor) => editor.document.uri.path.endsWith('edit-twice.txt'))
      .map((editor) => editor.document.getText());
    assert.deepEqual(texts, ['two\n', 'two\n']);
    assert.equal(await onDisk('edit-twice.txt'), 'two\n');
    await undo();
    assert.equal(document.getText(), 'one\n');
  });

  it('C31 the user saves, where the setting says so: an edit stays in its editor', async () => {
    await write('edit-left.txt', 'one\n');
    await write('edit-left-mixed.txt', 'one\r\ntwo\n');
    const configuration = vscode.workspace.getConfiguration('loopscope');
    await configuration.update('saveEdits', 'never', vscode.ConfigurationTarget.Workspace);
    try {
      const call = tools();
      const done = await call('edit_file', { path: 'edit-left.txt', old_string: 'one', new_string: 'two' });
      assert.match(JSON.stringify(done), /not saved.*for the user to save/);
      assert.equal(await onDisk('edit-left.txt'), 'one\n');
      assert.match(JSON.stringify(await call('read_file', { path: 'edit-left.txt' })), /two.*unsaved/);
      const document = await shown('edit-left.txt');
      assert.equal(document.isDirty, true);
      await undo();
      assert.equal(document.getText(), 'one\n');
      assert.match(String(await edit('edit-left-mixed.txt', 'two', '2')), /saveEdits/);
      assert.equal(await onDisk('edit-left-mixed.txt'), 'one\r\ntwo\n');
    } finally {
      await configuration.update('saveEdits', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('C31 an editor without a file is refused, by either of its names', async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: 'draft' });
    for (const path of [untitled.uri.path, `untitled:${untitled.uri.path}`])
      for (const [name, input] of [
        ['read_file', {}],
        ['edit_file', { old_string: 'draft', new_string: 'x' }],
      ] as const)
        assert.match(
          String(await tools()(name, { path, ...input })),
          /editor without a file/,
          `${name} ${path}`,
        );
    assert.equal(untitled.getText(), 'draft');
  });

  it('C29 bytes outside of the change stay: CRLF with a mark, mixed line ends, no final line end', async () => {
    await write('edit-crlf.txt', '\ufeffa\r\nb\r\nc');
    await edit('edit-crlf.txt', 'b', 'B\nnew');
    assert.equal(await onDisk('edit-crlf.txt'), '\ufeffa\r\nB\r\nnew\r\nc');
    const mixed = 'alpha\nbeta\r\ngamma\r\nprog 10%\rprog 90%\r\nomega';
    await write('edit-mixed.txt', mixed);
    await edit('edit-mixed.txt', 'beta\ngamma', 'BETA\nGAMMA\nnew');
    assert.equal(await onDisk('edit-mixed.txt'), mixed.replace('beta\r\ngamma', 'BETA\r\nGAMMA\r\nnew'));
  });

  it('an encoding that the settings name: nothing of a text is lost in it', async () => {
    await write('edit-legacy.txt', 'one\n');
    const files = vscode.workspace.getConfiguration('files', at('edit-legacy.txt'));
    await files.update('encoding', 'iso88591', vscode.ConfigurationTarget.Workspace);
    try {
      const document = await shown('edit-legacy.txt');
      assert.equal(document.encoding, 'iso88591');
      assert.match(
        JSON.stringify(await edit('edit-legacy.txt', 'one', '漢字')),
        /written as UTF-8.*iso88591/,
      );
      assert.equal(await onDisk('edit-legacy.txt'), '漢字\n');
      await write('edit-legacy-dirty.txt', 'one\n');
      const dirty = await shown('edit-legacy-dirty.txt');
      const typed = new vscode.WorkspaceEdit();
      typed.insert(dirty.uri, new vscode.Position(0, 0), 'é ');
      await vscode.workspace.applyEdit(typed);
      assert.match(
        String(await edit('edit-legacy-dirty.txt', 'one', '漢字')),
        /iso88591, which lacks characters/,
      );
      assert.match(JSON.stringify(await edit('edit-legacy-dirty.txt', 'one', 'ñ')), /"replaced":1/);
      assert.equal(dirty.getText(), 'é ñ\n');
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('what saving changes beside is told, and does not make the next edit stale', async () => {
    await write('edit-saved.txt', 'one\ntwo');
    const files = vscode.workspace.getConfiguration('files', at('edit-saved.txt'));
    await files.update('insertFinalNewline', true, vscode.ConfigurationTarget.Workspace);
    try {
      const call = tools();
      await call('read_file', { path: 'edit-saved.txt' });
      const first = { path: 'edit-saved.txt', old_string: 'one', new_string: '1' };
      assert.match(JSON.stringify(await call('edit_file', first)), /changed more of it when it saved/);
      assert.equal(await onDisk('edit-saved.txt'), '1\ntwo\n');
      const second = { path: 'edit-saved.txt', old_string: 'two', new_string: '2' };
      assert.deepEqual(await call('edit_file', second), {
        path: 'edit-saved.txt',
        replaced: 1,
        lines: '2–2',
      });
    } finally {
      await files.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('C30 what was saved by somebody else since it was read is refused', async () => {
    await write('edit-stale.txt', 'v1');
    const call = tools();
    await call('read_file', { path: 'edit-stale.txt' });
    await write('edit-stale.txt', 'v2');
    assert.match(
      String(await call('edit_file', { path: 'edit-stale.txt', content: 'mine' })),
      /read it again/,
    );
    assert.equal(await onDisk('edit-stale.txt'), 'v2');
  });

  it('create_file makes folders, never writes over a file, and leads nowhere out', async () => {
    const call = tools();
    assert.deepEqual(await call('create_file', { path: 'edit-new/deep/a.txt', content: 'x\n' }), {
      path: 'edit-new/deep/a.txt',
      created: true,
    });
    assert.equal(await onDisk('edit-new/deep/a.txt'), 'x\n');
    for (const path of ['edit-new/deep/a.txt', '../edit-out.txt', '.git/hooks/x', 'file:///tmp/edit-out.txt'])
      assert.equal(typeof (await call('create_file', { path, content: 'y' })), 'string', path);
    assert.equal(await onDisk('edit-new/deep/a.txt'), 'x\n');
  });

  it('C35 a virtual folder: read, edit and make there; what is read-only or fails says so', async () => {
    const files = createMemoryFiles({
      '/proj/a.txt': 'one\r\ntwo\r\n',
      '/proj/locked.txt': 'locked',
      '/proj/failing.txt': 'failing',
    });
    files.readOnly.add('/proj/locked.txt');
    files.failing.add('/proj/failing.txt');
    const registered = vscode.workspace.registerFileSystemProvider('loopscopetest', files);
    try {
      const uri = vscode.Uri.parse('loopscopetest:/proj');
      const call = tools([{ uri, name: 'proj', index: 0 }]);
      assert.match(JSON.stringify(await call('list_files', {})), /a\.txt.*failing\.txt.*locked\.txt/);
      assert.match(JSON.stringify(await call('search_text', { query: 'two' })), /"line":2/);
      assert.match(
        JSON.stringify(await call('edit_file', { path: 'a.txt', old_string: 'two', new_string: '2\n3' })),
        /replaced/,
      );
      assert.equal(files.text('/proj/a.txt'), 'one\r\n2\r\n3\r\n');
      await call('create_file', { path: 'new/b.txt', content: 'x' });
      assert.equal(files.text('/proj/new/b.txt'), 'x');
      const locked = { path: 'locked.txt', old_string: 'locked', new_string: 'x' };
      assert.match(String(await call('edit_file', locked)), /read-only/);
      const failing = { path: 'failing.txt', old_string: 'failing', new_string: 'x' };
      assert.match(String(await call('edit_file', failing)), /could not be saved|permission/);
      assert.equal(files.text('/proj/failing.txt'), 'failing');
      assert.equal(
        (await vscode.workspace.openTextDocument(vscode.Uri.joinPath(uri, 'failing.txt'))).getText(),
        'failing',
      );
    } finally {
      registered.dispose();
    }
  });

  it('C33 several folders: the same name/path for reading, editing and making', async () => {
    await write('edit-roots/api/a.txt', 'api');
    await write('edit-roots/web/a.txt', 'web');
    const folder = (name: string, index: number) => ({ uri: at(`edit-roots/${name}`), name, index });
    const call = tools([folder('api', 0), folder('web', 1)]);
    await call('edit_file', { path: 'web/a.txt', old_string: 'web', new_string: 'WEB' });
    await call('create_file', { path: 'api/b.txt', content: 'b' });
    assert.equal(await onDisk('edit-roots/web/a.txt'), 'WEB');
    assert.equal(await onDisk('edit-roots/api/b.txt'), 'b');
    assert.match(
      String(await call('create_file', { path: 'c.txt', content: 'c' })),
      /several folders are open/,
    );
  });
});

/** C33, C35: a workspace that VS Code itself has opened: several folders, two of one name, and one that is on no disk. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { builtinTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { memoryFiles, toolContext } from '../unit/toolbox/toolContext.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { virtualScheme } from './runner/writeRoots.ts';

const box = createToolbox(builtinTools);
const ports = { workspace: createEditorWorkspace(vscode), files: memoryFiles() };

async function call(name: string, input: unknown): Promise<unknown> {
  const request = { name, arguments: JSON.stringify(input) };
  const { observation } = await box.perform(request, toolContext(ports));
  return observation.success ? observation.data : observation.error;
}

const names = (): string[] => (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.name);

describe('a workspace of several folders', () => {
  const files = createMemoryFiles({ '/proj/notes.md': 'Water the plants.\n' });
  let provider: vscode.Disposable;
  before(() => {
    provider = vscode.workspace.registerFileSystemProvider(virtualScheme, files);
  });
  after(() => void provider.dispose());

  it('is what VS Code has opened', () => {
    assert.deepEqual(names(), ['demo', 'web', 'web', 'virtual']);
    assert.equal(vscode.workspace.workspaceFile?.path.endsWith('/roots.code-workspace'), true);
  });

  it('names the same file for listing, reading, editing and making, in each folder', async () => {
    const { entries } = (await call('list_files', { glob: '**/where.txt' })) as { entries: string[] };
    assert.equal(entries.length, 2);
    for (const path of entries) {
      const { text } = (await call('read_file', { path })) as { text: string };
      assert.match(text, /^in [xy]\n$/);
      const edit = { path, old_string: 'in', new_string: 'here in' };
      assert.deepEqual(await call('edit_file', edit), { path, replaced: 1, lines: '1–1' });
      assert.match(JSON.stringify(await call('read_file', { path })), /here in [xy]/);
    }
    const made = entries[1]!.replace('where', 'made');
    assert.deepEqual(await call('create_file', { path: made, content: 'm' }), { path: made, created: true });
    assert.match(
      String(await call('read_file', { path: entries[0]!.replace('where', 'made') })),
      /no such file/,
    );
  });

  it('refuses a path that could be of several, with those it could be', async () => {
    assert.match(
      String(await call('read_file', { path: 'web/where.txt' })),
      /say which: "web@x\/where.txt", "web@y/,
    );
    assert.match(String(await call('read_file', { path: 'where.txt' })), /several folders are open/);
  });

  it('reads, searches and edits in the folder that is on no disk', async () => {
    const path = 'virtual/notes.md';
    assert.match(JSON.stringify(await call('read_file', { path })), /Water the plants/);
    assert.match(
      JSON.stringify(await call('search_text', { query: 'Water', glob: '**/*.md' })),
      /virtual\/notes\.md/,
    );
    await call('edit_file', { path, old_string: 'plants', new_string: 'trees' });
    const bytes = await vscode.workspace.fs.readFile(
      vscode.Uri.from({ scheme: virtualScheme, path: '/proj/notes.md' }),
    );
    assert.equal(Buffer.from(bytes).toString('utf8'), 'Water the trees.\n');
  });

  it('a folder that is taken out is gone for the next call, and its twin has its own name', async () => {
    const changed = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
        listener.dispose();
        resolve();
      });
    });
    assert.ok(vscode.workspace.updateWorkspaceFolders(2, 1));
    await changed;
    assert.deepEqual(names(), ['demo', 'web', 'virtual']);
    assert.match(JSON.stringify(await call('read_file', { path: 'web/where.txt' })), /in x/);
    assert.match(String(await call('read_file', { path: 'web@y/where.txt' })), /several folders are open/);
  });
});

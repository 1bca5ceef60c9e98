/** Versions in VS Code: its own git extension says which git, and whether it may be asked. */
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { at, call, write } from './editorCalls.ts';
import { pretend } from './pretend.ts';

const git = (folder: vscode.Uri, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder.fsPath,
    encoding: 'utf8',
    stdio: 'pipe',
  });

/** Several folders of the demo's, as if they were the workspace. */
async function folders(...names: readonly string[]): Promise<vscode.Disposable> {
  for (const name of names) await vscode.workspace.fs.createDirectory(at(name));
  return pretend(
    'workspace',
    'workspaceFolders',
    names.map((name, index) => ({ uri: at(name), name: name.split('/').at(-1) ?? '', index })),
  );
}

/** Of the extension that VS Code ships. */
interface GitApi {
  openRepository(root: vscode.Uri): Promise<unknown>;
}

interface Status {
  readonly repositories: readonly {
    readonly path: string;
    readonly branch: string | null;
    readonly changes: readonly object[];
  }[];
}

describe('versions, by the git of the extension that VS Code ships', () => {
  before(async () => {
    for (const name of ['api', 'web']) {
      await write(at(`versions/${name}/a.txt`), 'one\n');
      git(at(`versions/${name}`), 'init', '--quiet', '--initial-branch=main');
      git(at(`versions/${name}`), 'add', '--all');
      git(at(`versions/${name}`), 'commit', '--quiet', '--message=first');
      await write(at(`versions/${name}/a.txt`), `${name}\n`);
    }
  });

  it('one folder: the same answers as without an editor', async () => {
    const pretence = await folders('versions/api');
    try {
      const { repositories } = await call<Status>('git_status', {});
      assert.deepEqual(repositories[0]?.changes, [{ path: 'a.txt', unstaged: 'modified' }]);
      assert.equal(repositories[0]?.branch, 'main');
      const { diff } = await call<{ diff: string }>('git_diff', { path: 'a.txt' });
      assert.match(diff, /^diff --git a\/a\.txt b\/a\.txt\n.*-one\n\+api\n/s);
      assert.match(await call('git_diff', { path: '../web/a.txt' }), /leads out/);
    } finally {
      pretence.dispose();
    }
  });

  it('several folders: each repository, with the names of the folders; one that is on no disk has none', async () => {
    const pretence = await pretend('workspace', 'workspaceFolders', [
      { uri: at('versions/api'), name: 'api', index: 0 },
      { uri: at('versions/web'), name: 'web', index: 1 },
      { uri: vscode.Uri.parse('loopscopetestgit:/proj'), name: 'proj', index: 2 },
    ]);
    try {
      const { repositories } = await call<Status>('git_status', {});
      assert.deepEqual(
        repositories.map(({ path, changes }) => [path, changes]),
        ['api', 'web'].map((name) => [name, [{ path: `${name}/a.txt`, unstaged: 'modified' }]]),
      );
      const { files, diff } = await call<{ files: object[]; diff: string }>('git_diff', {});
      assert.equal(files.length, 2);
      assert.match(diff, /--- a\/api\/a\.txt.*--- a\/web\/a\.txt/s);
      assert.match(
        (await call<{ diff: string }>('git_diff', { path: 'web' })).diff,
        /^diff --git a\/web\/a\.txt/,
      );
      assert.match(await call('git_status', { path: 'proj/x' }), /virtual/);
    } finally {
      pretence.dispose();
    }
  });

  it('only a virtual folder, no repository, no trust: said as such', async () => {
    const virtual = await pretend('workspace', 'workspaceFolders', [
      { uri: vscode.Uri.parse('loopscopetestgit:/proj'), name: 'proj', index: 0 },
    ]);
    assert.match(await call('git_status', {}), /virtual/);
    virtual.dispose();
    const none = await folders('versions');
    assert.match(await call('git_status', {}), /^\.: there is no git repository here/);
    none.dispose();
    const untrusted = await pretend('workspace', 'isTrusted', false);
    assert.match(await call('git_status', {}), /not trusted/);
    assert.match(await call('git_diff', {}), /not trusted/);
    assert.match(await call('list_tasks', {}), /not trusted/);
    assert.match(await call('run_task', { task: 'x' }), /not trusted/);
    untrusted.dispose();
  });

  it('repositories in folders of the workspace, as far as VS Code knows them', async () => {
    const pretence = await folders('versions');
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    const api = (await extension?.activate())?.getAPI(1);
    try {
      await api?.openRepository(at('versions/web'));
      const { repositories } = await call<Status>('git_status', {});
      assert.deepEqual(
        repositories.map(({ path, changes }) => [path, changes]),
        [['web', [{ path: 'web/a.txt', unstaged: 'modified' }]]],
      );
    } finally {
      pretence.dispose();
    }
  }).timeout(30_000);
});

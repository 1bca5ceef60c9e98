import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Observation } from '../../../../src/core/messages.ts';
import type { GitRepository } from '../../../../src/core/services.ts';
import { builtinTools } from '../../../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../../../src/toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../../../../src/toolbox/folderWorkspace.ts';
import { temporaryTree, writeTree } from '../temporaryTree.ts';
import { noWorkspace, toolContext } from '../toolContext.ts';
import { testRepository } from './repository.ts';

const box = createToolbox(builtinTools);

async function call(root: string, name: string, input: object, signal?: AbortSignal): Promise<Observation> {
  const context = toolContext({ workspace: createFolderWorkspace(root), ...(signal ? { signal } : {}) });
  return (await box.perform({ name, arguments: JSON.stringify(input) }, context)).observation;
}

async function status(root: string, path?: string): Promise<GitRepository> {
  const result = await call(root, 'git_status', path === undefined ? {} : { path });
  assert.ok(result.success, result.success ? '' : result.error);
  const { repositories } = result.data as { repositories: readonly GitRepository[] };
  assert.equal(repositories.length, 1);
  return repositories[0]!;
}

interface Diff {
  readonly files: readonly object[];
  readonly diff: string;
  readonly more: boolean;
  readonly note?: string;
}

async function diff(root: string, input: object = {}): Promise<Diff> {
  const result = await call(root, 'git_diff', input);
  assert.ok(result.success, result.success ? '' : result.error);
  return result.data as Diff;
}

async function problem(root: string, name: string, input: object = {}): Promise<string> {
  const result = await call(root, name, input);
  assert.ok(!result.success);
  return result.error;
}

const changed = {
  'a.txt': 'one\ntwo\n',
  'both.txt': 'one\n',
  'gone.txt': 'gone\n',
  'old name.txt': 'a file that is renamed and stays as it is\n',
  'päth "q"\tx.txt': 'one\n',
  'logo.bin': new Uint8Array([0, 1, 2]),
};

async function changedTree(t: TestContext) {
  const repository = await testRepository(t, changed);
  await writeTree(repository.root, { 'both.txt': 'staged\n', 'new.txt': 'new\n' });
  repository.git('add', 'both.txt', 'new.txt');
  repository.git('mv', 'old name.txt', 'new name.txt');
  repository.git('rm', '--quiet', 'gone.txt');
  await writeTree(repository.root, {
    'a.txt': 'one\nTWO\n',
    'both.txt': 'staged\nmore\n',
    'päth "q"\tx.txt': 'two\n',
    'logo.bin': new Uint8Array([0, 1, 3]),
    'untracked/x': 'x',
  });
  return repository;
}

test('the status: staged, unstaged, renamed, untracked, whatever their names hold', async (t) => {
  const { root, git } = await changedTree(t);
  const { changes, ...head } = await status(root);
  assert.deepEqual(head, {
    path: '.',
    branch: 'main',
    commit: git('rev-parse', 'HEAD').trim(),
    more: false,
  });
  assert.deepEqual(changes, [
    { path: 'a.txt', unstaged: 'modified' },
    { path: 'both.txt', staged: 'modified', unstaged: 'modified' },
    { path: 'gone.txt', staged: 'deleted' },
    { path: 'logo.bin', unstaged: 'modified' },
    { path: 'new name.txt', staged: 'renamed', from: 'old name.txt' },
    { path: 'new.txt', staged: 'added' },
    { path: 'päth "q"\tx.txt', unstaged: 'modified' },
    { path: 'untracked/', unstaged: 'untracked' },
  ]);
  assert.deepEqual((await status(root, 'untracked/x')).changes, [
    { path: 'untracked/x', unstaged: 'untracked' },
  ]);
  assert.deepEqual((await status(root, 'gone.txt')).changes, [{ path: 'gone.txt', staged: 'deleted' }]);
});

test('the diff: all, staged and unstaged apart, names as they are, binary told as such', async (t) => {
  const { root } = await changedTree(t);
  const all = await diff(root);
  assert.deepEqual(all.files, [
    { path: 'a.txt', added: 1, removed: 1 },
    { path: 'both.txt', added: 2, removed: 1 },
    { path: 'gone.txt', added: 0, removed: 1 },
    { path: 'logo.bin', binary: true },
    { path: 'new name.txt', from: 'old name.txt', added: 0, removed: 0 },
    { path: 'new.txt', added: 1, removed: 0 },
    { path: 'päth "q"\tx.txt', added: 1, removed: 1 },
  ]);
  assert.match(all.diff, /^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1,2 \+1,2 @@\n one\n-two\n\+TWO\n/m);
  assert.match(all.diff, /Binary files a\/logo\.bin and b\/logo\.bin differ/);
  const [staged, unstaged] = [
    await diff(root, { changes: 'staged' }),
    await diff(root, { changes: 'unstaged' }),
  ];
  assert.match(staged.diff, /\n-one\n\+staged\n/);
  assert.doesNotMatch(staged.diff, /a\.txt|\+more/);
  assert.match(unstaged.diff, /\n staged\n\+more\n/);
  assert.deepEqual(await diff(root, { path: 'untracked' }), {
    files: [],
    diff: '',
    more: false,
    note: 'nothing has changed',
  });
});

test('a workspace below the top of its repository: its own files alone, by their paths in it', async (t) => {
  const { root, git } = await testRepository(t, {
    'app/a.txt': 'a\n',
    'secret.txt': 's\n',
    'app/in/b.txt': 'b\n',
  });
  await writeTree(root, { 'app/a.txt': 'A\n', 'secret.txt': 'S\n', 'app/in/b.txt': 'B\n' });
  git('mv', 'secret.txt', 'app/was-secret.txt');
  const { changes } = await status(join(root, 'app'));
  assert.deepEqual(
    changes.map(({ path, from }) => [path, from]),
    [
      ['a.txt', undefined],
      ['in/b.txt', undefined],
      ['was-secret.txt', undefined],
    ],
  );
  const { files, diff: text } = await diff(join(root, 'app'), { path: 'in' });
  assert.deepEqual(files, [{ path: 'in/b.txt', added: 1, removed: 1 }]);
  assert.match(text, /^diff --git a\/in\/b\.txt b\/in\/b\.txt\n/);
  assert.doesNotMatch((await diff(join(root, 'app'))).diff, /a\/secret\.txt/);
});

test('no commit yet, a detached HEAD, an upstream', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': 'a\n' });
  const other = await testRepository(t, { 'a.txt': 'a\n' });
  const { gitIn } = other;
  gitIn('', 'clone', '--quiet', other.root, join(root, 'clone'));
  const clone = join(root, 'clone');
  assert.equal((await status(clone)).upstream, 'origin/main');
  assert.deepEqual([(await status(clone)).ahead, (await status(clone)).behind], [0, 0]);
  gitIn('', '-C', clone, 'checkout', '--quiet', '--detach');
  assert.equal((await status(clone)).branch, null);
  gitIn('', '-C', root, 'init', '--quiet', '--initial-branch=new');
  gitIn('', '-C', root, 'add', 'a.txt');
  const fresh = await status(root, 'a.txt');
  assert.deepEqual([fresh.branch, fresh.commit], ['new', null]);
  assert.match((await diff(root, { path: 'a.txt' })).diff, /new file mode.*\n\+a\n/s);
  // A repository within the folder is the one that is asked about its files.
  await writeTree(root, { 'clone/a.txt': 'changed\n' });
  assert.deepEqual((await status(root, 'clone/a.txt')).changes, [
    { path: 'clone/a.txt', unstaged: 'modified' },
  ]);
  assert.match((await diff(root, { path: 'clone' })).diff, /^diff --git a\/clone\/a\.txt b\/clone\/a\.txt\n/);
});

test('conflicts and submodules are told as such', async (t) => {
  const inner = await testRepository(t, { 'x.txt': 'x\n' });
  const { root, git, gitIn } = await testRepository(t, { 'a.txt': 'base\n' });
  git('submodule', '--quiet', 'add', inner.root, 'sub');
  git('commit', '--quiet', '--message=sub');
  git('checkout', '--quiet', '-b', 'side');
  await writeTree(root, { 'a.txt': 'side\n' });
  git('commit', '--quiet', '--all', '--message=side');
  git('checkout', '--quiet', 'main');
  await writeTree(root, { 'a.txt': 'main\n' });
  git('commit', '--quiet', '--all', '--message=main');
  assert.throws(() => git('merge', 'side'));
  gitIn('sub', 'commit', '--quiet', '--allow-empty', '--message=further');
  assert.deepEqual((await status(root)).changes, [
    { path: 'sub', unstaged: 'modified', submodule: true },
    { path: 'a.txt', conflict: 'both modified' },
  ]);
  assert.match((await diff(root)).diff, /-Subproject commit/);
  assert.match((await diff(root, { changes: 'unstaged' })).diff, /diff --cc a\.txt/);
});

test('where there is no repository, no git, or no such path', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': 'a\n' });
  assert.match(await problem(root, 'git_status'), /^\.: there is no git repository here/);
  assert.match(await problem(root, 'git_diff', { path: '../x' }), /leads out of the workspace/);
  await fs.symlink('/', join(root, 'out'));
  assert.match(await problem(root, 'git_status', { path: 'out/tmp' }), /leads out of the workspace.*link/);
  assert.match(await problem(root, 'git_diff', { path: '/etc' }), /absolute/);
  const path = process.env['PATH'];
  process.env['PATH'] = `.:${root}`;
  t.after(() => (process.env['PATH'] = path));
  await writeTree(root, { git: '#!/bin/sh\ntouch ran\n' });
  await fs.chmod(join(root, 'git'), 0o755);
  process.env['PATH'] = '.::relative';
  assert.match(await problem(root, 'git_status'), /no git on this machine/);
  process.env['PATH'] = path;
  const { observation } = await box.perform(
    { name: 'git_status', arguments: '{}' },
    toolContext({ workspace: noWorkspace }),
  );
  assert.match(observation.success ? '' : observation.error, /no version control here/);
});

test('a path is a path and no pattern of git, a name is no option', async (t) => {
  const names = ['*.txt', ':(top)x', '--output=evil', '-x', ':!a'];
  const { root } = await testRepository(
    t,
    Object.fromEntries(['a.txt', ...names].map((name) => [name, 'a\n'])),
  );
  await writeTree(root, Object.fromEntries(['a.txt', ...names].map((name) => [name, 'b\n'])));
  for (const path of names) {
    assert.deepEqual((await status(root, path)).changes, [{ path, unstaged: 'modified' }]);
    assert.equal((await diff(root, { path })).files.length, 1, path);
  }
  assert.ok(!(await fs.readdir(root)).includes('evil'));
});

test('a long diff ends with a whole file and says that there is more', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`f${i + 10}.txt`, 'x\n'.repeat(4000)]),
  );
  const { root } = await testRepository(t, files);
  await writeTree(root, Object.fromEntries(Object.keys(files).map((name) => [name, 'y\n'.repeat(4000)])));
  const result = await diff(root);
  assert.ok(result.more && result.diff.length <= 100_000 && result.diff.length > 60_000);
  assert.ok(result.diff.endsWith('+y\n'));
  assert.equal((result.diff.match(/^\+y$/gm) ?? []).length % 4000, 0);
  assert.equal(result.files.length, 20);
  const one = await diff(root, { path: 'f10.txt' });
  assert.equal(one.more, false);
  await writeTree(root, { 'f10.txt': 'z'.repeat(300_000) });
  const long = await diff(root, { path: 'f10.txt' });
  assert.ok(long.more && long.diff.length <= 100_000);
});

test('thousands of untracked files: bounded, and told so', async (t) => {
  const { root } = await testRepository(t, {});
  await writeTree(root, Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`f${i}`, ''])));
  const { changes, more } = await status(root);
  assert.ok(more && changes.length > 20 && changes.length < 200);
});

test('cancelling ends it', async (t) => {
  const { root } = await testRepository(t, { 'a.txt': 'a\n' });
  const result = await call(root, 'git_status', {}, AbortSignal.abort());
  assert.match(result.success ? '' : result.error, /cancelled/);
});

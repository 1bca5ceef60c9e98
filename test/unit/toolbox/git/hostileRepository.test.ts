/** Repositories that name programs: plain git runs them (so the test can fail), the tools do not. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createFolderWorkspace } from '../../../../src/toolbox/folderWorkspace.ts';
import { temporaryTree, writeTree } from '../temporaryTree.ts';
import { testRepository, type TestRepository } from './repository.ts';

const { signal } = new AbortController();
const skip = process.platform === 'win32' ? 'the programs are shell scripts' : false;

interface Trap {
  readonly name: string;
  /** @param program runs and leaves a mark */
  readonly set: (repository: TestRepository, program: string) => Promise<void> | void;
  /** What a user would type. */
  readonly plain: readonly (readonly string[])[];
}

const attributes = (driver: string) => ({ '.gitattributes': `*.txt ${driver}\n` });
const config = (key: string) => (repository: TestRepository, program: string) =>
  void repository.git('config', key, program);

const traps: readonly Trap[] = [
  { name: 'core.fsmonitor', set: config('core.fsmonitor'), plain: [['status'], ['diff']] },
  { name: 'diff.external', set: config('diff.external'), plain: [['diff']] },
  {
    name: 'a diff driver',
    set: async (repository, program) => {
      await writeTree(repository.root, attributes('diff=trap'));
      repository.git('config', 'diff.trap.command', program);
    },
    plain: [['diff']],
  },
  {
    name: 'textconv',
    set: async (repository, program) => {
      await writeTree(repository.root, attributes('diff=trap'));
      repository.git('config', 'diff.trap.textconv', program);
    },
    plain: [['diff']],
  },
  {
    name: 'a clean filter',
    set: async (repository, program) => {
      await writeTree(repository.root, attributes('filter=trap'));
      repository.git('config', 'filter.trap.clean', program);
      repository.git('config', 'filter.trap.required', 'true');
    },
    plain: [['status'], ['diff']],
  },
  {
    name: 'a filter process, of a name with dots, in an included file',
    set: async (repository, program) => {
      await writeTree(repository.root, attributes('filter=Tr.a.p'));
      await writeTree(repository.root, { more: `[filter "Tr.a.p"]\n\tprocess = ${program}\n` });
      repository.git('config', 'include.path', '../more');
    },
    plain: [['diff']],
  },
  {
    name: 'a hook',
    set: async ({ root }, program) => {
      await fs.mkdir(join(root, '.git/hooks'), { recursive: true });
      await fs.copyFile(program, join(root, '.git/hooks/post-index-change'));
    },
    plain: [['status']],
  },
  {
    name: 'an alias',
    set: (repository, program) => {
      repository.git('config', 'alias.state', `!${program}`);
    },
    plain: [['state']],
  },
];

async function mark(root: string): Promise<boolean> {
  const found = await fs.stat(join(root, 'mark')).catch(() => undefined);
  await fs.rm(join(root, 'mark'), { force: true });
  return found !== undefined;
}

/** A file that is the same and looks changed, and one that is changed. */
async function touched(repository: TestRepository): Promise<void> {
  await writeTree(repository.root, { 'same.txt': 'same\n', 'a.txt': 'other\n' });
  await fs.utimes(join(repository.root, 'same.txt'), new Date(), new Date(Date.now() + 5000));
}

async function trapped(t: TestContext, { set }: Trap) {
  const outside = await temporaryTree(t, {});
  const program = join(outside, 'program');
  await fs.writeFile(program, `#!/bin/sh\ntouch '${outside}/mark'\ncat "$@" 2>/dev/null\n`, { mode: 0o755 });
  const repository = await testRepository(t, { 'a.txt': 'one\n', 'same.txt': 'same\n' });
  await set(repository, program);
  await touched(repository);
  return { repository, outside };
}

for (const trap of traps) {
  test(`${trap.name} is not run`, { skip }, async (t) => {
    const { repository, outside } = await trapped(t, trap);
    const workspace = createFolderWorkspace(repository.root);
    const found = await workspace.git?.status(undefined, signal);
    assert.ok(found?.ok, found?.ok ? '' : found?.error);
    assert.ok(found.repositories[0]?.changes.some(({ path }) => path === 'a.txt'));
    for (const changes of ['all', 'staged', 'unstaged'] as const) {
      const diff = await workspace.git?.diff({ changes }, signal);
      assert.ok(diff?.ok, diff?.ok ? '' : diff?.error);
      if (changes !== 'staged') assert.match(diff.diff, /-one\n\+other\n/);
    }
    assert.equal(await mark(outside), false, 'the tools ran it');
    for (const args of trap.plain) {
      await touched(repository);
      try {
        repository.git(...args);
      } catch {
        // What the program answers is no answer.
      }
      assert.ok(await mark(outside), `git ${args.join(' ')} did not run it: the trap is none`);
    }
  });
}

test('objects that a partial clone lacks are not fetched by a program that it names', { skip }, async (t) => {
  const { repository, outside } = await trapped(t, { name: '', set: () => undefined, plain: [] });
  const { git, root } = repository;
  git('config', 'remote.origin.url', `ext::sh -c touch% ${outside}/mark`);
  git('config', 'remote.origin.promisor', 'true');
  git('config', 'remote.origin.partialCloneFilter', 'blob:none');
  git('config', 'protocol.ext.allow', 'always');
  git('config', 'core.repositoryFormatVersion', '1');
  git('config', 'extensions.partialClone', 'origin');
  const blob = git('rev-parse', 'HEAD:a.txt').trim();
  await fs.rm(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  const workspace = createFolderWorkspace(root);
  assert.equal((await workspace.git?.diff({ changes: 'all' }, signal))?.ok, false);
  assert.equal(await mark(outside), false);
  assert.throws(() => git('diff'));
  assert.ok(await mark(outside), 'plain git did not run it: the trap is none');
});

test(
  'a filter of the user stays, one that the repository puts in its place does not count',
  { skip },
  async (t) => {
    const { repository, outside } = await trapped(t, {
      name: '',
      set: async ({ root }) => writeTree(root, attributes('filter=mine')),
      plain: [],
    });
    const { git, root } = repository;
    const home = await temporaryTree(t, { '.gitconfig': '[filter "mine"]\n\tclean = tr a-z A-Z\n' });
    git('config', 'filter.mine.clean', `touch '${outside}/mark'; cat`);
    const before = { HOME: process.env['HOME'], XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] };
    Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: home });
    t.after(() => Object.assign(process.env, before));
    const diff = await createFolderWorkspace(root).git?.diff({ changes: 'unstaged' }, signal);
    assert.ok(diff?.ok);
    assert.match(diff.diff, /\n\+OTHER\n/);
    assert.match(diff.note ?? '', /filters/);
    assert.equal(await mark(outside), false);
  },
);

test('a work tree elsewhere, and a bare repository within the folder, are refused', async (t) => {
  const outside = await temporaryTree(t, { 'a.txt': 'secret\n' });
  const { root, git } = await testRepository(t, { 'a.txt': 'one\n' });
  git('config', 'core.worktree', outside);
  const workspace = createFolderWorkspace(root);
  const status = await workspace.git?.status(undefined, signal);
  assert.match(status?.ok === false ? status.error : '', /elsewhere|no git repository/);
  const diff = await workspace.git?.diff({ changes: 'all' }, signal);
  assert.match(diff?.ok === false ? diff.error : '', /elsewhere|no git repository/);
  const { root: second, git: inSecond } = await testRepository(t, { 'a.txt': 'one\n' });
  inSecond('init', '--quiet', '--bare', 'bare');
  const bare = await createFolderWorkspace(second).git?.status('bare', signal);
  assert.equal(bare?.ok, false);
});

test('no variable of this process leads git elsewhere', async (t) => {
  const { root } = await testRepository(t, { 'a.txt': 'one\n' });
  const other = await testRepository(t, { 'a.txt': 'two\n' });
  await writeTree(other.root, { 'a.txt': 'three\n' });
  process.env['GIT_DIR'] = join(other.root, '.git');
  process.env['GIT_WORK_TREE'] = other.root;
  t.after(() => {
    delete process.env['GIT_DIR'];
    delete process.env['GIT_WORK_TREE'];
  });
  const found = await createFolderWorkspace(root).git?.status(undefined, signal);
  assert.ok(found?.ok);
  assert.deepEqual(found.repositories[0]?.changes, []);
});

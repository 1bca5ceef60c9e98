import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test, type TestContext } from 'node:test';
import type { Workspace } from '../../../src/core/ports.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { readInside } from '../../../src/toolbox/readInside.ts';
import { temporaryTree, writeTree } from './temporaryTree.ts';

const signal = new AbortController().signal;

async function refused(result: Promise<{ ok: boolean; error?: string }>): Promise<string> {
  const { ok, error } = await result;
  assert.equal(ok, false);
  return error ?? '';
}

/** `ws` is a link to `data/ws`, with links of its own inward and outward, and a sibling of nearly its name. */
async function linkedTree(t: TestContext): Promise<{ top: string; workspace: Workspace }> {
  const top = await temporaryTree(t, {
    'data/ws/src/a.ts': 'inside\n',
    'data/ws-secrets/k': 'secret\n',
    'outside/hostname': 'secret\n',
    'outside/deep/x': 'secret\n',
  });
  await fs.symlink(join(top, 'data/ws'), join(top, 'ws'));
  await fs.symlink(join(top, 'outside'), join(top, 'data/ws/out'));
  await fs.symlink(join(top, 'outside/hostname'), join(top, 'data/ws/f.txt'));
  await fs.symlink(join(top, 'data/ws-secrets'), join(top, 'data/ws/sibling'));
  await fs.symlink('src', join(top, 'data/ws/in'));
  await fs.symlink(join(top, 'ws/src/a.ts'), join(top, 'data/ws/via-root.ts'));
  await fs.symlink('loop', join(top, 'data/ws/loop'));
  await fs.symlink('nowhere', join(top, 'data/ws/dangling'));
  return { top, workspace: createFolderWorkspace(join(top, 'ws')) };
}

const refusals: [string, RegExp][] = [
  ['out/hostname', /leads out of the workspace.*link/],
  ['out/new.txt', /leads out of the workspace.*link/],
  ['out/deep/none/x', /leads out of the workspace.*link/],
  ['out', /leads out of the workspace.*link/],
  ['f.txt', /leads out of the workspace.*link/],
  ['sibling/k', /leads out of the workspace.*link/],
  ['../ws-secrets/k', /leads out of the workspace/],
  ['src/../../ws-secrets/k', /leads out of the workspace/],
  ['..', /leads out of the workspace/],
  ['C:\\x', /names a drive/],
  ['c:/x', /names a drive/],
  ['\\\\host\\s', /network share/],
  ['//host/s', /network share/],
  ['/etc/hostname', /absolute/],
  ['\\etc', /absolute/],
  ['file:///etc/hostname', /URI/],
  ['FILE:/etc/hostname', /URI/],
  ['https://example.com/x', /URI/],
  ['a\0b', /NUL/],
  ['~/x', /home folder/],
  ['~root/x', /home folder/],
  ['~', /home folder/],
  ['loop', /circles/],
  ['dangling', /no such file/],
  ['src/b.ts', /no such file/],
  ['src/a.ts/x', /no such file/],
  ['x'.repeat(5000), /too long/],
];

test('every way out is refused with its reason, by reading and by listing alike', async (t) => {
  const { workspace } = await linkedTree(t);
  for (const [path, reason] of refusals) {
    assert.match(await refused(workspace.read(path)), reason, `read ${path}`);
    assert.match(await refused(workspace.list(path, { limit: 10, signal })), reason, `list ${path}`);
    assert.match(
      await refused(workspace.list(path, { glob: '**', limit: 10, signal })),
      reason,
      `list ${path}`,
    );
  }
});

test('links inside and odd spellings of inside are fine', async (t) => {
  const { top, workspace } = await linkedTree(t);
  const spellings = [
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src/./../src/a.ts', 'src/a.ts'],
    ['in/a.ts', 'in/a.ts'],
    ['via-root.ts', 'via-root.ts'],
  ] as const;
  for (const [path, normal] of spellings) {
    const uri = pathToFileURL(join(top, 'data/ws/src/a.ts')).href;
    assert.deepEqual(await workspace.read(path), { ok: true, path: normal, uri, text: 'inside\n' });
  }
  const listing = await workspace.list('in', { limit: 10, signal });
  assert.deepEqual(listing, { ok: true, entries: ['in/a.ts'], more: false });
});

test('an absolute path inside is refused too, with the path to write instead', async (t) => {
  const { top, workspace } = await linkedTree(t);
  assert.match(await refused(workspace.read(join(top, 'ws/src/a.ts'))), /absolute.*: "src\/a\.ts"$/);
  assert.doesNotMatch(await refused(workspace.read(join(top, 'ws-secrets/k'))), /"ws-secrets/);
});

test('search and recursive listing show links and follow none', async (t) => {
  const { workspace } = await linkedTree(t);
  const listing = await workspace.list('', { glob: '**', limit: 100, signal });
  assert.deepEqual(listing, {
    ok: true,
    entries: ['dangling', 'f.txt', 'in', 'loop', 'out', 'sibling', 'src/a.ts', 'via-root.ts'],
    more: false,
  });
  const found = await workspace.search({ query: 'secret', regex: false, limit: 10, signal });
  assert.deepEqual(found, { ok: true, matches: [], more: false });
});

test('a link swapped in between check and open is not read', async (t) => {
  const { top } = await linkedTree(t);
  const root = join(top, 'data/ws');
  const swapped = {
    ...fs,
    open: async (...args: Parameters<typeof fs.open>) => {
      // The folder `src` becomes a link to a folder outside that has an `a.ts`, just before the open.
      await writeTree(top, { 'outside/a.ts': 'secret\n' });
      await fs.rename(join(root, 'src'), join(root, 'old'));
      await fs.symlink(join(top, 'outside'), join(root, 'src'));
      return fs.open(...args);
    },
  };
  await assert.rejects(readInside(root, 'src/a.ts', swapped), /replaced while it was being opened/);
});

test('swapped in and swapped back is seen by the identity of what was opened', async (t) => {
  const { top } = await linkedTree(t);
  const root = join(top, 'data/ws');
  const swapped = {
    ...fs,
    open: async (path: Parameters<typeof fs.open>[0], flags?: string | number) => {
      await writeTree(top, { 'outside/a.ts': 'secret\n' });
      return fs.open(String(path).replace(join(root, 'src'), join(top, 'outside')), flags);
    },
  };
  await assert.rejects(readInside(root, 'src/a.ts', swapped), /replaced while it was being opened/);
});

test('what is no text file is told as such', async (t) => {
  const root = await temporaryTree(t, {
    'nul.bin': new Uint8Array([65, 0, 66]),
    'latin1.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
    'bom.txt': '\ufeffa\r\nb\n',
    'empty.txt': '',
    'folder/x': 'x',
  });
  const workspace = createFolderWorkspace(root);
  assert.match(await refused(workspace.read('nul.bin')), /nul\.bin: it is not UTF-8 text \(a binary file\)/);
  assert.match(await refused(workspace.read('latin1.txt')), /not UTF-8/);
  assert.match(await refused(workspace.read('folder')), /it is a folder; list_files/);
  assert.match(await refused(workspace.list('bom.txt', { limit: 1, signal })), /it is a file, not a folder/);
  const text = async (path: string) => {
    const file = await workspace.read(path);
    return file.ok ? file.text : file.error;
  };
  assert.equal(await text('bom.txt'), 'a\r\nb\n');
  assert.equal(await text('empty.txt'), '');
});

test(
  'a pipe does not hang the reader, and is not listed',
  { skip: process.platform === 'win32' },
  async (t) => {
    const root = await temporaryTree(t, { a: 'a' });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const workspace = createFolderWorkspace(root);
    assert.match(await refused(workspace.read('pipe')), /not a regular file/);
    assert.deepEqual(await workspace.list('', { limit: 9, signal }), {
      ok: true,
      entries: ['a'],
      more: false,
    });
  },
);

test('a file over the limit names its size; the rest of a search says that it is not complete', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': 'needle', 'big.log': 'x'.repeat(10 * 1024 * 1024 + 1) });
  const workspace = createFolderWorkspace(root);
  assert.match(await refused(workspace.read('big.log')), /too large to read: 10\.0 MB, limit 10\.0/);
  const found = await workspace.search({ query: 'needle', regex: false, limit: 10, signal });
  assert.deepEqual(found, { ok: true, matches: [{ path: 'a.txt', line: 1, text: 'needle' }], more: true });
});

test('a folder that is not there is an answer, not an exception', async (t) => {
  const root = await temporaryTree(t, {});
  const workspace = createFolderWorkspace(join(root, 'gone'));
  assert.match(await refused(workspace.list('', { limit: 1, signal })), /no such file or folder/);
  assert.match(await refused(workspace.read('a')), /no such file or folder/);
  assert.match(await refused(workspace.search({ query: 'a', regex: false, limit: 1, signal })), /no such/);
  assert.equal(dirname(workspace.root ?? ''), root);
});

test('limits cut and say so; abort ends a walk', async (t) => {
  const root = await temporaryTree(t, { 'a/1.txt': 'hit', 'a/2.txt': 'hit', 'b.txt': 'hit\nhit' });
  const workspace = createFolderWorkspace(root);
  const list = async (limit: number) => workspace.list('', { glob: '*.txt', limit, signal });
  assert.deepEqual(await list(2), { ok: true, entries: ['a/1.txt', 'a/2.txt'], more: true });
  assert.deepEqual(await list(3), { ok: true, entries: ['a/1.txt', 'a/2.txt', 'b.txt'], more: false });
  const search = async (limit: number) => workspace.search({ query: 'hit', regex: false, limit, signal });
  const three = await search(3);
  assert.ok(three.ok && three.more && three.matches.length === 3);
  const four = await search(4);
  assert.ok(four.ok && !four.more && four.matches.length === 4);
  const aborted = AbortSignal.abort();
  assert.equal(await refused(workspace.list('', { glob: '**', limit: 9, signal: aborted })), 'cancelled');
  assert.equal(
    await refused(workspace.search({ query: 'x', regex: true, limit: 9, signal: aborted })),
    'cancelled',
  );
});

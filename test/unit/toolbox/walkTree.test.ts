import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileTree, TreeEntry } from '../../../src/toolbox/fileTree.ts';
import { walkTree } from '../../../src/toolbox/walkTree.ts';

/** A tree of which only these folders may be looked into, and of whose files only the ignore files are read. */
function strictTree(
  folders: Readonly<Record<string, readonly string[] | 'unreadable'>>,
  ignoreFile: string,
): FileTree {
  return {
    normal: (path) => path,
    excluded: () => false,
    readDirectory: async (path) => {
      const names = folders[path];
      if (names === undefined) assert.fail(`entered ${path}`);
      if (names === 'unreadable') throw new Error('EACCES');
      return names.map((name): TreeEntry => ({
        name: name.replace(/\/$/, ''),
        kind: name.endsWith('/') ? 'folder' : 'file',
      }));
    },
    readFile: async (path) => {
      assert.equal(path, '.gitignore');
      return { kind: 'text', uri: 'file:///', text: ignoreFile, format: { encoding: 'utf-8', mark: false } };
    },
    changeFile: async () => assert.fail('changed'),
    createFile: async () => assert.fail('made'),
    folderOnDisk: async () => assert.fail('asked for its place'),
    realPath: async () => assert.fail('asked for its place'),
  };
}

async function walked(tree: FileTree, signal: AbortSignal): Promise<string[]> {
  const seen: string[] = [];
  for await (const { path, kind } of walkTree(tree, '', signal)) seen.push(`${kind} ${path}`);
  return seen;
}

test('ignored and skipped folders are never entered, nor are their ignore files read', async () => {
  const entered: string[] = [];
  const strict = strictTree(
    { '': ['src/', 'vendor/', 'node_modules/', '.git/', '.gitignore', 'src.ts'], src: ['a.ts'] },
    'vendor/\n',
  );
  const tree: FileTree = {
    ...strict,
    readDirectory: (path) => {
      entered.push(path);
      return strict.readDirectory(path);
    },
  };
  const seen = await walked(tree, new AbortController().signal);
  assert.deepEqual(seen, [
    'skipped .git',
    'file .gitignore',
    'skipped node_modules',
    'file src.ts',
    'folder src',
    'file src/a.ts',
  ]);
  assert.deepEqual(entered, ['', 'src']);
});

test('a folder that cannot be read is said, and the walk goes on', async () => {
  const tree = strictTree({ '': ['a/', 'b'], a: 'unreadable' }, '');
  assert.deepEqual(await walked(tree, new AbortController().signal), ['folder a', 'unreadable a', 'file b']);
});

test('abort ends the walk at the next place', async () => {
  const controller = new AbortController();
  const walk = walkTree(strictTree({ '': ['a', 'b'] }, ''), '', controller.signal);
  assert.equal((await walk.next()).done, false);
  controller.abort();
  await assert.rejects(walk.next(), /cancelled/);
});

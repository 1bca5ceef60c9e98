import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Uri } from 'vscode';
import { createEditorWorkspace } from '../../../src/entry/vscode/editorWorkspace.ts';
import { rootNames } from '../../../src/toolbox/rootNames.ts';
import { type EditorSetup, editorDouble, uriOf } from './editorDouble.ts';
import { temporaryTree } from './temporaryTree.ts';

const signal = new AbortController().signal;
const limits = { limit: 50, signal };

const threeFolders: EditorSetup = {
  folders: [
    ['api', 'memfs:/w/api'],
    ['web', 'memfs:/w/web'],
    ['web', 'memfs:/x/web'],
  ],
  memory: {
    '/w/api/package.json': 'api',
    '/w/api/src/a.ts': 'needle in api',
    '/w/web/package.json': 'web of w',
    '/w/web/a.ts': 'needle in w',
    '/x/web/package.json': 'web of x',
  },
};

test('several folders: name/path for all, twins told apart, nothing guessed', async () => {
  const workspace = createEditorWorkspace(editorDouble(threeFolders));
  assert.deepEqual(await workspace.list('', limits), {
    ok: true,
    entries: ['api/', 'web@w/', 'web@x/'],
    more: false,
  });
  const text = async (path: string): Promise<string> => {
    const result = await workspace.read(path);
    return result.ok ? `${result.path}: ${result.text}` : result.error;
  };
  assert.equal(await text('api/src/../package.json'), 'api/package.json: api');
  assert.equal(await text('web@x/package.json'), 'web@x/package.json: web of x');
  assert.equal(
    await text('package.json'),
    '"package.json" is refused: several folders are open; say which: "api/package.json", "web@w/package.json", "web@x/package.json"',
  );
  assert.equal(
    await text('web/package.json'),
    '"web/package.json" is refused: several folders are open; say which: "web@w/package.json", "web@x/package.json"',
  );
  assert.match(await text('/w/web/a.ts'), /absolute.*: "web@w\/a\.ts"$/);
  assert.match(await text('api/../../etc'), /leads out of the workspace/);
  assert.match(await text('api'), /is a folder/);
  const listing = await workspace.list('web', limits);
  assert.ok(!listing.ok && listing.error.includes('"web@w", "web@x"'));
  assert.deepEqual(await workspace.list('', { ...limits, glob: '*.ts' }), {
    ok: true,
    entries: ['api/src/a.ts', 'web@w/a.ts'],
    more: false,
  });
  const found = await workspace.search({ query: 'needle', regex: false, ...limits });
  assert.deepEqual(found.ok && found.matches.map((match) => match.path), ['api/src/a.ts', 'web@w/a.ts']);
  assert.equal(workspace.root, 'api, web, web');
});

test('folders that are added, removed or moved count from the next call on', async () => {
  const setup = { ...threeFolders };
  const workspace = createEditorWorkspace(editorDouble(setup));
  setup.folders = [...threeFolders.folders].reverse();
  const moved = await workspace.read('web@w/package.json');
  assert.ok(moved.ok && moved.text === 'web of w');
  setup.folders = [['web', 'memfs:/w/web']];
  assert.deepEqual(await workspace.read('package.json'), {
    ok: true,
    path: 'package.json',
    uri: 'memfs:/w/web/package.json',
    text: 'web of w',
  });
  setup.folders = [];
  for (const result of [
    await workspace.read('a'),
    await workspace.list('', limits),
    await workspace.search({ query: 'a', regex: false, ...limits }),
  ]) {
    assert.ok(!result.ok && /no folder is open/.test(result.error));
  }
  assert.equal(workspace.root, undefined);
});

test('names for folders: made of their places, one segment each', () => {
  const names = (...roots: [string, string][]): string[] =>
    rootNames(roots.map(([name, path]) => ({ name, path })));
  assert.deepEqual(names(['a', '/x/a'], ['b', '/x/b']), ['a', 'b']);
  assert.deepEqual(names(['a', '/x/p/a'], ['a', '/y/p/a'], ['b', '/x/b']), ['a@x-p', 'a@y-p', 'b']);
  assert.deepEqual(names(['a/b', '/x'], ['..', '/y'], ['', '/z']), ['a-b', 'folder@root', 'folder@root-3']);
});

test('unsaved text is what is read and searched, and reading says so', async () => {
  const setup: EditorSetup = {
    folders: [['p', 'memfs:/p']],
    memory: { '/p/a b.ts': 'v1 on disk', '/p/c.ts': 'v1' },
    unsaved: { 'memfs:/p/a b.ts': 'v2 (dirty)', 'untitled:Untitled-1': 'draft' },
  };
  const api = editorDouble(setup);
  const workspace = createEditorWorkspace(api);
  assert.deepEqual(await workspace.read('a b.ts'), {
    ok: true,
    path: 'a b.ts',
    uri: 'memfs:/p/a%20b.ts',
    text: 'v2 (dirty)',
    note: 'unsaved: this is the text in the editor, not the one on disk',
  });
  assert.deepEqual(api.reads, []);
  const found = await workspace.search({ query: 'v', regex: false, ...limits });
  assert.deepEqual(found.ok && found.matches.map(({ text }) => text), ['v2 (dirty)', 'v1']);
  assert.ok(!(await workspace.read('Untitled-1')).ok);
});

test('a virtual file system: ignore files, files.exclude, and its errors in words', async () => {
  const workspace = createEditorWorkspace(
    editorDouble({
      folders: [['p', 'memfs:/p']],
      exclude: { '**/*.map': true, dist: true, '**/*.off': false, '**/*.js': { when: '$(basename).ts' } },
      memory: {
        '/p/.gitignore': 'gen/\n',
        '/p/gen/x.ts': '',
        '/p/dist/x.ts': '',
        '/p/src/dist/x.ts': '',
        '/p/a.map': '',
        '/p/a.off': '',
        '/p/a.js': '',
        '/p/locked.ts': { code: 'NoPermissions' },
        '/p/node_modules/x/y.js': '',
      },
    }),
  );
  assert.deepEqual(await workspace.list('', limits), {
    ok: true,
    entries: ['.gitignore', 'a.js', 'a.off', 'locked.ts', 'node_modules/ (skipped)', 'src/'],
    more: false,
  });
  assert.deepEqual(await workspace.list('', { ...limits, glob: '*.ts' }), {
    ok: true,
    entries: ['locked.ts', 'src/dist/x.ts'],
    more: false,
  });
  assert.ok((await workspace.read('dist/x.ts')).ok);
  const errors = async (path: string): Promise<string> => {
    const result = await workspace.read(path);
    return result.ok ? '' : result.error;
  };
  assert.equal(await errors('locked.ts'), 'locked.ts: no permission to read it');
  assert.equal(await errors('none.ts'), 'none.ts: there is no such file or folder');
  const file = await workspace.list('a.js', limits);
  assert.deepEqual(file, { ok: false, error: 'a.js: it is a file, not a folder; read_file reads it' });
  const search = await workspace.search({ query: 'x', regex: false, ...limits });
  assert.deepEqual(search, { ok: true, matches: [], more: true });
  assert.equal(workspace.root, 'memfs:/p');
});

test('folders on disk: links out are refused, and a file open under its own name is unsaved through a link too', async (t) => {
  const top = await temporaryTree(t, { 'data/ws/src/a.ts': 'v1', 'ws-secrets/k': 'secret' });
  await fs.symlink(join(top, 'data/ws'), join(top, 'ws'));
  await fs.symlink(join(top, 'ws-secrets'), join(top, 'data/ws/out'));
  await fs.symlink('src', join(top, 'data/ws/in'));
  const root = join(top, 'ws');
  const api = editorDouble({
    folders: [['ws', `file:${root}`]],
    unsaved: { [`file:${root}/src/a.ts`]: 'v2', [`file:${root}/out/k`]: 'secret, edited' },
  });
  const workspace = createEditorWorkspace(api);
  for (const path of ['out/k', 'out', 'out/none']) {
    const read = await workspace.read(path);
    const listed = await workspace.list(path, limits);
    assert.ok(!read.ok && /leads out of the workspace/.test(read.error), path);
    assert.ok(!listed.ok && /leads out of the workspace/.test(listed.error), path);
  }
  for (const path of ['src/a.ts', 'in/a.ts']) {
    const read = await workspace.read(path);
    assert.ok(read.ok && read.text === 'v2' && 'note' in read, path);
  }
  const inside = await workspace.read(join(root, 'src/a.ts'));
  assert.ok(!inside.ok && inside.error.endsWith(': "src/a.ts"'));
  const found = await workspace.search({ query: 'secret', regex: false, ...limits });
  assert.deepEqual(found, { ok: true, matches: [], more: false });
  assert.deepEqual(api.reads, []);
});

test('commands run in the folder of the agent file, else in the first one on disk, and nowhere else', () => {
  const setup: EditorSetup = { folders: [] };
  const folderFor = (agent?: string) => {
    const uri = agent === undefined ? undefined : (uriOf(agent) as unknown as Uri);
    return createEditorWorkspace(editorDouble(setup), uri).folder();
  };
  const none = folderFor();
  assert.match(none.ok ? '' : none.error, /no folder is open/);
  setup.folders = [['web', 'memfs:/web']];
  const virtual = folderFor('memfs:/web/a.agent.json');
  assert.match(virtual.ok ? '' : virtual.error, /this workspace is virtual/);
  setup.folders = [
    ['web', 'memfs:/web'],
    ['a', 'file:/work/a'],
    ['ab', 'file:/work/ab'],
    ['inner', 'file:/work/ab/inner'],
  ];
  assert.deepEqual(folderFor(), { ok: true, path: '/work/a' });
  assert.deepEqual(folderFor('file:/elsewhere/x.agent.json'), { ok: true, path: '/work/a' });
  assert.deepEqual(folderFor('file:/work/ab/x.agent.json'), { ok: true, path: '/work/ab' });
  assert.deepEqual(folderFor('file:/work/ab/inner/x.agent.json'), { ok: true, path: '/work/ab/inner' });
  assert.deepEqual(folderFor('memfs:/work/ab/x.agent.json'), { ok: true, path: '/work/a' });
});

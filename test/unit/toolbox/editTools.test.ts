import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Workspace } from '../../../src/core/ports.ts';
import { builtinTools } from '../../../src/toolbox/builtinTools.ts';
import { createInside } from '../../../src/toolbox/createInside.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { editInside } from '../../../src/toolbox/editInside.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { normalPath } from '../../../src/toolbox/normalPath.ts';
import { temporaryTree, writeTree } from './temporaryTree.ts';
import { memoryFiles, toolContext } from './toolContext.ts';

const box = createToolbox(builtinTools);

function callsOn(workspace: Workspace) {
  const files = memoryFiles();
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const request = { name, arguments: JSON.stringify(input) };
    const { observation } = await box.perform(request, toolContext({ workspace, files }));
    return observation.success ? observation.data : observation.error;
  };
  return { call, files };
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

test('edit_file: line ends, byte order mark and encoding stay, in the very bytes', async (t) => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const root = await temporaryTree(t, {
    'bom.txt': Buffer.concat([mark, Buffer.from('a\r\nb\r\n')]),
    'le.txt': utf16('a\r\nb 🙂\r\n'),
    'be.txt': utf16('a\nb').swap16(),
    'latin1.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    'odd.txt': Buffer.from([0xfe, 0xff, 0x00]),
    'nul.bin': Buffer.from([0x61, 0]),
    'twice.txt': Buffer.concat([mark, mark, Buffer.from('a')]),
  });
  const { call } = callsOn(createFolderWorkspace(root));
  const edit = (path: string, old_string = 'b', new_string = 'B\nnew') =>
    call('edit_file', { path, old_string, new_string });
  const bytes = (path: string) => fs.readFile(join(root, path));
  assert.deepEqual(await edit('bom.txt'), { path: 'bom.txt', replaced: 1, lines: '2–3' });
  assert.deepEqual(await bytes('bom.txt'), Buffer.concat([mark, Buffer.from('a\r\nB\r\nnew\r\n')]));
  await edit('le.txt');
  assert.deepEqual(await bytes('le.txt'), utf16('a\r\nB\r\nnew 🙂\r\n'));
  await edit('be.txt');
  assert.deepEqual(await bytes('be.txt'), utf16('a\nB\nnew').swap16());
  await edit('twice.txt', 'a', 'A');
  assert.deepEqual(await bytes('twice.txt'), Buffer.concat([mark, mark, Buffer.from('A')]));
  for (const path of ['latin1.txt', 'odd.txt', 'nul.bin']) {
    const before = await bytes(path);
    assert.match(String(await edit(path, 'a', 'b')), /not UTF-8 text/);
    assert.deepEqual(await bytes(path), before);
  }
});

test('C30 what somebody else changed since it was read is refused, by content and not by time', async (t) => {
  const root = await temporaryTree(t, { 'a.ts': 'one\ntwo\n', 'b.ts': 'never read\n', 'empty.ts': '' });
  const { call } = callsOn(createFolderWorkspace(root));
  const path = join(root, 'a.ts');
  await call('read_file', { path: 'a.ts' });
  const { atime, mtime } = await fs.stat(path);
  await fs.writeFile(path, 'one\ntwO\n');
  await fs.utimes(path, atime, mtime);
  for (const input of [{ old_string: 'one', new_string: '1' }, { content: 'mine\n' }]) {
    assert.match(
      String(await call('edit_file', { path: 'a.ts', ...input })),
      /a\.ts: it was changed.*read it again/,
    );
    assert.equal(await fs.readFile(path, 'utf8'), 'one\ntwO\n');
  }
  await call('read_file', { path: 'a.ts' });
  await call('edit_file', { path: 'a.ts', content: 'mine\n' });
  await call('edit_file', { path: './a.ts', old_string: 'mine', new_string: 'still mine' });
  await call('edit_file', { path: 'a.ts', content: 'all mine\n' });
  assert.equal(await fs.readFile(path, 'utf8'), 'all mine\n');
  assert.match(String(await call('edit_file', { path: 'b.ts', content: 'x' })), /have not read it/);
  await call('edit_file', { path: 'empty.ts', content: 'filled' });
  assert.equal(await fs.readFile(join(root, 'empty.ts'), 'utf8'), 'filled');
});

test('a whole new text needs all of the old one to have been seen', async (t) => {
  const text = Array.from({ length: 400 }, (_, index) => `line ${index} of many`).join('\n');
  const root = await temporaryTree(t, { 'long.txt': text });
  const { call } = callsOn(createFolderWorkspace(root));
  await call('read_file', { path: 'long.txt' });
  assert.match(String(await call('edit_file', { path: 'long.txt', content: 'short' })), /only a part/);
  assert.equal(await fs.readFile(join(root, 'long.txt'), 'utf8'), text);
});

test('C30 edits of one file at the same time wait for one another', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': Array.from({ length: 20 }, (_, i) => `<${i}>`).join('\n') });
  const workspace = createFolderWorkspace(root);
  const edit = (i: number) =>
    callsOn(workspace).call('edit_file', { path: 'a.txt', old_string: `<${i}>`, new_string: `[${i}]` });
  await Promise.all(Array.from({ length: 20 }, (_, i) => edit(i)));
  assert.equal(
    await fs.readFile(join(root, 'a.txt'), 'utf8'),
    Array.from({ length: 20 }, (_, i) => `[${i}]`).join('\n'),
  );
});

test('what the journal is told: the text before with its mark, and the text after', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': Buffer.concat([mark, Buffer.from('a')]) });
  const { call, files } = callsOn(createFolderWorkspace(root));
  await call('edit_file', { path: 'a.txt', old_string: 'a', new_string: 'b' });
  await call('create_file', { path: 'new/b.txt', content: 'x' });
  assert.deepEqual(
    files.changes.map(({ path, before, after }) => [path, before, after]),
    [
      ['a.txt', '\ufeffa', '\ufeffb'],
      ['new/b.txt', undefined, 'x'],
    ],
  );
  assert.match(files.changes[0]?.uri ?? '', /^file:\/\/.*a\.txt$/);
});

test('arguments that say neither or both are told as such', async () => {
  const invalid = [
    {},
    { old_string: 'a' },
    { content: 'x', new_string: 'y' },
    { old_string: 'a', content: 'x' },
  ];
  for (const input of invalid) {
    const problem = box.problem({ name: 'edit_file', arguments: JSON.stringify({ path: 'a', ...input }) });
    assert.equal(problem?.outcome, 'invalid', JSON.stringify(input));
  }
});

/** `ws` is a link itself, with links inward and outward. */
async function escapes(t: Parameters<typeof temporaryTree>[0]) {
  const top = await temporaryTree(t, {
    'data/ws/src/a.ts': 'inside\n',
    'data/ws/.git/config': 'inside\n',
    'data/ws-secrets/k': 'secret\n',
    'outside/hostname': 'secret\n',
  });
  await fs.symlink(join(top, 'data/ws'), join(top, 'ws'));
  await fs.symlink(join(top, 'outside'), join(top, 'data/ws/out'));
  await fs.symlink(join(top, 'outside/hostname'), join(top, 'data/ws/f.txt'));
  await fs.symlink(join(top, 'outside/none'), join(top, 'data/ws/dangling'));
  await fs.symlink('src', join(top, 'data/ws/in'));
  await fs.symlink('.git', join(top, 'data/ws/git'));
  await fs.symlink('loop', join(top, 'data/ws/loop'));
  return { top, workspace: createFolderWorkspace(join(top, 'ws')) };
}

const listing = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

test('C32 every way out is refused by editing and by making, and nothing is made outside', async (t) => {
  const { top, workspace } = await escapes(t);
  const { call } = callsOn(workspace);
  const before = listing(top);
  const refusals: readonly (readonly [path: string, reason: RegExp])[] = [
    ['out/hostname', /leads out of the workspace/],
    ['out/new.txt', /leads out of the workspace/],
    ['out/new/deep.txt', /leads out of the workspace/],
    ['f.txt', /leads out of the workspace|there already/],
    ['dangling', /leads out of the workspace|no such file|there already/],
    ['dangling/x', /leads out of the workspace|no such file|there already/],
    ['../ws-secrets/k', /leads out/],
    ['src/../../ws-secrets/new', /leads out/],
    ['/etc/hostname', /absolute/],
    ['C:\\x', /drive/],
    ['\\\\host\\share', /network share/],
    ['//host/share', /network share/],
    ['file:///etc/hostname', /URI/],
    ['vscode-userdata:/User/settings.json', /URI|no such file|leads out/],
    ['a\0b', /NUL/],
    ['~/x', /home folder/],
    ['.git/config', /only git writes/],
    ['.GIT/hooks/pre-commit', /only git writes/],
    ['src/.git/hooks/pre-commit', /only git writes/],
    ['git/config', /only git writes/],
    ['git/hooks/pre-commit', /only git writes|no such file/],
    ['loop', /circles|there already/],
    ['loop/x', /circles/],
    ['src/a.ts/x', /no such file|not a folder|is a file/],
    ['x'.repeat(5000), /too long/],
  ];
  for (const [path, reason] of refusals) {
    assert.match(
      String(await call('edit_file', { path, old_string: 's', new_string: 'x' })),
      reason,
      `edit ${path}`,
    );
    if (path !== 'vscode-userdata:/User/settings.json')
      assert.match(String(await call('create_file', { path, content: 'x' })), reason, `make ${path}`);
  }
  assert.deepEqual(
    listing(top).filter((path) => !path.includes('vscode-userdata')),
    before,
  );
  assert.equal(await fs.readFile(join(top, 'outside/hostname'), 'utf8'), 'secret\n');
  assert.deepEqual(await call('edit_file', { path: 'in/a.ts', old_string: 'inside', new_string: 'x' }), {
    path: 'in/a.ts',
    replaced: 1,
    lines: '1–1',
  });
  assert.deepEqual(await call('create_file', { path: 'in/deep/er/b.ts', content: 'x' }), {
    path: 'in/deep/er/b.ts',
    created: true,
  });
  assert.equal(await fs.readFile(join(top, 'data/ws/src/deep/er/b.ts'), 'utf8'), 'x');
  assert.match(
    String(await call('create_file', { path: 'src/a.ts', content: 'y' })),
    /there already; edit_file/,
  );
  assert.match(String(await call('create_file', { path: 'src', content: 'y' })), /there already/);
});

test('C32 paths of any kind reach nothing outside', async (t) => {
  const { top, workspace } = await escapes(t);
  const { call } = callsOn(workspace);
  const segment = fc.constantFrom(
    '..',
    '.',
    '',
    'src',
    'in',
    'out',
    'a.ts',
    'new',
    'git',
    '.git',
    'loop',
    'dangling',
    'f.txt',
    'hostname',
    'NUL',
    '~',
    'ws',
    '%2e%2e',
  );
  const lead = fc.constantFrom(
    '',
    '/',
    '\\',
    '//',
    './',
    '../',
    'file:',
    'file://',
    'C:',
    '~/',
    `${top}/`,
    `${top}/outside/`,
  );
  const path = fc.tuple(
    lead,
    fc.array(segment, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('/', '\\', '//'),
  );
  const outside = () => listing(top).filter((one) => !/^(?:data\/ws|ws)\//.test(one));
  const before = outside();
  await fc.assert(
    fc.asyncProperty(path, async ([start, segments, separator]) => {
      const given = start + segments.join(separator);
      await call('create_file', { path: given, content: 'escaped' });
      await call('edit_file', { path: given, old_string: 'secret', new_string: 'escaped' });
      await call('edit_file', { path: given, content: 'escaped' });
    }),
    { seed: 32, numRuns: 400 },
  );
  assert.deepEqual(outside(), before);
  for (const file of ['outside/hostname', 'data/ws-secrets/k'])
    assert.equal(await fs.readFile(join(top, file), 'utf8'), 'secret\n');
  assert.equal(await fs.readFile(join(top, 'data/ws/.git/config'), 'utf8'), 'inside\n');
});

test('C32 a folder that becomes a link between check and use: nothing is written or made outside', async (t) => {
  const { top } = await escapes(t);
  const root = join(top, 'data/ws');
  await writeTree(top, { 'outside/a.ts': 'secret\n' });
  const swap = async () => {
    await fs.rename(join(root, 'src'), join(root, 'old'));
    await fs.symlink(join(top, 'outside'), join(root, 'src'));
  };
  const back = async () => {
    await fs.unlink(join(root, 'src'));
    await fs.rename(join(root, 'old'), join(root, 'src'));
  };
  const opening = {
    ...fs,
    open: async (...args: Parameters<typeof fs.open>) => {
      await swap();
      return fs.open(...args);
    },
  };
  await assert.rejects(
    editInside(root, 'src/a.ts', () => 'escaped\n', opening),
    /replaced while/,
  );
  await back();
  // Swapped when it is open already: the handle holds what was checked, and its place is looked at again.
  const late = async () => {
    await swap();
    return 'escaped\n';
  };
  let swapped: Promise<unknown> = Promise.resolve();
  const realpath = async (path: string) => {
    await swapped;
    return fs.realpath(path);
  };
  await assert.rejects(
    editInside(
      root,
      'src/a.ts',
      () => {
        swapped = late();
        return 'escaped\n';
      },
      { ...fs, realpath: realpath as typeof fs.realpath },
    ),
    /replaced while/,
  );
  await back();
  await createInside(root, 'src/new.ts', 'x', opening.open).catch(() => undefined);
  assert.deepEqual(listing(join(top, 'outside')), ['a.ts', 'hostname']);
  assert.equal(await fs.readFile(join(top, 'outside/a.ts'), 'utf8'), 'secret\n');
});

test('names that mean something else on Windows are refused there, and are names elsewhere', () => {
  const refused = [
    'NUL',
    'src/con.txt',
    'aux',
    'COM1',
    'lpt9.log',
    'a.txt:stream',
    'src/a. ',
    'src/x...',
    'a.txt.',
    'CON .txt',
  ];
  for (const path of refused) {
    assert.throws(() => normalPath(path, undefined, 'win32'), /is refused/, path);
    assert.equal(normalPath(path, undefined, 'linux'), path);
  }
  for (const path of ['console.ts', 'com.ts', 'nullable.ts', '.gitignore', '..a', 'a..b'])
    assert.equal(normalPath(path, undefined, 'win32'), path);
  assert.equal(normalPath('src\\a.ts', undefined, 'win32'), 'src/a.ts');
  assert.throws(() => normalPath('src\\..\\..\\x', undefined, 'win32'), /leads out/);
});

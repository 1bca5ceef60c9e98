/** Texts, paths and files that no tool should take as they are; and that of a file only what is meant changes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { builtinTools } from '../../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { encodeText } from '../../../src/toolbox/decodeText.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { temporaryTree, writeTree } from './temporaryTree.ts';
import { memoryFiles, toolContext } from './toolContext.ts';

const box = createToolbox(builtinTools);

function callsOn(root: string) {
  const files = memoryFiles();
  const workspace = createFolderWorkspace(root);
  /** Arguments as the model writes them: half a surrogate pair is one of JSON's escapes. */
  return async (name: string, input: unknown): Promise<string> => {
    const request = { name, arguments: JSON.stringify(input) };
    const { observation } = await box.perform(request, toolContext({ workspace, files }));
    return observation.success ? JSON.stringify(observation.data) : observation.error;
  };
}

test('NUL is no text: a file that the tools could not read again is not made', async (t) => {
  const root = await temporaryTree(t, {
    'a.txt': 'one\n',
    'le.txt': Buffer.from('\ufeffone\n', 'utf16le'),
  });
  const call = callsOn(root);
  for (const path of ['a.txt', 'le.txt']) {
    const before = await fs.readFile(join(root, path));
    assert.match(await call('edit_file', { path, old_string: 'one', new_string: 'a\0b' }), /NUL/);
    await call('read_file', { path });
    assert.match(await call('edit_file', { path, content: 'a\0b' }), /NUL/);
    assert.deepEqual(await fs.readFile(join(root, path)), before);
  }
  assert.match(await call('create_file', { path: 'new/n.txt', content: 'a\0b' }), /NUL/);
  assert.deepEqual((await fs.readdir(root)).sort(), ['a.txt', 'le.txt']);
});

test('half a surrogate pair is neither text nor path: nothing else is written, made or read in its place', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': 'one\n', 'n\ufffd.txt': 'other\n' });
  const workspace = createFolderWorkspace(root);
  for (const bad of ['\ud800', 'x\udc00y', '\udc00\ud800']) {
    const edited = await workspace.edit('a.txt', () => ({ ok: true, text: bad }));
    const made = await workspace.create('b.txt', bad);
    const results = [
      edited,
      made,
      await workspace.read(`n${bad}.txt`),
      await workspace.create(`n${bad}`, 'x'),
    ];
    for (const result of results) assert.match(result.ok ? '' : result.error, /surrogate/);
  }
  assert.deepEqual((await fs.readdir(root)).sort(), ['a.txt', 'n\ufffd.txt']);
  assert.equal(await fs.readFile(join(root, 'a.txt'), 'utf8'), 'one\n');
});

test('the folder of git under the names by which some file systems know it too', async (t) => {
  const root = await temporaryTree(t, { '.git/config': 'x' });
  const call = callsOn(root);
  for (const name of [
    '.GIT',
    'git~1',
    'GIT~2',
    '.g\u200cit',
    '\ufeff.git',
    '.gi\u202et',
    '.git. ',
    '.git::$INDEX_ALLOCATION',
  ])
    assert.match(
      await call('create_file', { path: `${name}/hooks/x`, content: 'x' }),
      /only git writes in \.git/,
      name,
    );
  assert.deepEqual(await fs.readdir(root), ['.git']);
  assert.match(await call('create_file', { path: '.github/x', content: 'x' }), /created/);
  assert.match(await call('create_file', { path: 'git~/x', content: 'x' }), /created/);
});

test('a byte order mark of the model is not a second one', async (t) => {
  const root = await temporaryTree(t, { 'mark.txt': '\ufeffone\r\n', 'none.txt': 'one\n' });
  const call = callsOn(root);
  for (const path of ['mark.txt', 'none.txt']) {
    await call('read_file', { path });
    assert.match(await call('edit_file', { path, content: '\ufefftwo\n' }), /replaced/);
  }
  assert.equal(await fs.readFile(join(root, 'mark.txt'), 'utf8'), '\ufefftwo\r\n');
  assert.equal(await fs.readFile(join(root, 'none.txt'), 'utf8'), 'two\n');
});

test('in the very bytes, whatever the encoding: what is around a change stays', async (t) => {
  const root = await temporaryTree(t, {});
  const call = callsOn(root);
  const pieces = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\t',
    'é',
    '漢',
    '🙂',
    '\u2028',
    '\u0085',
    '$&',
    '\ufeff',
  );
  const text = fc.array(pieces, { maxLength: 30 }).map((list) => list.join(''));
  const format = fc.constantFrom(
    { encoding: 'utf-8', mark: false } as const,
    { encoding: 'utf-8', mark: true } as const,
    { encoding: 'utf-16le', mark: true } as const,
    { encoding: 'utf-16be', mark: true } as const,
  );
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      fc.constantFrom('', 'new', 'ñ🙃', '$1'),
      format,
      async (before, after, next, how) => {
        // A mark at the very beginning of an unmarked text is the mark.
        fc.pre(how.mark || !before.startsWith('\ufeff'));
        const path = `f${count++}.txt`;
        const [head, tail] = [encodeText(before, how), encodeText(after, { ...how, mark: false })];
        const bytes = (middle: string) =>
          Buffer.concat([head, encodeText(middle, { ...how, mark: false }), tail]);
        await writeTree(root, { [path]: bytes('OLD') });
        assert.match(await call('edit_file', { path, old_string: 'OLD', new_string: next }), /"replaced":1/);
        assert.deepEqual(readFileSync(join(root, path)), bytes(next));
      },
    ),
    { seed: 33, numRuns: 300 },
  );
});

test('paths of any kind read and list nothing outside', async (t) => {
  const top = await temporaryTree(t, {
    'ws/src/a.ts': 'inside\n',
    'outside/kept': 'secret\n',
    'outside/deep/kept': 'secret\n',
    'ws-twin/kept': 'secret\n',
  });
  await fs.symlink(join(top, 'outside'), join(top, 'ws/out'));
  await fs.symlink('../outside/kept', join(top, 'ws/file'));
  await fs.symlink('..', join(top, 'ws/src/up'));
  await fs.symlink('out', join(top, 'ws/twice'));
  await fs.symlink(join(top, 'ws/src'), join(top, 'ws/in'));
  const call = callsOn(join(top, 'ws'));
  const segment = fc.constantFrom(
    ...[
      '..',
      '.',
      '',
      'src',
      'in',
      'up',
      'out',
      'twice',
      'file',
      'kept',
      'deep',
      'a.ts',
      'ws-twin',
      'outside',
      '%2e%2e',
      '*',
      'OUT',
    ],
  );
  const lead = fc.constantFrom('', './', '../', `${top}/`, 'file://', '/', '\\', 'src/up/');
  const path = fc
    .tuple(lead, fc.array(segment, { minLength: 1, maxLength: 5 }))
    .map(([a, b]) => a + b.join('/'));
  await fc.assert(
    fc.asyncProperty(path, async (given) => {
      const results = [
        await call('read_file', { path: given }),
        await call('list_files', { path: given }),
        await call('list_files', { path: given, glob: '**' }),
      ];
      for (const result of results) assert.doesNotMatch(result, /secret|"entries":\[[^\]]*kept/, given);
    }),
    { seed: 34, numRuns: 400 },
  );
  assert.match(await call('read_file', { path: 'in/up/src/a.ts' }), /inside/);
});

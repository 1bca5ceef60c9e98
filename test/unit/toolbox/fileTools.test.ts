import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Workspace } from '../../../src/core/ports.ts';
import { builtinTools } from '../../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { rawLines, splitLines } from '../../../src/toolbox/lines.ts';
import { temporaryTree } from './temporaryTree.ts';
import { noWorkspace, toolContext } from './toolContext.ts';

const box = createToolbox(builtinTools);

async function call(workspace: Workspace, name: string, input: unknown): Promise<unknown> {
  const { observation } = await box.perform(
    { name, arguments: JSON.stringify(input) },
    toolContext({ workspace }),
  );
  return observation.success ? observation.data : { error: observation.error };
}

test('read_file: lines from 1, inclusive, with their ends as they are', async (t) => {
  const workspace = createFolderWorkspace(
    await temporaryTree(t, { 'a.txt': 'one\r\ntwo\nthree\rfour', 'empty.txt': '' }),
  );
  const read = async (start?: number, end?: number) =>
    call(workspace, 'read_file', { path: './a.txt', start, end });
  const all = { path: 'a.txt', total: 4 };
  assert.deepEqual(await read(), { ...all, start: 1, end: 4, text: 'one\r\ntwo\nthree\rfour' });
  assert.deepEqual(await read(2, 3), { ...all, start: 2, end: 3, text: 'two\nthree\r' });
  assert.deepEqual(await read(4, 99), { ...all, start: 4, end: 4, text: 'four' });
  assert.deepEqual(await read(5), { error: 'a.txt has 4 lines; start was 5' });
  assert.deepEqual(await read(3, 2), { error: 'end (2) is before start (3)' });
  assert.deepEqual(await call(workspace, 'read_file', { path: 'empty.txt' }), {
    path: 'empty.txt',
    start: 1,
    end: 0,
    total: 0,
    text: '',
  });
  assert.match(
    JSON.stringify(await call(workspace, 'read_file', { path: 'b.txt' })),
    /b\.txt: there is no such file/,
  );
});

test('read_file in pages: each fits an observation, `end` is true, and the pages are the file', async (t) => {
  const text = Array.from({ length: 900 }, (_, i) => `line ${i + 1}\t"quoted"\r\n`).join('');
  const workspace = createFolderWorkspace(
    await temporaryTree(t, { 'long.txt': text, 'wide.txt': `${'w'.repeat(9000)}\nnext\n` }),
  );
  let joined = '';
  for (let start = 1, total = 1; start <= total;) {
    const page = (await call(workspace, 'read_file', { path: 'long.txt', start })) as Record<
      'end' | 'total',
      number
    > & { text: string };
    assert.ok(JSON.stringify({ success: true, data: page }).length <= 4000);
    joined += page.text;
    assert.equal(splitLines(joined).length, page.end);
    start = page.end + 1;
    total = page.total;
  }
  assert.equal(joined, text);
  const wide = await call(workspace, 'read_file', { path: 'wide.txt' });
  assert.deepEqual(wide, { path: 'wide.txt', start: 1, end: 1, total: 2, text: `${'w'.repeat(9000)}\n` });
});

test('lines with and without their ends agree', () => {
  const texts = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', '好')).map((list) => list.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(rawLines(text).join(''), text);
      assert.deepEqual(
        rawLines(text).map((line) => line.replace(/\r\n$|\n$|\r$/, '')),
        splitLines(text),
      );
    }),
    { seed: 7, numRuns: 500 },
  );
});

test('read_file passes on where the text comes from', async () => {
  const unsaved = { ok: true as const, path: 'a', uri: 'file:///a', text: 'x', note: 'unsaved' };
  const data = await call({ ...noWorkspace, read: async () => unsaved }, 'read_file', { path: 'a' });
  assert.deepEqual(data, { path: 'a', start: 1, end: 1, total: 1, text: 'x', note: 'unsaved' });
});

test('list_files and search_text: paths that read_file takes, and a list that says when it is cut', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`lib/module-${String(i).padStart(3, '0')}.ts`, 'export {}']),
  );
  const workspace = createFolderWorkspace(await temporaryTree(t, { ...many, 'README.md': '# Hi' }));
  assert.deepEqual(await call(workspace, 'list_files', {}), {
    path: '.',
    entries: ['README.md', 'lib/'],
    more: false,
  });
  const cut = (await call(workspace, 'list_files', { path: 'lib' })) as { entries: string[]; more: boolean };
  assert.ok(cut.more && cut.entries.length > 100 && JSON.stringify(cut).length < 3800);
  assert.deepEqual(await call(workspace, 'list_files', { path: 'lib', glob: '*-299.ts' }), {
    path: 'lib',
    entries: ['lib/module-299.ts'],
    more: false,
  });
  assert.deepEqual(await call(workspace, 'search_text', { query: '# hi' }), {
    matches: [{ path: 'README.md', line: 1, text: '# Hi' }],
    more: false,
  });
  assert.deepEqual(await call(workspace, 'list_files', { path: '../x' }), {
    error: '"../x" is refused: it leads out of the workspace, and only files inside can be reached',
  });
  assert.match(JSON.stringify(await call(workspace, 'search_text', { query: '(', regex: true })), /error/);
});

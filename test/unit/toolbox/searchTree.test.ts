import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchOptions } from '../../../src/core/ports.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { regexMatcher } from '../../../src/toolbox/regexMatcher.ts';
import { temporaryTree } from './temporaryTree.ts';

const files = {
  'notes/a.md': '# Plan\r\nTODO: call 小明\r\n\r\ntodo later\r',
  'src/b.ts': 'const todo = 1;\nconst price = "3.50";\n',
  'src/deep/c.ts': `${'x'.repeat(500)}🚀needle🚀${'y'.repeat(500)}\n`,
  'bin.dat': new Uint8Array([0, 84, 79, 68, 79]),
  '.gitignore': 'out/\n',
  'out/d.ts': 'TODO',
};

const signal = new AbortController().signal;

test('lines are found by plain text or expression, in the order of paths and lines', async (t) => {
  const workspace = createFolderWorkspace(await temporaryTree(t, files));
  const search = async (query: string, more: Partial<SearchOptions> = {}): Promise<string[]> => {
    const found = await workspace.search({ query, regex: false, limit: 50, signal, ...more });
    if (!found.ok) return [found.error];
    assert.equal(found.more, false);
    return found.matches.map(({ path, line, text }) => `${path}:${line} ${text}`);
  };
  assert.deepEqual(await search('TODO'), ['notes/a.md:2 TODO: call 小明']);
  assert.deepEqual(await search('todo'), [
    'notes/a.md:2 TODO: call 小明',
    'notes/a.md:4 todo later',
    'src/b.ts:1 const todo = 1;',
  ]);
  assert.deepEqual(await search('小明'), ['notes/a.md:2 TODO: call 小明']);
  assert.deepEqual(await search('3.5'), ['src/b.ts:2 const price = "3.50";']);
  assert.deepEqual(await search('3x5'), []);
  assert.deepEqual(await search('todo', { glob: '*.ts' }), ['src/b.ts:1 const todo = 1;']);
  assert.deepEqual(await search('todo', { glob: 'notes/**' }), [
    'notes/a.md:2 TODO: call 小明',
    'notes/a.md:4 todo later',
  ]);
  assert.deepEqual(await search('^todo\\b', { regex: true }), ['notes/a.md:4 todo later']);
  assert.deepEqual(await search('(?i)^todo', { regex: true }), [
    'notes/a.md:2 TODO: call 小明',
    'notes/a.md:4 todo later',
  ]);
  assert.deepEqual(await search('\\p{Script=Han}+', { regex: true }), ['notes/a.md:2 TODO: call 小明']);
  assert.deepEqual(await search('price \\= \\"', { regex: true }), ['src/b.ts:2 const price = "3.50";']);
  assert.deepEqual(await search('^$', { regex: true }), ['notes/a.md:3 ']);
  assert.match((await search('(', { regex: true }))[0] ?? '', /Invalid regular expression/);
  assert.match((await search('a\nb'))[0] ?? '', /line break/);
  assert.match((await search('a', { glob: '*'.repeat(300) }))[0] ?? '', /glob is longer/);
});

test('a match in a long line shows its surroundings, never half a character', async (t) => {
  const workspace = createFolderWorkspace(await temporaryTree(t, files));
  const found = await workspace.search({ query: 'needle', regex: false, limit: 5, signal });
  assert.ok(found.ok);
  const text = found.matches[0]?.text ?? '';
  assert.ok(
    text.includes('🚀needle🚀') && text.startsWith('…x') && text.endsWith('y…') && text.isWellFormed(),
  );
  assert.ok(text.length <= 202);
});

test('an expression that backtracks without end is stopped, and the thread of the caller stays free', async () => {
  const matcher = regexMatcher('^(a+)+$', signal, 300);
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 10);
  await assert.rejects(
    matcher.match([`${'a'.repeat(60)}!`], 1),
    /longer than 0\.3 s on one file and was stopped/,
  );
  clearInterval(ticking);
  assert.ok(ticks > 3);
});

test('one thread serves text after text, and one that was stopped is replaced', async () => {
  const matcher = regexMatcher('^(a+)+$', signal, 1000);
  assert.deepEqual(await matcher.match(['b', 'aaa', 'a'], 1), [[1, 0]]);
  assert.deepEqual(await matcher.match(['b'], 5), []);
  await assert.rejects(matcher.match([`${'a'.repeat(60)}!`], 1), /was stopped/);
  assert.deepEqual(await matcher.match(['a', 'aa'], 5), [
    [0, 0],
    [1, 0],
  ]);
  await matcher.close();
});

test('abort ends a search in the middle of an expression', async () => {
  const controller = new AbortController();
  const matcher = regexMatcher('^(a+)+$', controller.signal, 60_000);
  const running = matcher.match([`${'a'.repeat(60)}!`], 1);
  controller.abort();
  await assert.rejects(running, /cancelled/);
  await matcher.close();
});

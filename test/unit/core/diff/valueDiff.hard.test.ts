import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueDiff } from '../../../../src/core/diff/valueDiff.ts';

const listOf = (count: number, make: (n: number) => unknown) =>
  JSON.stringify(Array.from({ length: count }, (_, n) => make(n)));
const deep = (levels: number, inner: string, open = '[', close = ']') =>
  open.repeat(levels) + inner + close.repeat(levels);
const row = (n: number) => ({ id: n, name: `x${n}`, tags: [n, n + 1] });

/** Old, new, what they are compared as, and whether the answer is coarse. */
type Hard = readonly [before: string, after: string, by: 'json' | 'words', coarse: boolean];
const hard: Readonly<Record<string, () => Hard>> = {
  'a hundred thousand elements': () => [
    listOf(100_000, (n) => n),
    listOf(100_000, (n) => n + 1),
    'words',
    true,
  ],
  'as many equal elements, fewer': () => [listOf(100_000, () => 1), listOf(90_000, () => 1), 'words', true],
  'a period against another': () => [
    listOf(80_000, (n) => n % 3),
    listOf(80_000, (n) => n % 5),
    'words',
    true,
  ],
  'twenty thousand elements': () => [listOf(20_000, (n) => n), listOf(20_000, (n) => n + 1), 'json', false],
  'many rows': () => [listOf(20_000, row), listOf(20_000, (n) => row(n + 1)), 'words', true],
  'fewer rows': () => [listOf(2_000, row), listOf(2_000, (n) => row(n + 1)), 'json', false],
  'ten thousand levels': () => [deep(10_000, '1'), deep(10_000, '2'), 'words', false],
  'ten thousand levels of objects': () => [
    deep(10_000, '1', '{"a":', '}'),
    deep(10_000, '2', '{"a":', '}'),
    'words',
    false,
  ],
  'as many levels as are read': () => [deep(190, '1'), deep(190, '2'), 'json', false],
  'levels without their ends': () => [deep(10_000, '1').slice(0, -1), deep(10_000, '2'), 'words', false],
  'a huge key': () => [`{"${'k'.repeat(4e5)}":1}`, `{"${'k'.repeat(4e5)}":2}`, 'json', false],
  'a huge key, escaped': () => [`{"${'\\u006b'.repeat(5e4)}":1}`, `{"${'k'.repeat(5e4)}":2}`, 'json', false],
  'a key twice': () => ['{"a":1,"a":2}', '{"a":2,"a":1}', 'words', false],
  'a key twice, once escaped': () => ['{"a":1,"\\u0061":2}', '{"a":1}', 'words', false],
  'numbers beyond a double': () => ['[1e999,-1e999,1e-999,1]', '[1e998,-1e999,0,1]', 'json', false],
  'lone surrogates': () => ['["\ud83d x","\udc4d"]', '["\ud83d y","\ud83d\udc4d"]', 'json', false],
  'lone surrogates, escaped': () => ['["\\ud83d x"]', '["\\ud83d\\udc4d x"]', 'json', false],
  'keys of the prototype': () => [
    '{"__proto__":{"a":1},"constructor":1}',
    '{"constructor":2,"__proto__":{"a":2}}',
    'json',
    false,
  ],
  'a line of a megabyte': () => ['a'.repeat(1e6), `${'a'.repeat(999_999)}b`, 'words', true],
  'equal lines, fewer': () => ['x\n'.repeat(500_000), 'x\n'.repeat(400_000), 'words', false],
  'a period shifted': () => ['ab '.repeat(100_000), `z${'ba '.repeat(100_000)}`, 'words', true],
};

/** Reads one side of the pieces; not assert.equal of the whole: its message would print both texts. */
function assertGives(before: string, after: string): ReturnType<typeof valueDiff> {
  const diff = valueDiff(before, after);
  const read = (own: string) => {
    let text = '';
    for (const piece of diff.pieces) if (piece.kind === 'same' || piece.kind === own) text += piece.text;
    return text;
  };
  assert.ok(read('added') === after, 'the new text');
  const old = read('removed');
  assert.ok(old === before || diff.by === 'json', 'the old text');
  if (old !== before) assert.deepEqual(JSON.parse(old), JSON.parse(before));
  return diff;
}

for (const [name, make] of Object.entries(hard)) {
  test(`ends in bounded work, applies exactly, says when it is coarse: ${name}`, () => {
    const [before, after, by, coarse] = make();
    const there = assertGives(before, after);
    assert.deepEqual([there.by, there.coarse], [by, coarse]);
    assert.equal(assertGives(after, before).by, by);
  });
}

test('the same answer each time: work is counted and not timed', () => {
  const [before, after] = [
    listOf(4_000, (n) => ({ n, a: `x${n}` })),
    listOf(4_000, (n) => ({ n, b: `y${n}` })),
  ];
  assert.deepEqual(valueDiff(before, after), valueDiff(before, after));
});

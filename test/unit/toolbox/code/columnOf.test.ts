import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf } from '../../../../src/toolbox/code/columnOf.ts';

const at = (line: string, symbol: string, column?: number) =>
  columnOf(line, { path: 'a.ts', line: 7, symbol, column });

test('where a symbol is meant in its line: the whole word before a part of another, or the column that was given', () => {
  assert.equal(at('const total = sum(totals, total);', 'total'), 7);
  assert.equal(at('totals.push(total);', 'total'), 13);
  assert.equal(at('totals', 'total'), 1);
  assert.equal(at('x.größe + größer', 'größe'), 3);
  assert.equal(at('$a + a', 'a'), 6);
  assert.equal(at('total + total', 'total', 9), 9);
  assert.equal(at('a.b.c', 'b.c'), 3);
});

test('where it does not stand, the line or its columns are told', () => {
  assert.throws(() => at('const a = 1;', 'b'), /"b" does not stand in line 7: "const a = 1;"/);
  assert.throws(() => at('b + b', 'b', 2), /"b" does not stand at column 2, but at 1, 5/);
  assert.throws(
    () => at('x'.repeat(100_000), 'b'),
    (error: Error) => error.message.length < 400,
  );
});

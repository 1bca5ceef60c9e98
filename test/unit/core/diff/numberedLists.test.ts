import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createNumberedLists } from '../../../../src/core/diff/numberedLists.ts';

/** Gives each new list the next number, as whoever uses the lists does. */
function createNumbering(): (list: readonly number[]) => number {
  const lists = createNumberedLists();
  let count = 0;
  return (list) => {
    // What stands behind the list is of no account.
    const number = lists.numberOf(Float64Array.from([...list, count]), list.length, count);
    if (number === count) count++;
    return number;
  };
}

test('property: equal lists have equal numbers, and no others', () => {
  const item = fc.oneof(fc.nat(3), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 5 }), { maxLength: 40 }), (lists) => {
      const numberOf = createNumbering();
      const known = new Map<string, number>();
      for (const list of lists) {
        const name = list.join();
        if (!known.has(name)) known.set(name, known.size);
        assert.equal(numberOf(list), known.get(name));
      }
    }),
    { seed: 20260180, numRuns: 1000 },
  );
});

test('lists are told apart where their hashes are equal, and known again however many there are', () => {
  // Of so many some forty pairs share a hash of thirty bits.
  const numberOf = createNumbering();
  for (let n = 0; n < 300_000; n++) assert.equal(numberOf([n * 14_321]), n);
  for (let n = 0; n < 300_000; n += 1_000) assert.equal(numberOf([n * 14_321]), n);
});

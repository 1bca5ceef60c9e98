import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applySplices, splicesBetween } from '../../../src/core/body.ts';
import type { Item } from '../../../src/core/events.ts';

const item: fc.Arbitrary<Item> = fc.oneof(
  fc.integer({ min: 1, max: 30 }).map((n): Item => `m${n}`),
  fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 3 }))
    .map(([m, p]): Item => [`m${m}`, `p${p}`]),
);
const key = (one: Item) => JSON.stringify(one);
const list = fc.uniqueArray(item, { selector: key, maxLength: 30 });

test('splices turn any list into any other', () => {
  fc.assert(
    fc.property(list, list, (from, to) => {
      assert.deepEqual(applySplices(from, splicesBetween(from, to)), to);
    }),
    { seed: 3, numRuns: 3000 },
  );
});

test('splices are ascending, do not overlap, and are as few as an ordered change needs', () => {
  fc.assert(
    fc.property(list, list, (from, to) => {
      let end = -1;
      for (const [at, remove] of splicesBetween(from, to)) {
        assert.ok(at > end, `${at} after ${end}`);
        end = at + remove;
      }
    }),
    { seed: 4, numRuns: 1000 },
  );
  assert.deepEqual(splicesBetween(['m1', 'm2'], ['m1', 'm2']), []);
  assert.deepEqual(splicesBetween(['m1', 'm2'], ['m1', 'm2', 'm3']), [[2, 0, ['m3']]]);
  assert.deepEqual(splicesBetween(['m1', 'm2', 'm3', 'm4', 'm5', 'm6'], ['m1', 'm2', 'm6', 'm7']), [
    [2, 3, []],
    [6, 0, ['m7']],
  ]);
  assert.deepEqual(splicesBetween(['m1', 'm2', 'm3'], ['m1', ['m2', 'p9'], 'm3']), [[1, 1, [['m2', 'p9']]]]);
});

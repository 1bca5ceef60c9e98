import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applySplices, requestItems, splicesBetween } from '../../../src/core/body.ts';
import type { Item, Splice } from '../../../src/core/events.ts';
import { emptyState } from '../../../src/core/journalState.ts';

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

/** Requests r0, r1, … each built on the one before. */
function chainOf(chain: readonly (readonly Splice[])[]) {
  const state = emptyState();
  for (const [index, splices] of chain.entries()) {
    const on = index === 0 ? null : `r${index - 1}`;
    state.requests.set(`r${index}`, { id: `r${index}`, run: 1, round: 1, on, splices, attempts: [] });
  }
  return state;
}

test('a chain of requests lists what its splices give one by one, also where they overlap or lead nowhere', () => {
  const place = fc.integer({ min: 0, max: 12 });
  const splice = fc.tuple(place, fc.oneof(place, fc.constant(1e15)), fc.array(item, { maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(fc.array(splice, { maxLength: 4 }), { maxLength: 8 }), (chain) => {
      let expected: readonly Item[] = [];
      for (const splices of chain) expected = applySplices(expected, splices);
      assert.deepEqual(requestItems(chainOf(chain), `r${chain.length - 1}`), expected);
    }),
    { seed: 5, numRuns: 2000 },
  );
});

test('a splice may insert more than a call takes arguments', () => {
  const many = Array.from({ length: 300_000 }, (_, n) => `m${n}`);
  assert.deepEqual(requestItems(chainOf([[[0, 0, ['first']]], [[0, 0, many]]]), 'r1'), [...many, 'first']);
});

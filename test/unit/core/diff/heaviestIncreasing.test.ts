import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { heaviestIncreasing } from '../../../../src/core/diff/heaviestIncreasing.ts';

/** The greatest weight of an increasing subsequence by the textbook table: the oracle. */
function heaviest(values: readonly number[], weights: readonly number[]): number {
  const sums: number[] = [];
  values.forEach((value, index) => {
    const below = sums.filter((_, other) => values[other]! < value);
    sums.push(weights[index]! + Math.max(0, ...below));
  });
  return Math.max(0, ...sums);
}

test('property: increasing, and as heavy as can be', () => {
  const list = fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 9 })), { maxLength: 40 });
  fc.assert(
    fc.property(list, (pairs) => {
      const [values, weights] = [pairs.map(([value]) => value), pairs.map(([, weight]) => weight)];
      const places = heaviestIncreasing(values, weights);
      places.forEach((place, index) => {
        const next = places[index + 1];
        if (next !== undefined) assert.ok(place < next && values[place]! < values[next]!);
      });
      const weight = places.reduce((sum, place) => sum + weights[place]!, 0);
      assert.equal(weight, heaviest(values, weights));
    }),
    { seed: 20260170, numRuns: 2000 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longestIncreasing } from '../../../../src/core/diff/longestIncreasing.ts';
import { matchSequences, type SequenceMatch } from '../../../../src/core/diff/matchSequences.ts';

interface Options {
  readonly run?: number;
  readonly maxEdits?: number;
  readonly steps?: number;
}

function match(from: readonly number[], to: readonly number[], options: Options = {}): SequenceMatch {
  const { run = 1, maxEdits = 500, steps = 1_000_000 } = options;
  const classes = Math.max(0, ...from, ...to) + 1;
  return matchSequences(Int32Array.from(from), Int32Array.from(to), classes, {
    run,
    maxEdits,
    effort: { steps },
  });
}

const kept = ({ partner }: SequenceMatch) => [...partner].filter((place) => place >= 0).length;

function assertSound({ partner }: SequenceMatch, from: readonly number[], to: readonly number[]): void {
  assert.equal(partner.length, from.length);
  let last = -1;
  partner.forEach((place, index) => {
    if (place < 0) return;
    assert.equal(from[index], to[place]);
    assert.ok(place > last, 'ascending');
    last = place;
  });
}

/** The longest common subsequence by the textbook table: the oracle. */
function longestCommon(from: readonly number[], to: readonly number[]): number {
  let row = new Array<number>(to.length + 1).fill(0);
  for (const item of from) {
    const next = [0];
    to.forEach((other, at) => next.push(item === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!)));
    row = next;
  }
  return row.at(-1)!;
}

const list = fc.integer({ min: 1, max: 12 }).chain((most) => fc.array(fc.nat(most), { maxLength: 40 }));

test('property: with effort to spare the answer is a longest common subsequence', () => {
  fc.assert(
    fc.property(list, list, (from, to) => {
      const result = match(from, to);
      assertSound(result, from, to);
      assert.equal(result.coarse, false);
      assert.equal(kept(result), longestCommon(from, to));
    }),
    { seed: 20260120, numRuns: 3000 },
  );
});

test('property: with any cap and any effort the answer is sound', () => {
  const caps = fc.record({ run: fc.integer({ min: 1, max: 4 }), maxEdits: fc.nat(6), steps: fc.nat(300) });
  fc.assert(
    fc.property(list, list, caps, (from, to, options) => assertSound(match(from, to, options), from, to)),
    { seed: 20260121, numRuns: 3000 },
  );
});

test('property: the longest increasing subsequence is increasing and as long as it can be', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 40 }), (values) => {
      const places = [...longestIncreasing(values)];
      places.forEach((place, index) => {
        const next = places[index + 1];
        if (next !== undefined) assert.ok(place < next && values[place]! < values[next]!);
      });
      const sorted = [...new Set(values)].sort((a, b) => a - b);
      assert.equal(places.length, longestCommon(values, sorted));
    }),
    { seed: 20260122, numRuns: 1000 },
  );
});

test('beyond the cap, anchors split the search and the rest is found between them', () => {
  const unique = Array.from({ length: 200 }, (_, index) => index + 10);
  const from = unique.flatMap((item) => [item, 1, 2]);
  const to = unique.flatMap((item) => [item, 2, 3]);
  const result = match(from, to, { maxEdits: 20 });
  assert.equal(result.coarse, false);
  assert.equal(kept(result), 400);
});

test('a stretch without anchors beyond the cap is given up and said to be', () => {
  const from = Array.from({ length: 300 }, (_, index) => (index * index) % 3);
  const to = Array.from({ length: 300 }, (_, index) => (index % 5) % 3);
  const result = match(from, to, { maxEdits: 10 });
  assert.equal(result.coarse, true);
  assertSound(result, from, to);
});

test('one side empty, both empty, nothing in common: no search and not coarse', () => {
  for (const [from, to] of [
    [[], []],
    [[1, 2], []],
    [[], [1]],
    [
      [1, 1, 1],
      [2, 2],
    ],
  ] as const) {
    const result = match(from, to, { maxEdits: 0, steps: 0 });
    assert.deepEqual([kept(result), result.coarse], [0, false]);
  }
});

test('a search ends soon after its effort is spent', () => {
  const noise = (seed: number) => Array.from({ length: 3000 }, (_, n) => ((n * n * seed) >> 7) % 3);
  const effort = { steps: 5_000 };
  const [from, to] = [Int32Array.from(noise(31)), Int32Array.from(noise(37))];
  const { coarse } = matchSequences(from, to, 3, { run: 1, maxEdits: 500, effort });
  assert.ok(coarse);
  // What is charged at once at the end: one round of the search, and the stretch.
  assert.ok(effort.steps > -10_000, `${effort.steps} steps`);
});

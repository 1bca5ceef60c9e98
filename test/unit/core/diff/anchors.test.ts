import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anchors } from '../../../../src/core/diff/anchors.ts';
import { longestIncreasing } from '../../../../src/core/diff/longestIncreasing.ts';

/** Where each run stands that a list has exactly once, by what is in it. */
function onceIn(list: readonly number[], run: number): ReadonlyMap<string, number> {
  const places = new Map<string, number[]>();
  for (let at = 0; at + run <= list.length; at++) {
    const name = list.slice(at, at + run).join();
    places.set(name, [...(places.get(name) ?? []), at]);
  }
  return new Map([...places].flatMap(([name, [at, ...more]]) => (more.length === 0 ? [[name, at!]] : [])));
}

const list = fc.integer({ min: 1, max: 9 }).chain((most) => fc.array(fc.nat(most), { maxLength: 25 }));

test('property: anchors are the longest chain of runs that both sides have exactly once', () => {
  fc.assert(
    fc.property(list, list, fc.integer({ min: 1, max: 3 }), (from, to, run) => {
      const box = { fromStart: 0, fromEnd: from.length, toStart: 0, toEnd: to.length };
      const pairs = anchors(Int32Array.from(from), Int32Array.from(to), box, run);
      const [old, now] = [onceIn(from, run), onceIn(to, run)];
      const shared = [...old].flatMap(([name, at]) => (now.has(name) ? [[at, now.get(name)!] as const] : []));
      const own = shared.toSorted(([a], [b]) => a - b);
      const chain = [...longestIncreasing(own.map(([, at]) => at))].map((index) => own[index]!);
      const expected = new Map(
        chain.flatMap(([at, other]) => Array.from({ length: run }, (_, n) => [at + n, other + n] as const)),
      );
      let last = [-1, -1];
      for (const [at, other] of pairs) {
        assert.ok(at > last[0]! && other > last[1]!, 'ascending on both sides');
        assert.equal(from[at], to[other]);
        last = [at, other];
      }
      if (run === 1) assert.deepEqual(new Map(pairs), expected);
      else for (const [at, other] of pairs) assert.ok(isCovered(chain, run, at, other), 'of a run of both');
    }),
    { seed: 20260190, numRuns: 3000 },
  );
});

const isCovered = (chain: readonly (readonly [number, number])[], run: number, at: number, other: number) =>
  chain.some(([start, start2]) => at - start >= 0 && at - start < run && at - start === other - start2);

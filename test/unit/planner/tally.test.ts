import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Measured } from '../../../src/planner/measure.ts';
import type { PackMessage } from '../../../src/planner/pack.ts';
import { grown, tallyOf } from '../../../src/planner/tally.ts';

const message = fc.record({
  tokens: fc.oneof({ weight: 20, arbitrary: fc.nat(1000) }, fc.constant(NaN)),
  isFolded: fc.nat(8).map((n) => n === 0),
  own: fc.option(fc.record({ tokens: fc.nat(1000), media: fc.nat(100) })),
});

test('tally: a list that grew by pieces has the sums of the same list made at once', () => {
  const seen = { folded: 0, none: 0, measured: 0 };
  fc.assert(
    fc.property(fc.array(fc.array(message, { maxLength: 5 }), { maxLength: 6 }), (pieces) => {
      let n = 0;
      const lists = pieces.map((piece) =>
        piece.map(({ tokens, isFolded, own }): PackMessage & { measured?: Measured } => ({
          id: `m${++n}`,
          role: 'user',
          run: 1,
          tokens,
          hasCalls: false,
          ...(isFolded ? { foldedInto: 'm0' } : {}),
          ...(own === null ? {} : { measured: { role: 'user', hasCalls: false, ...own } }),
        })),
      );
      const all = lists.flat();
      // What is asked for in between is not changed by what comes behind.
      const steps: [readonly PackMessage[], unknown][] = [];
      let list: readonly PackMessage[] = [];
      for (const more of lists) {
        list = grown(list, more);
        steps.push([list, tallyOf(list)]);
      }
      assert.deepEqual(list, all);
      for (const [step, tally] of steps) {
        assert.deepEqual(tally, tallyOf(step.slice()));
        assert.deepEqual(tally, tallyOf(step));
      }
      const sum = (of: (one: PackMessage & { measured?: Measured }) => number) =>
        all.reduce((total, one) => total + of(one), 0);
      assert.deepEqual(tallyOf(all), {
        ids: all.map(({ id }) => id),
        tokens: sum(({ tokens }) => tokens),
        largest: all.reduce((most, { tokens }) => Math.max(most, tokens), 0),
        own: sum(({ measured }) => measured?.tokens ?? 0),
        media: sum(({ measured }) => measured?.media ?? 0),
        isAnyFolded: all.some(({ foldedInto }) => foldedInto !== undefined),
      });
      if (tallyOf(all).isAnyFolded) seen.folded++;
      if (Number.isNaN(tallyOf(all).largest)) seen.none++;
      if (tallyOf(all).own > 0) seen.measured++;
    }),
    { seed: 3, numRuns: 500 },
  );
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 50, `${what}: ${times}`);
});

/** C16: budgets that are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyNames } from '../../../src/core/config.ts';
import { pack, type PackInput } from '../../../src/planner/pack.ts';

const input: Omit<PackInput, 'policy'> = {
  messages: [
    { id: 'm1', role: 'system', run: 1, tokens: 40, hasCalls: false },
    { id: 'm2', role: 'user', run: 1, tokens: 25, hasCalls: false, goalOf: 1, uncut: true },
    { id: 'm3', role: 'assistant', run: 1, tokens: 48, hasCalls: true },
    { id: 'm4', role: 'tool', run: 1, tokens: 30, hasCalls: false, stub: 5 },
  ],
  run: 1,
  limit: 10_000,
  reserve: 80,
  fixed: 150,
  cap: 5000,
  window: 20,
  pins: new Set(),
  forced: new Map(),
  cut: (_id, max) => max,
  text: () => '',
};

test('a limit or a reserve that is no number, negative, or larger than the other lets nothing through', () => {
  for (const policy of policyNames.filter((name) => name !== 'none'))
    for (const odd of [{ limit: NaN }, { limit: -1 }, { limit: 0 }, { reserve: NaN }, { reserve: 1e9 }]) {
      const { blocked } = pack({ ...input, ...odd, policy });
      assert.notEqual(blocked, undefined, `${policy} ${JSON.stringify(odd)}`);
    }
});

test('a cap that is no number cuts nothing, and a window that is none keeps what must stay', () => {
  for (const policy of policyNames) {
    const uncapped = pack({ ...input, cap: NaN, policy });
    assert.deepEqual([uncapped.kept.length, uncapped.blocked], [4, undefined]);
    for (const window of [0, -1, NaN]) {
      const { kept, blocked } = pack({ ...input, window, policy });
      assert.deepEqual([kept, blocked], [['m1', 'm2', 'm3', 'm4'], undefined], `${policy} ${window}`);
    }
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { policyNames } from '../../../src/core/config.ts';
import { pack, type PackInput, type PackMessage } from '../../../src/planner/pack.ts';

const base: Omit<PackInput, 'messages' | 'run'> = {
  policy: 'drop-oldest',
  limit: 420,
  reserve: 80,
  fixed: 150,
  window: 20,
  pins: new Set(),
  forced: new Map(),
};

const message = (id: string, tokens: number, more: Partial<PackMessage> = {}): PackMessage => ({
  id,
  role: 'user',
  run: 1,
  tokens,
  hasCalls: false,
  ...more,
});

/** The worked example's history at run 2, round 1. */
const example: PackMessage[] = [
  message('m1', 40, { role: 'system' }),
  message('m2', 25, { goalOf: 1 }),
  message('m3', 48, { role: 'assistant', hasCalls: true }),
  message('m4', 30, { role: 'tool' }),
  message('m5', 28, { role: 'tool' }),
  message('m6', 30, { role: 'assistant' }),
  message('m7', 20, { goalOf: 2, run: 2 }),
];

test('pack: the worked example, arithmetic and all', () => {
  const packed = pack({ ...base, messages: example, run: 2 });
  assert.deepEqual(packed.kept, ['m1', 'm2', 'm6', 'm7']);
  assert.equal(packed.total, 265);
  assert.deepEqual(packed.left, [
    { id: 'm3', fate: 'dropped', rule: 'drop-oldest', need: 106, room: 75 },
    { id: 'm4', fate: 'dropped', rule: 'drop-oldest', need: 106, room: 75, tiedTo: 'm3' },
    { id: 'm5', fate: 'dropped', rule: 'drop-oldest', need: 106, room: 75, tiedTo: 'm3' },
  ]);
  assert.equal(packed.blocked, undefined);
});

test('pack: a pinned result keeps its whole unit', () => {
  const packed = pack({ ...base, limit: 430, messages: example, run: 2, pins: new Set(['m4']) });
  // Room 430 − 80 − 150 − (40 + 106 + 20) = 34: the earlier goal needs 25, m6 needs 30 of the 9 that are left.
  assert.deepEqual(packed.kept, ['m1', 'm2', 'm3', 'm4', 'm5', 'm7']);
  assert.deepEqual(packed.left, [{ id: 'm6', fate: 'dropped', rule: 'drop-oldest', need: 30, room: 9 }]);
});

test('pack: what stays of an earlier run keeps the goal that it answers', () => {
  // 260 − 80 − 150 = 30 is less than the system prompt and the goals need: only what must stay is kept.
  const tight = { ...base, limit: 260, messages: example, run: 2 };
  assert.deepEqual(pack(tight).kept, ['m1', 'm7']);
  assert.deepEqual(pack({ ...tight, pins: new Set(['m6']) }).kept, ['m1', 'm2', 'm6', 'm7']);
  const restored = new Map([
    ['m2', 'drop'],
    ['m6', 'restore'],
  ] as const);
  assert.deepEqual(pack({ ...tight, forced: restored }).kept, ['m1', 'm2', 'm6', 'm7']);
});

test('pack: the user drops a unit and restores another', () => {
  const forced = new Map([
    ['m4', 'drop'],
    ['m6', 'restore'],
  ] as const);
  const packed = pack({ ...base, limit: 1000, messages: example, run: 2, forced });
  assert.deepEqual(packed.kept, ['m1', 'm2', 'm6', 'm7']);
  assert.deepEqual(new Set(packed.left.map(({ rule }) => rule)), new Set(['user']));
});

test('pack: window counts messages and keeps units whole', () => {
  const packed = pack({ ...base, limit: 10_000, policy: 'window', window: 4, messages: example, run: 2 });
  assert.deepEqual(packed.kept, ['m1', 'm2', 'm6', 'm7']);
  assert.deepEqual(packed.left[0], { id: 'm3', fate: 'dropped', rule: 'window', need: 3, room: 0 });
});

test('pack: none sends everything, whatever it needs', () => {
  const packed = pack({ ...base, limit: 1, policy: 'none', messages: example, run: 2 });
  assert.equal(packed.left.length, 0);
  assert.equal(packed.blocked, undefined);
});

test('pack: a floor that does not fit is said with numbers and the largest parts', () => {
  const packed = pack({ ...base, limit: 200, messages: example, run: 2 });
  assert.deepEqual(packed.blocked, {
    needs: 290,
    limit: 200,
    largest: [
      { part: 'tools and framing', tokens: 150 },
      { part: 'reserve for the reply', tokens: 80 },
      { part: 'm1 (system)', tokens: 40 },
      { part: 'm7 (user)', tokens: 20 },
    ],
  });
});

/** Random legal histories: a system prompt, then runs of a goal and blocks with their results. */
const history = fc
  .array(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 80 })), { maxLength: 6 }),
    { minLength: 1, maxLength: 4 },
  )
  .map((runs) => {
    const messages: PackMessage[] = [message('m0', 10, { role: 'system', run: 0 })];
    const add = (tokens: number, more: Partial<PackMessage>) =>
      messages.push(message(`m${messages.length}`, tokens, more));
    runs.forEach((blocks, index) => {
      const run = index + 1;
      add(5, { run, goalOf: run });
      for (const [results, tokens] of blocks) {
        add(tokens, { role: 'assistant', run, hasCalls: results > 0 });
        for (let n = 0; n < results; n++) add(tokens, { role: 'tool', run });
      }
    });
    return { messages, run: runs.length };
  });

test('pack: whatever the history, policy and budget', () => {
  fc.assert(
    fc.property(
      history,
      fc.constantFrom(...policyNames),
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 12 }),
      fc.uniqueArray(fc.nat(30), { maxLength: 4 }),
      ({ messages, run }, policy, limit, reserve, window, pinned) => {
        const pins = new Set(pinned.map((n) => `m${n}`));
        const input: PackInput = {
          messages,
          run,
          policy,
          limit,
          reserve,
          fixed: 20,
          window,
          pins,
          forced: new Map(),
        };
        const packed = pack(input);
        const kept = new Set(packed.kept);
        // Every message has exactly one fate, and order is kept.
        assert.equal(kept.size + packed.left.length, messages.length);
        assert.deepEqual(
          [...packed.kept],
          messages.map(({ id }) => id).filter((id) => kept.has(id)),
        );
        // System, the run's goal and pins survive.
        for (const one of messages)
          if (one.role === 'system' || one.goalOf === run || pins.has(one.id)) assert.ok(kept.has(one.id));
        // Units stay whole: a result is sent exactly when its assistant block is.
        let block: string | undefined;
        for (const one of messages) {
          if (one.role === 'tool') assert.equal(kept.has(one.id), kept.has(block ?? ''));
          else block = one.id;
        }
        // The arithmetic adds up, and it never exceeds the budget when it says that it fits.
        const tokens = messages.filter(({ id }) => kept.has(id)).reduce((sum, one) => sum + one.tokens, 20);
        assert.equal(packed.total, tokens);
        if (policy !== 'none' && !packed.blocked)
          assert.ok(packed.total <= limit - reserve, `${packed.total} of ${limit - reserve}`);
        // Packing what was packed changes nothing more.
        const again = pack({ ...input, messages: messages.filter(({ id }) => kept.has(id)) });
        if (policy === 'drop-oldest') assert.deepEqual(again.kept, packed.kept);
      },
    ),
    { seed: 5, numRuns: 2000 },
  );
});

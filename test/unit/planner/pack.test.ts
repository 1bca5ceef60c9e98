import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { policyNames } from '../../../src/core/config.ts';
import { blockedWords } from '../../../src/planner/blocked.ts';
import { pack, type Packed, type PackInput, type PackMessage } from '../../../src/planner/pack.ts';
import { policies } from '../../../src/planner/policies.ts';
import type { Policy, PolicyDecision, PolicyInput } from '../../../src/planner/policy.ts';

const base: Omit<PackInput, 'messages' | 'run'> = {
  policy: 'drop-oldest',
  limit: 420,
  reserve: 80,
  fixed: 150,
  cap: 1_000_000,
  window: 20,
  pins: new Set(),
  forced: new Map(),
  cut: (_id, max) => max,
  text: () => '',
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
    why: 'floor',
    policy: 'drop-oldest',
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

test('C17: the cap comes first, in every role but the user, whatever else would fit', () => {
  const messages = [
    message('m1', 900, { role: 'system' }),
    message('m2', 900, { goalOf: 1, uncut: true }),
    message('m3', 900, { role: 'assistant', hasCalls: true }),
    message('m4', 900, { role: 'tool', stub: 20 }),
    message('m5', 900, { role: 'assistant' }),
  ];
  for (const policy of policyNames) {
    const packed = pack({ ...base, policy, limit: 100_000, cap: 300, messages, run: 1 });
    assert.deepEqual(packed.kept, ['m1', 'm2', 'm3', 'm4', 'm5'], policy);
    assert.equal(packed.total, 150 + 900 + 4 * 300);
    const cut = { fate: 'trimmed', rule: 'cap', need: 900, room: 300 };
    assert.deepEqual(
      packed.left,
      ['m1', 'm3', 'm4', 'm5'].map((id) => ({ id, ...cut })),
    );
    assert.deepEqual([...packed.shortened.values()], [300, 300, 300, 300]);
  }
});

test('C17: a user message that is too large is blocked by name, not cut', () => {
  const messages = [message('m1', 40, { role: 'system' }), message('m2', 900, { goalOf: 1, uncut: true })];
  const { blocked, shortened } = pack({ ...base, cap: 100, messages, run: 1 });
  assert.equal(shortened.size, 0);
  assert.deepEqual(blocked?.largest[0], { part: 'm2 (user)', tokens: 900, uncut: true });
  assert.match(blockedWords(blocked), /needs 1170 tokens and the limit is 420.*never cut: shorten m2/);
});

test('C17: the results of one block share the room that there is', () => {
  const messages = [
    message('m1', 40, { role: 'system' }),
    message('m2', 20, { goalOf: 1 }),
    message('m3', 30, { role: 'assistant', hasCalls: true }),
    message('m4', 20, { role: 'tool' }),
    message('m5', 90, { role: 'tool' }),
    message('m6', 200, { role: 'tool' }),
  ];
  const packed = pack({ ...base, messages, run: 1 });
  // Room for results: 420 − 80 − 150 − (40 + 20 + 30) = 100. The first takes its 20, the others half of 80 each.
  assert.equal(packed.blocked, undefined);
  assert.equal(packed.total, 420 - 80);
  assert.deepEqual(packed.left, [
    { id: 'm5', fate: 'trimmed', rule: 'cap', need: 90, room: 40 },
    { id: 'm6', fate: 'trimmed', rule: 'cap', need: 200, room: 40 },
  ]);
});

test('a restored message is sent whole', () => {
  const forced = new Map([['m4', 'restore']] as const);
  const packed = pack({ ...base, limit: 1000, cap: 25, messages: example, run: 2, forced });
  assert.ok(!packed.shortened.has('m4'));
  assert.equal(packed.shortened.get('m5'), 25);
});

const stubbed = example.map((one) =>
  one.role === 'tool' ? { ...one, tokens: 100, stub: 10 } : { ...one, uncut: one.role === 'user' },
);

test('blank-results: the oldest results become one line, as many as it takes', () => {
  const [, , , , m5, m6, m7] = stubbed;
  const older = [message('m8', 10, { role: 'assistant', hasCalls: true }), { ...m5!, id: 'm9' }];
  const messages = [...stubbed.slice(0, 5), ...older, m6!, m7!];
  // 150 + 40 + 25 + 48 + 2 × 100 + 110 + 30 + 20 = 623 of 560: one line in place of m4 is enough.
  const packed = pack({ ...base, policy: 'blank-results', limit: 640, messages, run: 2 });
  assert.equal(packed.blocked, undefined);
  assert.deepEqual(packed.left, [{ id: 'm4', fate: 'trimmed', rule: 'blank-results', need: 100, room: 37 }]);
  assert.equal(packed.total, 533);
  assert.equal(packed.sizes.get('m4'), 10);
});

test('blank-results: where lines are not enough, the oldest units leave', () => {
  const packed = pack({ ...base, policy: 'blank-results', limit: 330, messages: stubbed, run: 2 });
  // Room 330 − 80 − 150 − 60 = 40: the goal of run 1 takes 25, m6 does not fit, nor does the block with two lines.
  assert.deepEqual(packed.kept, ['m1', 'm2', 'm7']);
  const rule = 'blank-results';
  assert.deepEqual(packed.left, [
    { id: 'm3', fate: 'dropped', rule, need: 68, room: 15 },
    { id: 'm4', fate: 'dropped', rule, need: 68, room: 15, tiedTo: 'm3' },
    { id: 'm5', fate: 'dropped', rule, need: 68, room: 15, tiedTo: 'm3' },
    { id: 'm6', fate: 'dropped', rule, need: 30, room: 15 },
  ]);
});

const own = (decide: unknown): Packed =>
  pack({ ...base, messages: stubbed, run: 2, policy: { name: 'mine', decide: decide as Policy } });

test('a policy of the user decides, and its decisions carry its name', () => {
  const packed = own(({ units, text }: PolicyInput) => {
    assert.equal(text('m1'), '');
    return units
      .filter(({ newest, pinned }) => !newest && !pinned)
      .flatMap(({ messages }) =>
        messages.map(({ id, role }) => ({ id, fate: 'dropped', need: role.length })),
      );
  });
  assert.equal(packed.blocked, undefined);
  assert.deepEqual(packed.kept, ['m1', 'm7']);
  assert.deepEqual(packed.left[0], { id: 'm2', fate: 'dropped', rule: 'mine', need: 4 });
});

test('what a policy of the user makes no shorter is sent as it is, and is no change', () => {
  const packed = own(() => [
    { id: 'm4', fate: 'trimmed', to: 1000 },
    { id: 'm5', fate: 'trimmed', to: 'stub' },
  ]);
  assert.deepEqual(
    packed.left.map(({ id }) => id),
    ['m5'],
  );
  assert.ok(!packed.shortened.has('m4'));
  const short = stubbed.map((one) => (one.id === 'm5' ? { ...one, tokens: 4 } : one));
  const policy = { name: 'mine', decide: () => [{ id: 'm5', fate: 'trimmed', to: 'stub' }] as const };
  assert.deepEqual(pack({ ...base, messages: short, run: 2, policy }).left, []);
});

const foul: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  throws: [
    () => {
      throw new Error('boom');
    },
    /it threw boom/,
  ],
  'is asynchronous': [async () => [], /returned a promise/],
  'returns nothing': [() => undefined, /must return a list/],
  'names no message': [() => [{ id: 'm99', fate: 'dropped' }], /names no message/],
  'returns nonsense': [() => [null, 3n], /names no message/],
  'drops the system prompt': [() => [{ id: 'm1', fate: 'dropped' }], /m1, which is pinned/],
  'writes into what it is given': [
    ({ units }: { units: { pinned: boolean }[] }) => {
      for (const unit of units) unit.pinned = false;
      return [{ id: 'm7', fate: 'dropped' }];
    },
    /m7, which is pinned/,
  ],
  'drops a call without its results': [() => [{ id: 'm3', fate: 'dropped' }], /parts calls/],
  'drops a result without its call': [() => [{ id: 'm4', fate: 'dropped' }], /parts calls/],
  'drops a block and trims a part of it': [
    () => [...['m3', 'm4'].map((id) => ({ id, fate: 'dropped' })), { id: 'm4', fate: 'trimmed', to: 'stub' }],
    /twice about m4/,
  ],
  'cuts a user': [() => [{ id: 'm2', fate: 'trimmed', to: 3 }], /never cut/],
  'puts a line for an answer': [() => [{ id: 'm6', fate: 'trimmed', to: 'stub' }], /is no result/],
  'invents a fate': [() => [{ id: 'm6', fate: 'kept' }], /neither/],
  'leaves too much': [() => [], /left a request that needs \d+ tokens and the limit is 420/],
};
for (const [name, [decide, words]] of Object.entries(foul)) {
  test(`a policy that ${name} is blocked by name, and nothing of it is taken`, () => {
    const { blocked, kept } = own(decide);
    assert.ok(blocked);
    assert.match(blockedWords(blocked), words);
    assert.match(blockedWords(blocked), /"mine"/);
    assert.equal(kept.length, stubbed.length);
  });
}

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
      add(5, { run, goalOf: run, uncut: true });
      for (const [results, tokens] of blocks) {
        add(tokens, { role: 'assistant', run, hasCalls: results > 0 });
        for (let n = 0; n < results; n++) add(tokens, { role: 'tool', run, stub: 6 });
      }
    });
    return { messages, run: runs.length };
  });

/** The same after a summary was made: it stands before what it stands for, the oldest units behind the system prompt. */
const foldedHistory = fc.tuple(history, fc.nat(12)).map(([{ messages, run }, units]) => {
  const [system, ...rest] = messages;
  const starts = rest.flatMap(({ role }, at) => (role === 'tool' ? [] : [at]));
  const end = starts[Math.min(units, starts.length - 1)] ?? 0;
  if (end === 0) return { messages, run };
  const summary = message('m999', 9, { run: rest[0]!.run, added: true });
  const folded = rest.slice(0, end).map((one): PackMessage => ({ ...one, foldedInto: summary.id }));
  return { messages: [system!, summary, ...folded, ...rest.slice(end)], run };
});

/** What a user's module may say of a message: by its number, so that it says the same when it is asked again. */
const ownPolicy = fc
  .array(fc.constantFrom(...(['keep', 'keep', 'drop', 'drop', 'stub', 'cut', 'part', 'nonsense'] as const)), {
    minLength: 1,
    maxLength: 12,
  })
  .map((words): PackInput['policy'] => ({
    name: 'mine',
    decide: ({ units }) =>
      units.flatMap(({ pinned, newest, messages }): PolicyDecision[] => {
        const id = messages[0]!.id;
        const word = words[Number(id.slice(1)) % words.length];
        const result = messages.at(-1)!;
        if (word === 'nonsense') return [{ id: 'm-1', fate: 'dropped' }];
        // Of what it may not touch it sometimes says something all the same.
        if ((pinned || newest) && words.length % 3 !== 0) return [];
        if (word === 'drop') return messages.map((one) => ({ id: one.id, fate: 'dropped' }));
        if (word === 'part') return [{ id: result.id, fate: 'dropped' }];
        if (word === 'stub' && result.stub !== undefined)
          return [{ id: result.id, fate: 'trimmed', to: 'stub' }];
        return word === 'cut' ? [{ id: result.id, fate: 'trimmed', to: 7 }] : [];
      }),
  }));

test('pack: whatever the history, policy, budget, cap, pins and words of the user', () => {
  const seen = { folded: 0, own: 0, blockedOwn: 0 };
  fc.assert(
    fc.property(
      fc.oneof(history, foldedHistory),
      fc.oneof(fc.constantFrom(...policyNames), ownPolicy),
      fc.record({
        limit: fc.integer({ min: 1, max: 600 }),
        reserve: fc.integer({ min: 0, max: 100 }),
        cap: fc.integer({ min: 10, max: 90 }),
        window: fc.integer({ min: 1, max: 12 }),
      }),
      fc.uniqueArray(fc.nat(30), { maxLength: 4 }),
      fc.dictionary(fc.nat(30).map(String), fc.constantFrom('drop', 'restore'), { maxKeys: 3 }),
      ({ messages, run }, policy, numbers, pinned, words) => {
        const pins = new Set(pinned.map((n) => `m${n}`));
        const forced = new Map(Object.entries(words).map(([n, word]) => [`m${n}`, word]));
        const input: PackInput = { ...base, ...numbers, messages, run, policy, fixed: 20, pins, forced };
        const packed = pack(input);
        holds(input, packed);
        if (packed.left.some(({ fate }) => fate === 'folded')) seen.folded++;
        if (typeof policy !== 'string') seen[packed.blocked ? 'blockedOwn' : 'own']++;
      },
    ),
    { seed: 5, numRuns: 6000 },
  );
  // It can't pass by meeting none of them.
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 100, `${what}: ${times}`);
});

test('pack: what fits as it is comes out as the rules would have it', () => {
  let whole = 0;
  fc.assert(
    fc.property(
      fc.oneof(history, foldedHistory),
      fc.constantFrom(...policyNames.filter((name) => name !== 'none')),
      fc.record({
        limit: fc.integer({ min: 1, max: 1500 }),
        cap: fc.integer({ min: 40, max: 90 }),
        window: fc.integer({ min: 1, max: 30 }),
      }),
      fc.uniqueArray(fc.nat(30), { maxLength: 4 }),
      fc.dictionary(fc.nat(30).map(String), fc.constantFrom('drop', 'restore'), { maxKeys: 1 }),
      ({ messages, run }, policy, numbers, pinned, words) => {
        const pins = new Set(pinned.map((n) => `m${n}`));
        const forced = new Map(Object.entries(words).map(([n, word]) => [`m${n}`, word]));
        const input: PackInput = { ...base, ...numbers, messages, run, policy, fixed: 20, pins, forced };
        const { fold, ...packed } = pack(input);
        // Under its name a policy of ours is one of the user's: it is always asked.
        const asked = pack({ ...input, policy: { name: policy, decide: policies[policy] } });
        if (asked.blocked) assert.equal(packed.blocked?.why, asked.blocked.why);
        else if (fold === undefined) assert.deepEqual(packed, asked);
        if (packed.left.length === 0) whole++;
      },
    ),
    { seed: 6, numRuns: 3000 },
  );
  assert.ok(whole > 500, `${whole} were sent as they are`);
});

/**
 * What is true of every packing. Each failure has words of its own: where there are none, `assert` reads the source for
 * some, anew for each smaller history that is tried, and a broken rule hangs the test instead of failing it.
 */
function holds(input: PackInput, packed: Packed): void {
  const { messages, run, policy, limit, reserve, fixed, cap, pins, forced } = input;
  const kept = new Set(packed.kept);
  const left = new Map(packed.left.map((change) => [change.id, change]));
  const tokens = new Map(messages.map((one) => [one.id, one.tokens]));
  const size = (id: string) => packed.sizes.get(id) ?? tokens.get(id) ?? NaN;
  // Every message has exactly one fate, and order is kept.
  for (const { id } of messages) {
    const fate = left.get(id)?.fate;
    assert.equal(kept.has(id), fate === undefined || fate === 'trimmed', id);
    assert.equal(packed.shortened.has(id) && kept.has(id), fate === 'trimmed', id);
  }
  assert.equal(left.size, packed.left.length);
  assert.deepEqual(
    [...packed.kept],
    messages.map(({ id }) => id).filter((id) => kept.has(id)),
  );
  // System, the run's goal and pins survive.
  for (const one of messages)
    if (one.role === 'system' || one.goalOf === run || pins.has(one.id))
      assert.ok(kept.has(one.id), `${one.id} left`);
  // Units stay whole: a result is sent exactly when its assistant block is.
  let block: string | undefined;
  for (const one of messages) {
    if (one.role === 'tool') assert.equal(kept.has(one.id), kept.has(block ?? ''));
    else block = one.id;
  }
  // No message is larger than the cap or than it was, and a person's own words are whole.
  for (const one of messages) {
    if (one.uncut || forced.get(one.id) === 'restore') assert.equal(size(one.id), one.tokens);
    else assert.ok(size(one.id) <= Math.min(cap, one.tokens), `${one.id}: ${size(one.id)} over the cap`);
    if (!packed.shortened.has(one.id)) assert.equal(size(one.id), one.tokens);
  }
  // The arithmetic adds up, and it never exceeds the budget when it says that it fits.
  assert.equal(
    packed.total,
    packed.kept.reduce((sum, id) => sum + size(id), fixed),
  );
  if (policy !== 'none' && !packed.blocked)
    assert.ok(packed.total <= limit - reserve, `${packed.total} of ${limit - reserve}`);
  for (const { fate, rule, need = 0, room = 0 } of packed.left)
    if (fate === 'trimmed') assert.ok(need > room, `${rule}: ${need} of ${room}`);
  // Only what does not fit is blocked, with numbers that say so.
  if (packed.blocked && packed.blocked.why !== 'policy')
    assert.ok(packed.blocked.needs > packed.blocked.limit, `blocked: ${packed.blocked.needs}`);
  // What is folded names its summary; a policy that broke a rule decided nothing.
  for (const { id, fate, into } of packed.left)
    if (fate === 'folded') assert.equal(into, messages.find((one) => one.id === id)?.foldedInto);
  if (packed.blocked?.why === 'policy')
    for (const { id, rule } of packed.left)
      assert.ok(['cap', 'user', 'summarize'].includes(rule), `${id}: ${rule}`);
  // Packing twice changes nothing: neither the same again, nor what was packed.
  assert.deepEqual(pack(input), packed);
  if (packed.blocked) return;
  const sent = messages.filter(({ id }) => kept.has(id)).map((one) => ({ ...one, tokens: size(one.id) }));
  const again = pack({ ...input, messages: sent });
  assert.deepEqual(again.kept, packed.kept);
  assert.equal(again.total, packed.total);
}

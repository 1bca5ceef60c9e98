/** A policy of the user's whose answer is no plain data: it is blocked by name, and nothing of it is taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedWords } from '../../../src/planner/blocked.ts';
import { pack, type PackMessage } from '../../../src/planner/pack.ts';
import type { Policy } from '../../../src/planner/policy.ts';

const messages: readonly PackMessage[] = [
  { id: 'm1', role: 'user', run: 1, tokens: 25, hasCalls: false, goalOf: 1, uncut: true },
  { id: 'm2', role: 'assistant', run: 1, tokens: 30, hasCalls: false },
  { id: 'm3', role: 'assistant', run: 1, tokens: 30, hasCalls: false },
];
const packWith = (decide: unknown) =>
  pack({
    messages,
    run: 1,
    policy: { name: 'mine', decide: decide as Policy },
    limit: 1000,
    reserve: 80,
    fixed: 10,
    cap: 5000,
    window: 20,
    pins: new Set(),
    forced: new Map(),
    cut: (_id, max) => max,
    text: () => '',
  });
const trap = () => {
  throw new Error('a trap');
};

const foul: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  'fails later': [() => Promise.reject(new Error('too late')), /returned a promise/],
  'returns a list that throws': [() => new Proxy([], { get: trap }), /must return a list/],
  'returns a decision that throws': [
    () => [Object.defineProperty({}, 'id', { get: trap, enumerable: true })],
    /must return a list/,
  ],
  'returns a name that is none': [
    () => [{ id: Object.create(null) as unknown, fate: 'dropped' }],
    /names no message/,
  ],
};
for (const [name, [decide, words]] of Object.entries(foul))
  test(`a policy that ${name} is blocked by name`, () => {
    const { blocked, kept } = packWith(decide);
    assert.ok(blocked);
    assert.match(blockedWords(blocked), words);
    assert.equal(kept.length, messages.length);
  });

test("a rule in a policy's own words is kept short and well-formed", () => {
  const rule = `old \ud83d ${'x'.repeat(100_000)}`;
  const [left] = packWith(() => [{ id: 'm2', fate: 'dropped', rule }]).left;
  assert.ok(left?.rule?.startsWith('old \ufffd x') && left.rule.length <= 200);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { valueAt } from '../../../src/core/editText.ts';
import { legal } from '../../../src/core/legal.ts';
import type { WireMessage } from '../../../src/core/messages.ts';
import type { Op } from '../../../src/core/ops.ts';
import { requestHistory } from '../../../src/core/requestHistory.ts';
import { serialise } from '../../../src/core/serialise.ts';
import type { JournalState } from '../../../src/core/journalState.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';
import { stepThrough } from '../../doubles/stepThrough.ts';

const text = fc.oneof(
  fc.constantFrom('', 'x', 'half \ud800 a pair', '{"expression":"1"}', '{"expr', '{}', '[]'),
  fc.string({ maxLength: 12 }),
  fc.constant('long '.repeat(300)),
);
const wireCall = fc.record({
  id: fc.constantFrom('call_1', 'call_2', 'call_3', ''),
  type: fc.constant('function'),
  function: fc.record({ name: fc.constantFrom('calculator', 'list_todos', 'no such tool'), arguments: text }),
});
const wireMessage = fc.record(
  {
    role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
    content: fc.oneof(text, fc.constantFrom(null, [], [{ type: 'text', text: 'x' }], 5)),
    tool_calls: fc.oneof(
      fc.array(fc.oneof(wireCall, fc.constant(null)), { maxLength: 3 }),
      fc.constantFrom(null, 'x'),
    ),
    tool_call_id: fc.constantFrom('call_1', 'call_2'),
    reasoning_content: text,
  },
  { requiredKeys: ['role'] },
);
const newMessage = fc.record({
  role: fc.constantFrom('system', 'user', 'user', 'assistant'),
  content: fc.oneof(fc.constant('Something new.'), text),
});
const value = fc.oneof(
  text,
  wireMessage,
  fc.array(wireCall, { maxLength: 3 }),
  fc.jsonValue(),
  fc.constantFrom(0.5, null),
);
/** `#7`: the seventh of the messages there are at that moment, counted round and round; keys likewise. */
const message = fc.nat({ max: 99 }).map((n) => `#${n}`);
const key = message;
const path = fc.constantFrom(
  '',
  '/content',
  '/content',
  '/content',
  '/role',
  '/tool_calls',
  '/tool_calls/0',
  '/tool_calls/1/function/arguments',
  '/tool_calls/0/function/name',
  '/tool_calls/0/id',
  '/tool_call_id',
);
const target = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(message, path).map((both) => both.join('')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'request/temperature',
      'request/model',
      'request/max_tokens',
      'request/any',
      'state/todos',
      'state/todos/0/done',
    ),
  },
);
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      target,
      scope: fc.constantFrom('history' as const, 'pending' as const, 'request' as const, 'state' as const),
      value,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('pin' as const, 'unpin' as const, 'drop' as const, 'restore' as const),
      target: message,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('mock' as const), target: key, data: fc.jsonValue() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('skip' as const), target: key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const), target: key, reason: text }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      target: fc.constant('messages'),
      scope: fc.constantFrom('history' as const, 'request' as const, 'request' as const, 'pending' as const),
      value: fc.oneof(
        newMessage,
        newMessage,
        wireMessage,
        fc.array(wireMessage, { maxLength: 3 }),
        fc.jsonValue(),
      ),
      behind: fc.oneof(message, message, fc.constant(undefined)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      target: message.map((id) => `${id}/tool_calls`),
      scope: fc.constant('pending' as const),
      value: fc.record({
        name: fc.constantFrom('calculator', 'list_todos', 'no such tool', 5),
        arguments: fc.oneof(text, fc.constant({ expression: '7' })),
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      target: fc.oneof(
        message,
        message,
        fc
          .tuple(message, fc.constantFrom('/tool_calls/0', '/tool_calls/1', '/content'))
          .map((both) => both.join('')),
        fc.constantFrom('request/temperature', 'request/model', 'state/todos'),
      ),
      scope: fc.constantFrom('history' as const, 'pending' as const, 'request' as const, 'state' as const),
      also: fc.oneof(fc.constant(undefined), fc.constant([]), fc.array(message, { maxLength: 2 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('askAgain' as const) }) },
);

/** Replies as models give them: good calls, calls that can't be executed, ids used again, answers. */
const scriptedCall = fc.record({
  name: fc.constantFrom('calculator', 'list_todos', 'add_todo', 'unknown_tool'),
  arguments: fc.constantFrom<unknown>({ expression: '1+1' }, { content: 'x' }, {}, '{"expr', '[]'),
  id: fc.constantFrom('call_1', 'call_2', 'call_3'),
});
const callReply = fc
  .tuple(
    fc.uniqueArray(scriptedCall, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
    fc.constantFrom(null, 'I call.'),
  )
  .map(([list, said]) => calls(list, said));
const replies = fc.array(callReply, { maxLength: 2 });

const session = fc.record({
  runs: fc.array(replies, { minLength: 1, maxLength: 3 }),
  policy: fc.constantFrom('none' as const, 'drop-oldest' as const, 'window' as const),
  /** Tokens beside tools and reserve: small enough for messages to leave. */
  room: fc.constantFrom(60, 150, 2000),
  edits: fc.array(fc.array(op, { maxLength: 4 }), { minLength: 30, maxLength: 30 }),
});

/** How often an op was taken or refused, so that the property can't pass by refusing everything. */
const counts = { taken: 0, refused: 0, bodies: 0, offered: 0, asked: 0, inserted: 0, removed: 0 };
/** The model is not asked again for ever. */
const mostAsked = 4;

test('random ops at every stop: refused and nothing changed, or taken, seen, and legal to the end', async () => {
  await fc.assert(
    fc.asyncProperty(session, async ({ runs, policy, room, edits }) => {
      const bodies: string[] = [];
      const model = createScriptedModel([]);
      const agent = await createTestAgent(
        {
          ...model,
          async send({ text: body }, options) {
            bodies.push(body);
            const step = plan.shift() ?? says('Done.');
            return typeof step === 'function' ? step(body, options) : step;
          },
        },
        { max_iters: 4, max_history: 4, context: { max_tokens: 1854 + room, reserve: 1000, policy } },
      );
      let plan: ModelStep[] = [];
      const held = createTestSession();
      let stops = 0;
      for (const [index, replies] of runs.entries()) {
        plan = [...replies];
        await stepThrough(agent, held, `Goal ${index + 1}`, (_stop, run) => {
          for (const template of edits[stops++ % edits.length] ?? []) {
            const one = resolved(held.state, template);
            if (one.kind === 'askAgain' && stops > 60 * mostAsked) continue;
            const before = structuredClone(held.state);
            const applied = run.apply(one);
            count(one, applied.ok);
            if (applied.ok) {
              assertSeen(held.state, one);
              continue;
            }
            assert.deepEqual(held.state, before);
            assert.ok(applied.reason !== '' && !/\{\d\}/.test(applied.reason), applied.reason);
            // What is offered instead is taken, one after the other.
            for (const other of applied.offer ?? []) {
              const instead = run.apply(other);
              assert.ok(
                instead.ok,
                `${JSON.stringify(one)}: ${applied.reason} ${JSON.stringify(other)} ${JSON.stringify(instead)}`,
              );
              counts.offered++;
              count(other, true);
              if (instead.edit) assertSeen(held.state, other);
            }
          }
        });
        assert.doesNotMatch(held.state.runs.at(-1)?.ended?.limit ?? '', /not legal/);
      }
      counts.bodies += bodies.length;
      for (const body of bodies) {
        const { messages, model: name } = JSON.parse(body) as { messages: WireMessage[]; model: unknown };
        assert.deepEqual(legal(messages), []);
        assert.ok(typeof name === 'string' && name !== '');
      }
      assert.deepEqual(problemsOf(held), []);
    }),
    { seed: 20_261_130, numRuns: 120 },
  );
  assert.ok(counts.taken > 150 && counts.refused > 300 && counts.bodies > 150, JSON.stringify(counts));
  const { offered, asked, inserted, removed } = counts;
  assert.ok(offered > 50 && asked > 15 && inserted > 50 && removed > 10, JSON.stringify(counts));
});

function count({ kind }: Op, isTaken: boolean): void {
  counts[isTaken ? 'taken' : 'refused']++;
  if (!isTaken) return;
  if (kind === 'askAgain') counts.asked++;
  if (kind === 'insert') counts.inserted++;
  if (kind === 'remove') counts.removed++;
}

/** The op with `#n` as a message (or call) that is there: pending ones, those of the history, and one that is not. */
function resolved(state: JournalState, op: Op): Op {
  const round = state.runs.at(-1)?.rounds.at(-1);
  const pending = [round?.replies.at(-1)?.message, ...(round?.calls ?? []).map(({ message: id }) => id)];
  const messages = [...state.history, ...pending, 'm99'].filter((id) => id !== undefined);
  const keys = [...(round?.calls ?? []).map((call) => call.key), '9.9.9'];
  const isCall = op.kind === 'mock' || op.kind === 'skip' || op.kind === 'reject';
  const pick = (n: string) => {
    const list = isCall ? keys : messages;
    return list[Number(n) % list.length] ?? '';
  };
  const named = (target: string) => target.replace(/^#(\d+)/, (_, n: string) => pick(n));
  if (op.kind === 'askAgain') return op;
  if (op.kind === 'insert') return { ...op, target: named(op.target), behind: op.behind && named(op.behind) };
  if (op.kind === 'remove') return { ...op, target: named(op.target), also: op.also?.map(named) };
  return { ...op, target: named(op.target) };
}

/** An op that was taken is there to be seen at once. */
function assertSeen(state: JournalState, op: Op): void {
  if (op.kind === 'askAgain') return;
  const fate = state.fates.get(op.target);
  switch (op.kind) {
    case 'insert':
      if (op.target === 'messages') assert.ok(requestHistory(state).includes(`m${state.highest.message}`));
      return;
    case 'remove':
      if (op.scope === 'history' && !op.target.includes('/')) assert.ok(!state.history.includes(op.target));
      if (op.scope === 'request' && !op.target.includes('/'))
        assert.ok(fate?.fate === 'dropped' || !requestHistory(state).includes(op.target));
      for (const id of op.also ?? [])
        assert.ok(
          op.scope === 'history' ? !state.history.includes(id) : state.fates.get(id)?.fate === 'dropped',
        );
      return;
    case 'set': {
      const whole = op.target.includes('/') ? op.target : `${op.target}/`;
      const at = whole.endsWith('/') ? undefined : valueAt(state, whole, op.scope);
      if (at !== undefined) assert.deepEqual(at, JSON.parse(serialise(op.value)), op.target);
      return;
    }
    case 'drop':
      assert.deepEqual([fate?.fate, fate?.rule], ['dropped', 'user']);
      return;
    case 'restore':
      assert.equal(fate, undefined);
      return;
    case 'pin':
      if (state.checkpoint?.kind === 'plan') assert.equal(fate, undefined);
      assert.ok(state.pins.has(op.target));
      return;
    case 'unpin':
      assert.ok(!state.pins.has(op.target));
      return;
    default:
      assert.equal(
        state.runs
          .at(-1)
          ?.rounds.at(-1)
          ?.calls.find(({ key: own }) => own === op.target)?.verdict?.op,
        op.kind,
      );
  }
}

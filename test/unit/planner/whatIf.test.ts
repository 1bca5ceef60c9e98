import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { contextView } from '../../../src/core/contextView.ts';
import { truncations } from '../../../src/core/truncations.ts';
import type { WhatIfAnswer, WhatIfAsk } from '../../../src/core/whatIf.ts';
import { createMeasures } from '../../../src/planner/measure.ts';
import type { PolicyInput } from '../../../src/planner/policy.ts';
import { createTokenCounter } from '../../../src/planner/tokens.ts';
import { whatIf } from '../../../src/planner/whatIf.ts';
import { startRun } from '../../../src/runner/run.ts';
import { writeRichJournal } from '../../doubles/richJournal.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession } from '../../doubles/testAgent.ts';

const measures = createMeasures(await createTokenCounter());

function answer(events: readonly JournalEvent[], ask: Partial<WhatIfAsk>): WhatIfAnswer {
  return drain(whatIf(events, { limit: 8192, policy: 'drop-oldest', text: '', ...ask }, measures));
}

function drain(course: Generator<number, WhatIfAnswer>): WhatIfAnswer {
  for (let step = course.next(); ; step = course.next()) if (step.done) return step.value;
}

/** A run of calculations, every result a little text, under a budget. */
async function runOf(
  rounds: number,
  context: { max_tokens: number; policy: 'drop-oldest' | 'blank-results' | 'window' | 'none' },
  max_history = 20,
) {
  const model = createScriptedModel([
    ...Array.from({ length: rounds }, (_, n) =>
      calls(
        [{ name: 'calculator', arguments: { expression: `${n}+${n}` }, id: `call_${n}` }],
        `Step ${n}: I add. ${'word '.repeat(20)}`,
      ),
    ),
    says('Done.'),
  ]);
  const agent = await createTestAgent(model, {
    max_iters: rounds + 1,
    max_history,
    context: { ...context, reserve: 100 },
  });
  const session = createTestSession();
  await startRun(agent, session, { goal: 'Add them all, and remember the number 4711.' }).done;
  return [...session.journal.events];
}

/** About what the tools that ship, the system prompt and the goal need, in tokens. */
const floor = 1454;

test('asked what the run had, the answer is what happened: every round packs the same, nothing is news', async () => {
  for (const policy of ['drop-oldest', 'blank-results', 'window', 'none'] as const) {
    const events = await runOf(12, { max_tokens: policy === 'none' ? 100_000 : floor + 600, policy }, 7);
    const limit = policy === 'none' ? 100_000 : floor + 600;
    const result = answer(events, { limit, policy });
    const packed = events.flatMap((event) => (event.type === 'context.packed' ? [event] : []));
    assert.deepEqual(
      result.totals,
      packed.map(({ total }) => total),
      policy,
    );
    for (const { round, was } of result.leaves) assert.equal(round, was, policy);
    if (policy !== 'none' && policy !== 'blank-results') assert.ok(result.leaves.length > 0, policy);
  }
});

test('edits, pins, a retry and two runs are packed again as they were', async () => {
  const events = await writeRichJournal();
  const result = answer(events, { limit: 8192, policy: 'window' });
  const totals = new Map<string, number>();
  for (const { run, round, event } of foldAll(events).packings) totals.set(`${run}.${round}`, event.total);
  assert.deepEqual(result.totals, [...totals.values()]);
});

test('a smaller limit: what leaves sooner, in which round, and when a text is lost', async () => {
  const events = await runOf(12, { max_tokens: 100_000, policy: 'none' });
  const small = answer(events, { limit: floor + 500, policy: 'drop-oldest', text: 'Step 0' });
  assert.ok(small.leaves.length > 1);
  assert.deepEqual(small.leaves[0]?.ids, ['m3', 'm4'], 'a call and its result leave together');
  assert.equal(small.leaves[0]?.was, undefined, 'it never left');
  assert.equal(small.textLost, small.leaves[0].round);
  const smaller = answer(events, { limit: floor + 400, policy: 'drop-oldest' });
  assert.ok((smaller.leaves[0]?.round ?? 99) <= small.leaves[0].round);
  assert.deepEqual(small.groups[0]?.ids, ['m1', 'm2']);
  assert.deepEqual(small.groups[0]?.spans, [[0, small.rounds.length, 'kept']]);
  assert.equal(
    answer(events, { limit: floor + 500, text: '4711' }).textLost,
    undefined,
    'the goal never leaves',
  );
  assert.equal(answer(events, { limit: floor + 500, text: 'never said' }).textLost, undefined);
});

test('a limit that not even the goal fits into: the round that could not be sent, with what it needs', async () => {
  const events = await runOf(3, { max_tokens: 100_000, policy: 'none' });
  const { blocked } = answer(events, { limit: 50 });
  assert.equal(blocked?.round, 0);
  assert.ok((blocked?.needs ?? 0) > 50);
});

test('a journal that holds less than it should does not break it', () => {
  for (const events of [[], [{ seq: 0, at: 0, type: 'context.packed' }] as never]) {
    assert.deepEqual(
      answer(
        events.filter((event: JournalEvent) => 'fixed' in event),
        {},
      ).rounds,
      [],
    );
  }
});

test('what is said to leave next is what leaves next, and what left is told round by round', async () => {
  for (const policy of ['drop-oldest', 'window', 'blank-results'] as const) {
    const events = await runOf(14, { max_tokens: floor + 700, policy }, 9);
    const state = foldAll(events);
    const rounds = state.runs.flatMap((run) => run.rounds);
    let seen = 0;
    for (const [index, round] of rounds.entries()) {
      const then = contextView(state, round);
      const after = rounds[index + 1];
      const packed = after?.packing === undefined ? undefined : state.packings[after.packing]?.event;
      const first = packed?.changed.find(({ fate }) => fate !== 'kept');
      if (!then?.next || !first) continue;
      assert.ok(
        then.next.ids.includes(first.id),
        `${policy} round ${round.round}: ${then.next.ids.join(' ')} / ${first.id}`,
      );
      assert.equal(then.next.fate, first.fate);
      seen++;
    }
    assert.ok(seen > 1, policy);
    const told = truncations(state);
    assert.ok(told.length > 1 && told.every(({ dropped, trimmed }) => dropped.length + trimmed.length > 0));
    const counts = new Map(state.packings.flatMap(({ event }) => event.counted));
    for (const one of told.filter(() => policy !== 'blank-results'))
      assert.equal(
        one.tokens,
        one.dropped.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0),
      );
  }
});

test('asked of summaries, it folds what the loop folds, by a size that is said to be assumed; no model is asked', async () => {
  const events = await runOf(16, { max_tokens: 100_000, policy: 'none' });
  const limit = floor + 900;
  const result = answer(events, { limit, policy: 'summarize', text: 'Step 0: I add' });
  assert.equal(result.assumed?.by, 'most');
  assert.ok(result.assumed.tokens >= 64 && result.assumed.tokens < limit / 8);
  const folded = result.groups.filter(({ spans }) => spans.some(([, , fate]) => fate === 'folded'));
  assert.ok(folded.length > 0 && result.leaves.length > 0);
  // What was folded stays so: a summary stands for it from then on.
  for (const { spans } of folded) assert.equal(spans.at(-1)?.[2], 'folded');
  // After a fold there is room again: below the mark at which it is time to fold.
  for (const total of result.totals) assert.ok(total <= (limit - 100) * 0.85, `${total}`);
  // The text was in what is folded; what a summary says of it nobody knows.
  assert.equal(result.textLost, result.leaves[0]?.round);
  assert.equal(result.blocked, undefined);
});

test('a session that has summaries lends their size', async () => {
  const events = await runOf(16, { max_tokens: 100_000, policy: 'none' });
  // As if the first message after the goal were a summary of 70 tokens.
  const changed = events.map((event) => {
    if (event.type === 'history.appended')
      return {
        ...event,
        messages: event.messages.map((message) =>
          message.id === 'm3' ? { ...message, origin: { kind: 'summary' as const } } : message,
        ),
      };
    return event.type === 'context.packed'
      ? { ...event, counted: event.counted.map(([id, n]) => [id, id === 'm3' ? 70 : n] as const) }
      : event;
  });
  const { assumed } = answer(changed, { limit: floor + 900, policy: 'summarize' });
  assert.deepEqual(assumed, { tokens: 70, by: 'written' });
});

test("a policy of the user's own is tried out by its name, held to the rules of all", async () => {
  const events = await runOf(8, { max_tokens: 100_000, policy: 'none' });
  let asked = 0;
  const own = {
    name: './mine.mjs',
    decide: ({ units }: PolicyInput) => {
      asked++;
      return units
        .filter(({ pinned, newest }) => !pinned && !newest)
        .flatMap(({ messages }) => messages.map(({ id }) => ({ id, fate: 'dropped' as const })));
    },
  };
  const ask = { limit: 8192, policy: './mine.mjs', text: '' };
  const ours = drain(whatIf(events, ask, measures, own));
  assert.equal(asked, ours.rounds.length);
  // Only the goal, the system prompt and the newest block are sent.
  const last = ours.rounds.length - 1;
  const sent = ours.groups.filter(({ spans }) =>
    spans.some(([, to, fate]) => to === last + 1 && fate === 'kept'),
  );
  assert.deepEqual(sent.flatMap(({ ids }) => ids).slice(0, 2), ['m1', 'm2']);
  assert.equal(sent.flatMap(({ ids }) => ids).length, 4);
  const bad = { name: './mine.mjs', decide: () => [{ id: 'm2', fate: 'dropped' as const }] };
  assert.equal(drain(whatIf(events, ask, measures, bad)).blocked?.round, 0);
  const broken = {
    name: './mine.mjs',
    decide: () => {
      throw new Error('no');
    },
  };
  assert.equal(drain(whatIf(events, ask, measures, broken)).blocked?.round, 0);
});

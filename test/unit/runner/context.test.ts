/** What a session's context does when it is short, from the agent's settings to the bodies that leave. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContextConfig } from '../../../src/core/config.ts';
import { contextView } from '../../../src/core/contextView.ts';
import { currentRound } from '../../../src/core/journalState.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import { startRun } from '../../../src/runner/run.ts';
import { dump } from '../../doubles/dumpTool.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const dumps = (words: number, count = 1) =>
  calls(Array.from({ length: count }, (_, n) => ({ name: 'dump', arguments: { words }, id: `c${n}` })));

async function run(
  steps: readonly ModelStep[],
  context: Partial<ContextConfig>,
  { goal = 'go', session = createTestSession(), system_prompt = 'You are a test.' } = {},
) {
  const model = createScriptedModel(steps);
  const agent = await createTestAgent(model, { context, system_prompt }, [dump]);
  const outcome = await startRun(agent, session, { goal }).done;
  model.assertDone();
  assert.deepEqual(problemsOf(session), []);
  const bodies = model.bodies.map((body) => (JSON.parse(body) as { messages: WireMessage[] }).messages);
  return { outcome, session, bodies, why: session.state.runs.at(-1)?.ended?.limit ?? '' };
}

/** The parts of the budget add up, and what is shown is what was sent. */
function assertShown(session: Awaited<ReturnType<typeof run>>['session']) {
  const round = currentRound(session.state);
  const view = round && contextView(session.state, round);
  assert.ok(view);
  assert.equal(
    view.budget.parts.reduce((sum, { tokens }) => sum + tokens, 0),
    view.budget.limit,
  );
  assert.equal(view.budget.parts.find(({ part }) => part === 'other')?.tokens, 0);
  return view;
}

test('C17: a result that is too large is sent shortened; the whole of it stays in the journal', async () => {
  const { outcome, session, bodies } = await run([dumps(600), says('done')], { max_message: 100 });
  assert.equal(outcome, 'done');
  const [, , , result] = bodies[1] ?? [];
  assert.equal(result?.tool_call_id, 'c0');
  assert.match(
    contentText(result),
    /^\{"success":true,"data":"\d+ lorem lorem.*characters left out\].*lorem ","note":".*read_result\(.*\)\."\}$/,
  );
  const id = session.state.history[3]!;
  assert.equal(session.state.fates.get(id)?.fate, 'trimmed');
  assert.ok((session.state.fates.get(id)?.need ?? 0) > 600);
  assert.equal(session.state.fates.get(id)?.room, 100);
  const whole = session.state.parts.get(session.state.messages.get(id)?.versions[0]?.part ?? '');
  assert.equal(whole?.match(/lorem/g)?.length, 600);
  const row = assertShown(session).rows.find((one) => one.id === id);
  assert.equal(row?.fate, 'trimmed');
  assert.ok((row?.tokens ?? Infinity) <= 100);
});

test('C17: the default cap is a share of the budget, and applies before anything is too much', async () => {
  const { bodies } = await run([dumps(700), says('done')], { max_tokens: 1024, reserve: 0 });
  assert.match(contentText(bodies[1]![3]!), /characters left out/);
  const wide = await run([dumps(500), says('done')], { max_tokens: 8192 });
  assert.doesNotMatch(contentText(wide.bodies[1]![3]!), /left out/);
});

test('C17: a system prompt is shortened, a user message is not: it is blocked, with what to do', async () => {
  const system = await run([says('done')], { max_message: 60 }, { system_prompt: 'Rule. '.repeat(500) });
  assert.match(contentText(system.bodies[0]![0]!), /^Rule\..*characters left out.*Rule\. $/);
  const goal = await run([], { max_tokens: 2000, reserve: 200 }, { goal: 'word '.repeat(3000) });
  assert.equal(goal.outcome, 'blocked');
  assert.match(goal.why, /limit is 2000.*m2 \(user\) 300\d.*never cut: shorten m2/);
  const again = await run([says('hi')], { max_tokens: 8000, reserve: 200 }, { session: goal.session });
  assert.equal(again.outcome, 'done');
});

test('the results of one reply share the room instead of blocking the run', async () => {
  const { outcome, bodies, session } = await run([dumps(600, 6), says('done')], {
    max_tokens: 2000,
    reserve: 200,
  });
  assert.equal(outcome, 'done');
  assert.equal(bodies[1]!.filter(({ role }) => role === 'tool').length, 6);
  const { budget } = assertShown(session);
  assert.ok(budget.sent <= 1800 && budget.sent > 1500, String(budget.sent));
});

test('blank-results: old observations become a line, the newest is whole, and all rounds are proven', async () => {
  const context = { policy: 'blank-results', max_tokens: 1300, reserve: 100 } as const;
  const { outcome, session, bodies } = await run([dumps(500), dumps(500), dumps(500), says('done')], context);
  assert.equal(outcome, 'done');
  const results = bodies
    .at(-1)!
    .filter(({ role }) => role === 'tool')
    .map(contentText);
  assert.match(
    results[0]!,
    /^\[The content of this result \(3,0\d\d characters\) was left out to save room\.\]$/,
  );
  assert.match(results.at(-1)!, /lorem "\}$/);
  const view = assertShown(session);
  assert.equal(view.rows.find(({ id }) => id === session.state.history[3])?.fate, 'trimmed');
});

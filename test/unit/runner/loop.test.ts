import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { checkJournal } from '../../../src/core/check.ts';
import { comparable } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { legal } from '../../../src/core/legal.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import { logLine } from '../../../src/core/logLine.ts';
import { rewire } from '../../../src/planner/egress.ts';
import { startRun } from '../../../src/runner/run.ts';
import { historyMessages, type Session } from '../../../src/session/session.ts';
import { builtinTools } from '../../../src/toolbox/builtinTools.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { outgoing } from '../../doubles/outgoing.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const two = calls([
  { name: 'calculator', arguments: { expression: '45+20' }, id: 'call_a' },
  { name: 'add_todo', arguments: { content: 'reply to mail', minutes: 20 }, id: 'call_b' },
]);

async function run(
  steps: readonly ModelStep[],
  settings: Parameters<typeof createTestAgent>[1] = {},
  session = createTestSession(),
) {
  const model = createScriptedModel(steps);
  const agent = await createTestAgent(model, settings);
  const lines: string[] = [];
  session.journal.onEvent((event) => {
    const line = logLine(session.state, event);
    if (line !== undefined) lines.push(...line.split('\n'));
  });
  const outcome = await startRun(agent, session, { goal: 'How long do 45 and 20 minutes take?' }).done;
  model.assertDone();
  assert.deepEqual(problemsOf(session), []);
  assert.deepEqual(legal(history(session)), []);
  return { outcome, session, lines, model };
}

/** As it would be sent: the history itself keeps what a model wrote, also where no server would take it back. */
const history = (session: Session) =>
  rewire(outgoing(historyMessages(session.state).map(({ text }) => text))).map(
    ({ text }) => JSON.parse(text) as WireMessage,
  );

test('two calls in a reply, then an answer: events, log lines and bodies', async () => {
  const { outcome, session, lines, model } = await run([two, says('65 minutes.')]);
  assert.equal(outcome, 'done');
  const types = session.journal.events.map(({ type }) => type).filter((type) => type !== 'part');
  assert.deepEqual(types, [
    'session.opened',
    'run.started',
    'history.appended',
    'round.started',
    'context.packed',
    'checkpoint',
    'model.requested',
    'model.replied',
    'checkpoint',
    'checkpoint',
    'call.started',
    'call.finished',
    'checkpoint',
    'call.started',
    'state.changed',
    'call.finished',
    'checkpoint',
    'history.appended',
    'round.ended',
    'round.started',
    'context.packed',
    'checkpoint',
    'model.requested',
    'model.replied',
    'checkpoint',
    'checkpoint',
    'history.appended',
    'round.ended',
    'run.ended',
    'checkpoint',
  ]);
  assert.deepEqual(
    lines.map((line) => line.replace(/\d+\.\d\ds/, '0.00s')),
    [
      '[iter 1][plan] → calculator, add_todo',
      '[iter 1][action] calculator {"expression":"45+20"} 0.00s ok',
      '[iter 1][action] add_todo {"content":"reply to mail","minutes":20} 0.00s ok',
      '[iter 1][observe] {"success":true,"data":65}',
      '[iter 1][observe] {"success":true,"data":{"id":1,"total":1}}',
      '[iter 2][plan] 65 minutes. → answer',
    ],
  );
  const second = JSON.parse(model.bodies[1] ?? '') as {
    messages: WireMessage[];
    temperature: number;
    stream: boolean;
  };
  assert.deepEqual(
    second.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool', 'tool'],
  );
  assert.equal(second.temperature, 0.3);
  assert.equal(second.stream, true);
});

test('a further run goes on with the same session', async () => {
  const { session } = await run([two, says('65 minutes.')]);
  const again = await run([says('Nothing is left.')], {}, session);
  assert.equal(again.outcome, 'done');
  assert.equal(session.state.runs.length, 2);
  const body = JSON.parse(again.model.bodies[0] ?? '') as { messages: WireMessage[] };
  assert.equal(body.messages.length, 7);
});

test('calls decide, not the label of the reply', async () => {
  const labelled = { ...two, finish: 'stop' };
  const { session } = await run([labelled, says('done')]);
  assert.equal(session.state.runs[0]?.rounds.length, 2);
});

for (const limit of [0, 1, 2, 3]) {
  test(`round limit ${limit}: the calls of the last round are answered, the history is legal`, async () => {
    const ask = calls([{ name: 'calculator', arguments: { expression: '1+1' } }]);
    const replies = [ask, two, says('done')].slice(0, Math.min(limit, 3));
    const { outcome, session } = await run(replies, { max_iters: limit });
    assert.equal(outcome, limit < 3 ? 'limit' : 'done');
    if (limit < 3) assert.equal(session.state.runs[0]?.ended?.limit, `round limit (${limit})`);
    assert.equal(session.state.runs[0]?.rounds.length, limit);
  });
}

test('bad arguments are never executed, and the next request replays {}', async () => {
  const bad = calls([{ name: 'calculator', arguments: '{"expression": "45+' }]);
  const { session, model } = await run([bad, says('sorry')]);
  assert.equal(session.state.runs[0]?.rounds[0]?.calls[0]?.outcome, 'invalid');
  assert.ok(!session.journal.events.some(({ type }) => type === 'call.started'));
  const second = JSON.parse(model.bodies[1] ?? '') as { messages: WireMessage[] };
  assert.equal(second.messages[2]?.tool_calls?.[0]?.function.arguments, '{}');
  assert.match(contentText(second.messages[3] ?? { role: 'tool' }), /"success":false.*expression/);
});

test('a model that fails ends the run with its words, and the session can go on', async () => {
  const { outcome, session } = await run([fails('auth', { message: 'wrong key', status: 401 })]);
  assert.equal(outcome, 'failed');
  assert.equal(session.state.runs[0]?.ended?.limit, 'wrong key');
  assert.equal((await run([says('hi')], {}, session)).outcome, 'done');
});

test('a reply with neither text nor calls is never stored', async () => {
  const { outcome, session } = await run([says('')]);
  assert.equal(outcome, 'failed');
  assert.deepEqual(
    history(session).map(({ role }) => role),
    ['system', 'user'],
  );
});

test('a context floor that does not fit blocks before a request, with numbers', async () => {
  const { outcome, session } = await run([], { context: { max_tokens: 50, reserve: 40 } });
  assert.equal(outcome, 'blocked');
  assert.match(
    session.state.runs[0]?.ended?.limit ?? '',
    /needs \d+ tokens and the limit is 50.*Largest parts/,
  );
});

test('two runs side by side share nothing', async () => {
  const [a, b] = await Promise.all([run([two, says('A')]), run([two, says('B')])]);
  const bodies = (one: typeof a) => one.session.journal.events.map(comparable);
  assert.notEqual(a.session, b.session);
  assert.deepEqual(bodies(a).slice(0, 5), bodies(b).slice(0, 5));
  assert.ok(!JSON.stringify(history(a.session)).includes('"B"'));
  assert.equal(a.session.state.messages.get('m3') === b.session.state.messages.get('m3'), false);
});

test('one agent, two sessions at once: their messages never meet', async () => {
  const model = createScriptedModel(
    Array.from({ length: 6 }, () => (body: string) => {
      const { messages } = JSON.parse(body) as { messages: WireMessage[] };
      const goal = contentText(messages.find(({ role }) => role === 'user') ?? { role: 'user' });
      const asked = messages.some(({ role }) => role === 'tool');
      return asked
        ? says(`${goal} is answered`)
        : calls([{ name: 'add_todo', arguments: { content: goal } }]);
    }),
  );
  const agent = await createTestAgent(model);
  const sessions = ['s-a', 's-b', 's-c'].map((id) => createTestSession(id));
  await Promise.all(
    sessions.map((session) => startRun(agent, session, { goal: `goal of ${session.id}` }).done),
  );
  for (const session of sessions) {
    const text = JSON.stringify(history(session));
    const others = sessions.filter((other) => other !== session).map(({ id }) => id);
    assert.ok(text.includes(`goal of ${session.id} is answered`));
    for (const other of others) assert.ok(!text.includes(other), `${session.id} holds a message of ${other}`);
    assert.deepEqual(session.working.get('todos'), [
      { id: 1, content: `goal of ${session.id}`, done: false },
    ]);
  }
});

const hanging = defineTool({
  name: 'hang',
  description: 'Never returns.',
  effects: 'none',
  input: z.object({}),
  run: () => new Promise(() => undefined),
});

test('cancelled at any await: one result per call, a legal history, and the session goes on', async () => {
  const points = ['context.packed', 'model.requested', 'model.replied', 'call.started', 'call.finished'];
  for (const point of points) {
    const session = createTestSession(`s-${point}`);
    const waits: ModelStep = (_body, { signal }) =>
      signal.aborted
        ? fails('cancelled')
        : point === 'model.requested'
          ? new Promise((resolve) =>
              signal.addEventListener('abort', () => resolve(fails('cancelled')), { once: true }),
            )
          : calls([{ name: 'calculator', arguments: { expression: '1' } }, { name: 'hang' }]);
    const agent = await createTestAgent(createScriptedModel([waits, says('back again')]), {}, [
      ...builtinTools,
      hanging,
    ]);
    const holder: { run?: ReturnType<typeof startRun> } = {};
    session.journal.onEvent(({ type }) => {
      if (type === point) queueMicrotask(() => holder.run?.cancel());
    });
    holder.run = startRun(agent, session, { goal: 'go' });
    assert.equal(await holder.run.done, 'cancelled', point);
    assert.deepEqual(problemsOf(session), [], point);
    assert.deepEqual(legal(history(session)), [], point);
    const results = history(session)
      .filter(({ role }) => role === 'tool')
      .map(contentText);
    if (results.length > 0) assert.equal(results.length, 2, point);
    if (results.length > 0) assert.match(results[1] ?? '', /cancelled (before start|while running)/, point);
    // Back from the events alone, as from disk.
    assert.deepEqual(foldAll(session.journal.events).history, session.state.history, point);
  }
});

test('the journal of a run folds to the state that the session holds', async () => {
  const { session } = await run([two, says('65 minutes.')]);
  const folded = foldAll(session.journal.events);
  assert.deepEqual(folded.history, session.state.history);
  assert.deepEqual([...folded.working], [...session.state.working]);
  assert.equal(checkJournal(session.journal.events, { sha256: () => '', byteLength: () => 0 }).requests, 2);
});

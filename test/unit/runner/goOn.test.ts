import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable, type JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { stoppedAtLimit } from '../../../src/core/journalState.ts';
import { roundsAhead } from '../../../src/core/lane.ts';
import { legal } from '../../../src/core/legal.ts';
import { parseMessage } from '../../../src/core/parseMessage.ts';
import { Agent as LibraryAgent } from '../../../src/entry/lib.ts';
import { rewire } from '../../../src/planner/egress.ts';
import { startRun } from '../../../src/runner/run.ts';
import { historyMessages, type Session } from '../../../src/session/session.ts';
import { addTodo } from '../../../src/toolbox/addTodo.ts';
import { outgoing } from '../../doubles/outgoing.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const a = calls([{ name: 'add_todo', arguments: { content: 'a' } }]);
const bc = calls([
  { name: 'add_todo', arguments: { content: 'b' } },
  { name: 'calculator', arguments: { expression: '1+1' } },
]);
const replies = [a, bc, says('done')];

const wire = (session: Session) =>
  rewire(outgoing(historyMessages(session.state).map(({ text }) => text))).flatMap(
    ({ text }) => parseMessage(text) ?? [],
  );

/** What happened, without where runs begin and end, and without positions, which the boundaries move. */
function happened(session: Session) {
  const boundary = (event: JournalEvent, index: number, all: readonly JournalEvent[]) =>
    event.type === 'run.started' ||
    event.type === 'run.ended' ||
    (event.type === 'checkpoint' &&
      event.kind === 'end' &&
      all.slice(index).some(({ type }) => type === 'run.started'));
  return session.journal.events
    .filter((event, index, all) => !boundary(event, index, all))
    .map((event) => {
      const { seq: _seq, about: _about, ...rest } = comparable(event);
      return event.type === 'round.ended' && event.next === 'limit' ? { ...rest, next: 'again' } : rest;
    });
}

test('C28 a run that went on after a limit is, event by event, the run without the limit', async () => {
  const whole = createTestSession();
  const model = createScriptedModel(replies);
  assert.equal(await startRun(await createTestAgent(model), whole, { goal: 'go' }).done, 'done');
  for (const limit of [0, 1, 2]) {
    for (const more of [1, 2, 3]) {
      const session = createTestSession();
      const scripted = createScriptedModel(replies);
      // The limit is not part of what is compared, so that the configuration is the same text.
      const agent = await createTestAgent(scripted);
      const limited = { ...agent, config: { ...agent.config, max_iters: limit } };
      assert.equal(await startRun(limited, session, { goal: 'go' }).done, 'limit');
      assert.equal(session.state.runs[0]?.ended?.limit, `round limit (${limit})`);
      let rounds = limit;
      while (stoppedAtLimit(session.state)) {
        const outcome = await startRun(limited, session, { more }).done;
        rounds += more;
        assert.equal(outcome, rounds < 3 ? 'limit' : 'done');
        if (rounds < 3) assert.equal(session.state.runs[0]?.ended?.limit, `round limit (${rounds})`);
      }
      const name = `limit ${limit}, then ${more}`;
      const configs = new Set(
        [...session.state.parts].flatMap(([, text]) => (text.includes('max_iters') ? [text] : [])),
      );
      assert.equal(configs.size, 1, name);
      const texts = (list: object[]) =>
        list.map((one) => JSON.stringify(one).replace(/max_iters\\":\d+/, 'max_iters'));
      assert.deepEqual(texts(happened(session)), texts(happened(whole)), name);
      assert.equal(session.state.runs.length, 1, name);
      assert.deepEqual(wire(session), wire(whole), name);
      assert.deepEqual(legal(wire(session)), [], name);
      assert.ok(
        !wire(session).some(
          ({ role, content, tool_calls }) => role === 'assistant' && !content && !tool_calls,
        ),
      );
      assert.deepEqual(problemsOf(session), [], name);
      assert.deepEqual(foldAll(session.journal.events).runs, session.state.runs, name);
      scripted.assertDone();
    }
  }
});

test('C28 the goal stays pinned and stands once; rounds ahead are those that were granted', async () => {
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel(replies), { max_iters: 1 });
  await startRun(agent, session, { goal: 'go' }).done;
  let ahead: number | undefined;
  session.journal.onEvent(({ type }) => {
    if (type === 'round.started') ahead ??= roundsAhead(session.state);
  });
  await startRun(agent, session, { more: 4 }).done;
  assert.equal(ahead, 3);
  assert.equal(wire(session).filter(({ role }) => role === 'user').length, 1);
  const started = session.journal.events.filter(({ type }) => type === 'run.started');
  assert.deepEqual(
    started.map((event) => event.type === 'run.started' && [event.run, event.goal, event.more]),
    [
      [1, 'm2', undefined],
      [1, 'm2', 4],
    ],
  );
});

test('C28 after a stop for repetition the run goes on, and is stopped again only by 4 new ones', async () => {
  const session = createTestSession();
  const same = Array<ModelStep>(8).fill(calls([{ name: 'calculator', arguments: { expression: '1' } }]));
  const agent = await createTestAgent(createScriptedModel(same), { max_iters: 50 });
  assert.equal(await startRun(agent, session, { goal: 'go' }).done, 'limit');
  assert.match(session.state.runs[0]?.ended?.limit ?? '', /^repeated calls/);
  assert.equal(await startRun(agent, session, { more: 10 }).done, 'limit');
  assert.equal(session.state.runs[0]?.rounds.length, 8);
});

test('C28 only a run that a limit stopped goes on, for one round or more', async () => {
  for (const [steps, outcome] of [
    [[says('done')], 'done'],
    [[fails('auth')], 'failed'],
  ] as const) {
    const session = createTestSession();
    const agent = await createTestAgent(createScriptedModel([...steps]));
    assert.equal(await startRun(agent, session, { goal: 'go' }).done, outcome);
    const before = session.journal.events.length;
    assert.throws(() => startRun(agent, session, { more: 1 }), /limit/);
    assert.equal(session.journal.events.length, before);
  }
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel([a]), { max_iters: 1 });
  await startRun(agent, session, { goal: 'go' }).done;
  for (const more of [0, -1, 1.5, NaN, Infinity])
    assert.throws(() => startRun(agent, session, { more }), /rounds/);
});

test('C28 a new goal after a limit is a run of its own', async () => {
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel([a, says('ok')]), { max_iters: 1 });
  await startRun(agent, session, { goal: 'go' }).done;
  await startRun(agent, session, { goal: 'something else' }).done;
  assert.deepEqual(
    session.state.runs.map(({ run, goal }) => [run, goal]),
    [
      [1, 'm2'],
      [2, 'm5'],
    ],
  );
});

test('C28 the library goes on with a session', async () => {
  const agent = new LibraryAgent({ model: createScriptedModel(replies), tools: [addTodo], max_iters: 1 });
  const first = await agent.chat('go');
  assert.deepEqual([first.outcome, first.rounds, first.message], ['limit', 1, undefined]);
  const seen: string[] = [];
  const then = await agent.continue(first.session, 5, { onEvent: ({ type }) => seen.push(type) });
  assert.deepEqual([then.outcome, then.rounds, then.message], ['done', 3, 'done']);
  assert.ok(seen.includes('run.started') && !seen.includes('session.opened'));
  await assert.rejects(agent.continue(first.session, 1), /limit/);
});

/** A process that is killed in a pause leaves a journal that says `paused`; whoever goes on with it is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldAll } from '../../../src/core/fold.ts';
import { apply } from '../../../src/core/ops.ts';
import { statusView } from '../../../src/core/statusView.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createJournal } from '../../../src/session/journal.ts';
import { openSession } from '../../../src/session/session.ts';
import { createDapClient } from '../../doubles/dapClient.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../../doubles/testAgent.ts';

const rules = { hits: async () => ({ faults: [], breakpoints: [], phases: [] }) };

/** The events of a journal whose writer died held before the first call of its second run. */
async function killedInAPause() {
  const model = createScriptedModel([says('one'), calls([{ name: 'list_todos' }])]);
  const client = createDapClient(await createTestAgent(model));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: ['act'] }));
  await client.event('stopped');
  await client.request('setExceptionBreakpoints', { filters: ['plan', 'act'] });
  await client.request('evaluate', { expression: '> and now?', context: 'repl' });
  await client.event('stopped');
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  const events = [...client.session.journal.events];
  assert.equal(events.at(-1)?.type, 'paused');
  await client.request('disconnect');
  return events;
}

test('a run that goes on with a journal killed in a pause is not paused, nor resumed', async () => {
  const past = await killedInAPause();
  const dead = foldAll(past);
  assert.ok(dead.paused);
  assert.equal(dead.resumed, 'continue');
  const session = openSession(createJournal({ clock: createFixedClock(), past }), { id: 's', agent: 'a' });
  const seen: (readonly [string, string])[] = [];
  session.journal.onEvent(({ type }) => seen.push([type, statusView(session.state).kind]));
  const agent = await createTestAgent(createScriptedModel([says('three')]));
  const outcome = await startRun(agent, session, { goal: 'go on' }).done;
  assert.equal(outcome, 'done');
  const started = seen.findIndex(([type]) => type === 'run.started');
  assert.deepEqual(
    seen.slice(started).filter(([, kind]) => kind === 'paused'),
    [],
  );
  assert.equal(session.state.paused, undefined);
  assert.equal(session.state.resumed, undefined);
  assert.deepEqual(problemsOf(session), []);
});

test('while that run asks the model, an edit is refused, and its own pauses and resumes count', async () => {
  const past = await killedInAPause();
  const session = openSession(createJournal({ clock: createFixedClock(), past }), { id: 's', agent: 'a' });
  const refusals: boolean[] = [];
  const asked = () => {
    const edit = apply(session.state, { kind: 'set', target: 'm1', scope: 'history', value: 'other' });
    refusals.push(!edit.ok);
    return says('three');
  };
  const agent = await createTestAgent(createScriptedModel([asked]));
  const run = startRun(agent, session, {
    goal: 'go on',
    rules,
    stopOnEntry: true,
    onStopped: () => queueMicrotask(() => run.gate.resume('continue')),
  });
  await run.done;
  assert.deepEqual(refusals, [true]);
  assert.deepEqual([session.state.paused, session.state.resumed], [undefined, 'continue']);
});

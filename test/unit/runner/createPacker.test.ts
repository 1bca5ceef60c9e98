/** Long texts are counted elsewhere before a session is packed; what is short is packed within the call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenCounter } from '../../../src/core/ports.ts';
import type { Op } from '../../../src/core/ops.ts';
import type { StopRules } from '../../../src/runner/gate.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';
import { createWatchedCounter } from '../../doubles/watchedCounter.ts';

const long = 'lang '.repeat(10);
const stopsAtPlan: StopRules = {
  hits: async ({ kind }) => ({ faults: [], breakpoints: [], phases: kind === 'plan' ? ['filter:plan'] : [] }),
};

/** A token a character. Texts of `long` wait until the test says that they are counted. */
function createScriptedCounter() {
  const handedOut: string[] = [];
  const waiting: (() => void)[] = [];
  const ahead = (texts: readonly string[]) => {
    handedOut.push(...texts);
    if (!texts.some((text) => text.includes(long))) return undefined;
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  const counter: TokenCounter = Object.assign((text: string) => text.length, { ahead });
  return { counter, handedOut, waiting };
}

async function start(goal: string) {
  const { counter, handedOut, waiting } = createScriptedCounter();
  const model = createScriptedModel([says('done')]);
  const agent = { ...(await createTestAgent(model)), countTokens: counter };
  const session = createTestSession();
  const stops: (() => void)[] = [];
  const run = startRun(agent, session, { goal, rules: stopsAtPlan, onStopped: () => stops.shift()?.() });
  const stopped = () => (run.gate.stopped ? Promise.resolve() : new Promise<void>((at) => stops.push(at)));
  const packings = () => session.journal.events.filter(({ type }) => type === 'context.packed').length;
  return { run, session, model, handedOut, waiting, stopped, packings };
}

const edit = (value: string): Op => ({ kind: 'set', target: 'm2/content', scope: 'request', value });

test('a short session is packed within the call', async () => {
  const { run, stopped, packings, handedOut } = await start('go');
  assert.equal(packings(), 1);
  assert.ok(handedOut.includes('go') && handedOut.includes('You are a test.'));
  await stopped();
  assert.ok(run.apply(edit('go on')).ok);
  assert.equal(packings(), 2);
  run.cancel();
  await run.done;
});

test('the first stop waits until a long goal is counted', async () => {
  const { run, waiting, stopped, packings } = await start(long);
  assert.equal(packings(), 0);
  assert.equal(run.gate.stopped, undefined);
  waiting[0]!();
  await stopped();
  assert.equal(packings(), 1);
  run.cancel();
  await run.done;
});

test('what was handed out for counting is not handed out again', async () => {
  const { run, stopped, handedOut } = await start('go');
  await stopped();
  run.apply(edit('another text'));
  run.apply({ kind: 'pin', target: 'm2' });
  for (const text of ['go', 'You are a test.', 'another text']) {
    assert.equal(handedOut.filter((one) => one === text).length, 1, text);
  }
  run.cancel();
  await run.done;
});

test('a request that is let go while a long edit is counted leaves with the packing of that edit', async () => {
  const { run, session, model, waiting, stopped, packings } = await start('go');
  await stopped();
  assert.ok(run.apply(edit(`first ${long}`)).ok);
  assert.ok(run.apply(edit(`second ${long}`)).ok);
  assert.equal(packings(), 1);
  run.gate.resume('stepOut');
  // In the wrong order: the edit that was replaced is counted last.
  waiting[1]!();
  waiting[0]!();
  await stopped();
  assert.equal(packings(), 2);
  const types = session.journal.events.map(({ type }) => type);
  assert.ok(types.lastIndexOf('context.packed') < types.indexOf('model.requested'));
  assert.match(model.bodies[0] ?? '', /second lang/);
  assert.deepEqual(problemsOf(session), []);
  run.gate.resume('continue');
  await run.done;
});

test('a long message that is cut is counted elsewhere at each length that is tried', async () => {
  const { counter, countedHere } = await createWatchedCounter();
  const model = createScriptedModel([says('done')]);
  const settings = {
    system_prompt: 'All work and no play makes Jack a dull boy. '.repeat(3_000),
    context: { max_message: 10_000, max_tokens: 40_000 },
  };
  const agent = { ...(await createTestAgent(model, settings)), countTokens: counter };
  const session = createTestSession();
  await startRun(agent, session, { goal: 'go' }).done;
  assert.match(model.bodies[0] ?? '', /of 132,000 characters left out/);
  assert.deepEqual(countedHere, []);
  assert.deepEqual(problemsOf(session), []);
});

/** A request beside the conversation may be given a whole conversation: no length of it is counted while others wait. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelOutcome } from '../../../src/core/ports.ts';
import { askAside } from '../../../src/runner/askAside.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createScriptedModel, fails, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';
import { createWatchedCounter } from '../../doubles/watchedCounter.ts';

const never = new AbortController().signal;
const work = 'All work and no play makes Jack a dull boy. ';

async function askAbout(text: string, answers: readonly ModelOutcome[]) {
  const { counter, countedHere, handedOut } = await createWatchedCounter();
  const model = createScriptedModel([says('done'), ...answers]);
  const settings = { context: { max_tokens: 40_000, reserve: 1_000 } };
  const agent = { ...(await createTestAgent(model, settings)), countTokens: counter };
  const session = createTestSession();
  await startRun(agent, session, { goal: 'go' }).done;
  const answer = await askAside(session, agent, { purpose: 'summary', instruction: 'Sum up.', text }, never);
  assert.deepEqual(problemsOf(session), []);
  return { answer, countedHere, handedOut, bodies: model.bodies.slice(1) };
}

const sum = says('They worked, and did not play.');

test('a long text is cut to what a request may hold, each length counted elsewhere', async () => {
  const { answer, countedHere, handedOut, bodies } = await askAbout(work.repeat(12_000), [sum]);
  assert.ok(answer.ok);
  assert.match(bodies[0] ?? '', /of 528,000 characters left out/);
  assert.deepEqual(countedHere, []);
  assert.ok(handedOut() > 0);
});

test('so is one that fits, and one that the server finds too long', async () => {
  const tooLong = fails('overflow', { retryable: false, tokens: { asked: 9_000, limit: 6_000 } });
  const { answer, countedHere, bodies } = await askAbout(work.repeat(800), [tooLong, sum]);
  assert.ok(answer.ok);
  assert.equal(bodies.length, 2);
  assert.doesNotMatch(bodies[0] ?? '', /left out/);
  assert.match(bodies[1] ?? '', /of 35,200 characters left out/);
  assert.deepEqual(countedHere, []);
});

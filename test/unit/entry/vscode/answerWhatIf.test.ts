import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WhatIfAnswer } from '../../../../src/core/whatIf.ts';
import { answerWhatIf } from '../../../../src/entry/vscode/answerWhatIf.ts';
import { createMeasures } from '../../../../src/planner/measure.ts';
import { createTokenCounter } from '../../../../src/planner/tokens.ts';
import { whatIf } from '../../../../src/planner/whatIf.ts';
import { startRun } from '../../../../src/runner/run.ts';
import { dump } from '../../../doubles/dumpTool.ts';
import { calls, createScriptedModel, says } from '../../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession } from '../../../doubles/testAgent.ts';
import { createWatchedCounter } from '../../../doubles/watchedCounter.ts';

const ask = { limit: 9_000, policy: 'drop-oldest', text: '' } as const;

/** A run of two rounds with a long system prompt, nothing of it cut. */
async function sessionOfLongTexts() {
  const model = createScriptedModel([
    calls([{ name: 'dump', arguments: { words: 30 }, id: 'c1' }]),
    says('done'),
  ]);
  const settings = {
    system_prompt: 'All work and no play makes Jack a dull boy. '.repeat(3_000),
    context: { max_tokens: 200_000 },
  };
  const session = createTestSession();
  await startRun(await createTestAgent(model, settings, [dump]), session, { goal: 'go' }).done;
  return { events: [...session.journal.events], state: session.state };
}

test('what a trial would cut is counted elsewhere, and the answer is the one that is made at once', async () => {
  const session = await sessionOfLongTexts();
  const { counter, countedHere, handedOut } = await createWatchedCounter();
  const told: number[] = [];
  const answer = await answerWhatIf(
    session,
    ask,
    () => true,
    (rounds) => told.push(rounds),
    counter,
  );
  assert.deepEqual(countedHere, []);
  assert.ok(handedOut() > 1, 'the whole text, and the lengths that were tried');
  const course = whatIf(session.events, ask, createMeasures(await createTokenCounter()));
  let atOnce: WhatIfAnswer | undefined;
  for (let step = course.next(); !atOnce; step = course.next()) if (step.done) atOnce = step.value;
  assert.deepEqual(answer, atOnce);
  assert.ok(answer?.totals.every((total) => total <= ask.limit));
});

test('a question that nobody waits for any more is given up', async () => {
  const session = await sessionOfLongTexts();
  const { counter } = await createWatchedCounter();
  let isWanted = true;
  const answering = answerWhatIf(
    session,
    ask,
    () => isWanted,
    () => undefined,
    counter,
  );
  isWanted = false;
  assert.equal(await answering, undefined);
  // What was counted for it serves the next one.
  isWanted = true;
  assert.ok(
    await answerWhatIf(
      session,
      ask,
      () => isWanted,
      () => undefined,
      counter,
    ),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answerText } from '../../../src/core/logLine.ts';
import { loadAgent } from '../../../src/entry/cli/loadAgent.ts';
import { startRun } from '../../../src/runner/run.ts';
import { eventsOf } from '../../doubles/serverRun.ts';
import { createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const folder = fileURLToPath(new URL('../../../examples/command-tool', import.meta.url));

async function ask(goal: string) {
  const loaded = await loadAgent(`${folder}/weather.agent.json`, folder, new Map());
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.message);
  assert.deepEqual(loaded.warnings, []);
  const session = createTestSession();
  await startRun(loaded.agent, session, { goal }).done;
  assert.deepEqual(problemsOf(session), []);
  const outcomes = eventsOf(session, 'call.finished').map(({ outcome }) => outcome);
  return { outcomes, answer: answerText(session.state) };
}

test('the example of a command tool answers, and fails as it says', async () => {
  assert.deepEqual(await ask('What is the weather in Paris?'), {
    outcomes: ['ok'],
    answer: 'The weather in Paris: sky sunny, celsius 21.',
  });
  const unknown = await ask('What is the weather in Atlantis?');
  assert.deepEqual(unknown.outcomes, ['error']);
  assert.match(unknown.answer ?? '', /There is no weather of Atlantis/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentConfig } from '../../../src/core/config.ts';
import { costOf, costText, spentIn } from '../../../src/core/cost.ts';
import type { Usage } from '../../../src/core/events.ts';
import { legal } from '../../../src/core/legal.ts';
import { parseMessage } from '../../../src/core/parseMessage.ts';
import { startRun } from '../../../src/runner/run.ts';
import { historyMessages } from '../../../src/session/session.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession } from '../../doubles/testAgent.ts';

const price = { input: 2, output: 10, cached_input: 0.5 };
let steps = 0;
const step = (usage: Usage | null): ModelStep => {
  const id = ++steps;
  return {
    ...calls([{ name: 'calculator', arguments: { expression: `${id}+1` }, id: `call_${id}` }]),
    usage,
  };
};
const hundred: Usage = { prompt: 90, completion: 10 };

async function run(replies: readonly ModelStep[], config: Partial<AgentConfig>, more = 0) {
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel(replies), { max_iters: 10, ...config });
  await startRun(agent, session, { goal: 'go' }).done;
  if (more > 0) await startRun(agent, session, { more }).done;
  const [only] = session.state.runs;
  assert.ok(only);
  const messages = historyMessages(session.state).flatMap(({ text }) => parseMessage(text) ?? []);
  assert.deepEqual(legal(messages), []);
  return { run: only, rounds: only.rounds.length, ended: only.ended, spent: spentIn(session.state, only) };
}

test('cost is by reported tokens; cached ones have their own price; what is not reported is not known', () => {
  const million = { prompt: 1e6, completion: 1e6 };
  assert.equal(costOf(million, price), 12);
  const cached = { ...million, prompt_tokens_details: { cached_tokens: 4e5 } };
  assert.equal(costOf(cached, price), 0.6 * 2 + 0.4 * 0.5 + 10);
  assert.equal(costOf({ ...million, prompt_cache_hit_tokens: 1e6 }, price), 10.5);
  assert.equal(costOf(cached, { input: 2, output: 10 }), 12);
  // A server that counts more as cached than it was sent.
  assert.equal(costOf({ ...million, prompt_tokens_details: { cached_tokens: 9e9 } }, price), 10.5);
  for (const usage of [null, {}, { prompt: 1 }, { completion: 1 }])
    assert.equal(costOf(usage, price), undefined);
  assert.deepEqual(
    [0, 0.0000123, 0.0123456, 1.5, 1234.5].map((cost) => costText(cost, 'en')),
    ['$0.00', '$0.000012', '$0.0123', '$1.50', '$1,234.50'],
  );
});

test('a token limit ends the run after the round that reached it; nothing beyond it is asked', async () => {
  const { rounds, ended, spent } = await run([step(hundred), step(hundred)], { max_total_tokens: 150 });
  assert.deepEqual([rounds, ended?.outcome, ended?.limit], [2, 'limit', 'token limit (150): 200 were used']);
  assert.equal(spent.tokens, 200);
  const whole = await run([step(hundred), says('done', hundred)], { max_total_tokens: 150 });
  assert.equal(whole.ended?.outcome, 'done', 'a run that is at its end has ended');
});

test('a cost limit counts by the prices; after it the run may go on and take as much again', async () => {
  const config = { price, max_cost: 0.0005 };
  // 90 × 2 + 10 × 10 = 280 millionths a round.
  const once = await run([step(hundred), step(hundred)], config);
  assert.deepEqual(
    [once.rounds, once.ended?.limit, once.spent.cost],
    [2, 'cost limit ($0.0005): $0.00056 was spent', 0.00056],
  );
  const twice = await run([step(hundred), step(hundred), step(hundred), step(hundred)], config, 5);
  assert.deepEqual([twice.rounds, twice.ended?.limit], [4, 'cost limit ($0.0005): $0.00056 was spent']);
});

test('where the server does not report usage, a limit can not be checked and ends the run; without one it goes on', async () => {
  const silent = [step(hundred), step(null)];
  const { rounds, ended, spent } = await run(silent, { price, max_cost: 1, max_total_tokens: 1000 });
  assert.deepEqual(
    [rounds, ended?.outcome, ended?.limit],
    [2, 'limit', 'token and cost limit: the server reported no usage, so what was spent is not known'],
  );
  assert.deepEqual([spent.tokens, spent.unknown], [100, 1]);
  const free = await run([...silent, says('done')], { price });
  assert.equal(free.ended?.outcome, 'done');
  assert.equal('cost' in (await run([says('done')], { price })).spent, false, 'unknown is not zero');
  assert.equal('cost' in (await run([says('done', hundred)], {})).spent, false, 'without prices');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';

const one = calls([{ name: 'calculator', arguments: { expression: '1+1' } }]);
const noPhases = { filters: ['repeatedCall', 'limit', 'unsupportedClaim'] };

async function started(steps: readonly ModelStep[], max_iters: number, filters: object = noPhases) {
  const client = createDapClient(await createTestAgent(createScriptedModel(steps), { max_iters }));
  await client.start({}, () => client.request('setExceptionBreakpoints', filters));
  return client;
}
type Stopped = { reason: string; description: string; text?: string };

test('C23 dap: a repeated call pauses with the block by name, goes on, and pauses again four calls later', async () => {
  const client = await started([...Array<ModelStep>(9).fill(one), says('done')], 50);
  for (const last of ['1.4.1', '1.8.1']) {
    const stop = await client.event<Stopped>('stopped');
    assert.equal(stop.reason, 'exception');
    assert.match(stop.text ?? '', new RegExp(`^calculator: made 4 times with the same result .*${last}\\)$`));
    const info = await client.request<{ exceptionId: string }>('exceptionInfo', { threadId: 1 });
    assert.equal(info.exceptionId, 'repeatedCall');
    await client.request('continue', { threadId: 1 });
  }
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  assert.equal(client.session.state.runs[0]?.ended?.outcome, 'done');
});

test('C23 dap: with the filter off, and under a debugger, repetition neither pauses nor ends the run', async () => {
  const client = await started([...Array<ModelStep>(6).fill(one), says('done')], 50, { filters: [] });
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  assert.equal(client.session.state.runs[0]?.rounds.length, 7);
});

test('C28 dap: ">> 2" at the end of a run that a limit stopped goes on with two more rounds', async () => {
  const client = await started([one, one, one, says('done')], 1, { filters: ['limit'] });
  const evaluate = (expression: string) => client.request('evaluate', { expression, context: 'repl' });
  assert.equal((await client.event<Stopped>('stopped')).text, 'round limit (1)');
  for (const wrong of ['>> x', '>> 0', '>> -1', '>> 1.5', '>> 1001'])
    await assert.rejects(evaluate(wrong), /from 1 to 1000/, wrong);
  await evaluate('>> 2');
  assert.equal((await client.event<Stopped>('stopped')).text, 'round limit (3)');
  // Without a number: as many as the agent file allows.
  await evaluate('>>');
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  await assert.rejects(evaluate('>> 2'), /limit/);
  assert.equal(client.session.state.runs.length, 1);
  assert.deepEqual(problemsOf(client.session), []);
});

test('C28 dap: the request behind the command, and its refusal while the run goes', async () => {
  const client = await started([one, says('done')], 1, { filters: ['act', 'limit'] });
  await client.event('stopped');
  const more = (rounds: unknown) => client.request('loopscope/continueWithMore', { rounds });
  await assert.rejects(more(1), /limit/);
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  await assert.rejects(more(undefined), /from 1 to 1000/);
  await more(1);
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  assert.equal(client.session.state.runs[0]?.ended?.outcome, 'done');
});

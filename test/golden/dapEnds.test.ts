/** However and wherever a session is ended, it ends: legal, released, and said once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, fails, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';

const two = () => calls([{ name: 'list_todos' }, { name: 'calculator', arguments: { expression: '1+1' } }]);

for (const how of ['terminate', 'disconnect', 'restart']) {
  test(`dap: ${how} at each checkpoint of a run`, async () => {
    // The checkpoints of this run: plan, reply, act, act, observe, plan, reply, observe, end.
    for (let steps = 0; steps < 9; steps++) {
      const client = createDapClient(await createTestAgent(createScriptedModel([two(), says('done'), two(), says('done')])));
      await client.start();
      await client.event('stopped');
      for (let n = 0; n < steps; n++) {
        await client.request('stepIn', { threadId: 1 });
        await client.event('stopped');
      }
      const { session } = client;
      await client.request(how);
      if (how === 'restart') {
        await client.event('stopped');
        assert.notEqual(client.session, session);
        await client.request('terminate');
      }
      const ended = session.state.runs[0]?.ended?.outcome;
      assert.equal(ended, steps < 8 ? 'cancelled' : 'done', `after ${steps} steps`);
      assert.deepEqual(problemsOf(session), [], `after ${steps} steps`);
      const said = client.transcript.filter((line) => line === '! terminated').length;
      assert.equal(said, how === 'disconnect' ? 0 : 1, client.transcript.join('\n'));
    }
  });
}

test('dap: the conversation goes on after a run that failed, and after one that met its limit', async () => {
  const model = createScriptedModel([fails('auth'), two(), says('back again')]);
  const client = createDapClient(await createTestAgent(model, { max_iters: 1 }));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: [] }));
  for (const outcome of ['failed', 'limit', 'done']) {
    assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'end');
    assert.equal(client.session.state.runs.at(-1)?.ended?.outcome, outcome);
    if (outcome !== 'done') await client.request('evaluate', { expression: '> go on', context: 'repl' });
  }
  assert.deepEqual(problemsOf(client.session), []);
});

test('dap: a pause asked for while the model is at work holds at the next checkpoint', async () => {
  let answer: () => void = () => undefined;
  const waits = () => new Promise<ReturnType<typeof says>>((resolve) => (answer = () => resolve(says('late'))));
  const client = createDapClient(await createTestAgent(createScriptedModel([waits])));
  const asked = new Promise<void>((resolve) => client.session.journal.onEvent(({ type }) => void (type === 'model.requested' && resolve())));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: [] }));
  await asked;
  await client.request('pause', { threadId: 1 });
  await assert.rejects(client.request('stackTrace', { threadId: 1 }), /is running/);
  answer();
  assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'pause');
  assert.match((await client.stack())[0] ?? '', /^reply/);
});

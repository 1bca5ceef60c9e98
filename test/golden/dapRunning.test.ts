/** What is asked while the agent runs, and what a row of Variables says of a tool. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, says } from '../doubles/scriptedModel.ts';
import { createTestAgent } from '../doubles/testAgent.ts';

const two = calls([
  { name: 'calculator', arguments: { expression: '1+1' }, id: 'call_a' },
  { name: 'add_todo', arguments: { content: 'x', minutes: 1 }, id: 'call_b' },
]);

test('dap: a row that is opened just as the agent goes on is empty, and what else needs a stop says so in the word of the protocol', async () => {
  let letGo: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => (letGo = resolve));
  const model = createScriptedModel([
    async () => {
      await waits;
      return says('done');
    },
  ]);
  const client = createDapClient(await createTestAgent(model));
  await client.start({ stopOnEntry: true });
  await client.event('stopped');
  const variablesReference = await client.container('Messages');
  const children = async () =>
    (await client.request<{ variables: unknown[] }>('variables', { variablesReference })).variables.length;
  assert.equal(await children(), 2);
  await client.request('stepOut', { threadId: 1 });
  assert.equal(await children(), 0);
  for (const command of ['stackTrace', 'scopes', 'evaluate', 'next', 'exceptionInfo'])
    await assert.rejects(client.request(command, { expression: 'round', threadId: 1 }), /agent is running/, command);
  letGo();
  await client.event('stopped');
  assert.equal(await children(), 0, 'a row of before');
  assert.equal((await client.rows('Messages')).length, 3);
});

test('dap: rows of calls name their tool, for a stop rule, in the past as well', async () => {
  const client = createDapClient(await createTestAgent(createScriptedModel([two, says('done')])));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: ['observe'] }));
  await client.event('stopped');
  const tool = async (name: string, ...path: string[]) =>
    client.request('loopscope/tool', { variablesReference: await client.container(...path), name });
  assert.deepEqual(await tool('call 1.1.2', 'Pending'), { tool: 'add_todo' });
  assert.deepEqual(await tool('tool_calls[0] calculator', 'Pending', 'reply'), { tool: 'calculator' });
  await assert.rejects(tool('reply', 'Pending'), /no call of a tool/);
  await assert.rejects(tool('m1', 'Messages'), /no call of a tool/);
  await client.request('stepBack', { threadId: 1 });
  await client.event('stopped');
  assert.deepEqual(await tool('call 1.1.1', 'Pending'), { tool: 'calculator' });
});

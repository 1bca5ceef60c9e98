/** Requests of ours that edit and ask again, as a client sends them, and what it is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { WireMessage } from '../../src/core/messages.ts';
import type { Op } from '../../src/core/ops.ts';
import type { Refusal } from '../../src/core/refusal.ts';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';
import { assertGolden } from './golden.ts';

const two = calls(
  [
    { name: 'calculator', arguments: { expression: '45+20' }, id: 'call_a' },
    { name: 'add_todo', arguments: { content: 'reply to mail', minutes: 20 }, id: 'call_b' },
  ],
  'I add up.',
);

async function clientFor(steps: readonly ModelStep[], ports: Parameters<typeof createDapClient>[1] = {}) {
  const model = createScriptedModel(steps);
  const client = createDapClient(await createTestAgent(model), ports);
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: ['plan', 'reply', 'act', 'observe'] }));
  await client.event('stopped');
  return { client, model };
}

/** Sends an op; what came back goes into the transcript by itself. */
async function edit(client: DapClient, op: Op): Promise<string> {
  client.transcript.push(`  ${JSON.stringify(op)}`);
  return client.request('loopscope/edit', { op }).then(
    () => '',
    (error: Error) => error.message,
  );
}

async function step(client: DapClient, verb = 'stepIn'): Promise<string> {
  await client.request(verb, { threadId: 1 });
  const stop = await client.event<{ reason: string; description: string }>('stopped');
  return `${(await client.stack())[0] ?? ''} (${stop.reason})`;
}

const sent = (body: string | undefined) => (JSON.parse(body ?? '{}') as { messages: WireMessage[] }).messages;

test('dap: edits at each stop by request, with refusals and what would be taken instead', async () => {
  const { client, model } = await clientFor([two, says('Done.')]);
  // plan
  const note = { role: 'user', content: 'In minutes, please.' };
  await edit(client, { kind: 'insert', target: 'messages', scope: 'request', value: note, behind: 'm2' });
  await edit(client, { kind: 'insert', target: 'messages', scope: 'request', value: { role: 'system', content: 'Be brief.' }, behind: 'm2' });
  await edit(client, { kind: 'set', target: 'request/temperature', scope: 'request', value: 3 });
  await edit(client, { kind: 'set', target: 'request/temperature', scope: 'request', value: 2 });
  await edit(client, { kind: 'remove', target: 'request/temperature', scope: 'request' });
  await edit(client, { kind: 'askAgain' });
  await step(client);
  // reply
  await edit(client, { kind: 'insert', target: 'm4/tool_calls', scope: 'pending', value: { name: 'calculator', arguments: '{"expression":"1+1"' } });
  await edit(client, { kind: 'insert', target: 'm4/tool_calls', scope: 'pending', value: { name: 'calculator', arguments: { expression: '1+1' } } });
  await edit(client, { kind: 'remove', target: 'm4/tool_calls/1', scope: 'pending' });
  await edit(client, { kind: 'remove', target: 'm4', scope: 'pending' });
  await step(client);
  // act
  await edit(client, { kind: 'set', target: 'm4/tool_calls/0/function/arguments', scope: 'pending', value: "{expression: '45+30'}" });
  await edit(client, { kind: 'set', target: 'm4/tool_calls/0/function/arguments', scope: 'pending', value: '{"expression":"45+30"}' });
  await edit(client, { kind: 'remove', target: 'm4/tool_calls/1', scope: 'pending' });
  await edit(client, { kind: 'skip', target: '1.1.2' });
  await step(client);
  await edit(client, { kind: 'mock', target: '1.1.1', data: 7 });
  await step(client);
  // observe
  await edit(client, { kind: 'set', target: 'm5/content', scope: 'pending', value: '{"success":true,"data":75.5}' });
  await step(client);
  // plan of round 2
  await edit(client, { kind: 'remove', target: 'm4', scope: 'history' });
  await edit(client, { kind: 'remove', target: 'm6', scope: 'history' });
  await edit(client, { kind: 'remove', target: 'm4/tool_calls/1', scope: 'history', also: ['m6'] });
  await edit(client, { kind: 'remove', target: 'm4/tool_calls/0', scope: 'request' });
  await edit(client, { kind: 'remove', target: 'm4/tool_calls/0', scope: 'request', also: ['m5'] });
  await edit(client, { kind: 'restore', target: 'm5' });
  await edit(client, { kind: 'pin', target: 'm5' });
  await edit(client, { kind: 'drop', target: 'm4' });
  await edit(client, { kind: 'remove', target: 'm2', scope: 'history' });
  assert.equal(await edit(client, { kind: 'nonsense' } as unknown as Op), 'This is no edit: name its kind, target and value.');
  await step(client, 'continue');
  assert.deepEqual(sent(model.bodies[0]).map(({ role }) => role), ['system', 'user', 'user']);
  const [, , reply, result] = sent(model.bodies[1]);
  assert.deepEqual(sent(model.bodies[1]).map(({ role }) => role), ['system', 'user', 'assistant', 'tool']);
  assert.deepEqual(reply?.tool_calls?.map((call) => call.function.arguments), ['{"expression":"45+30"}']);
  assert.equal(result?.content, '{"success":true,"data":75.5}');
  assert.deepEqual(problemsOf(client.session), []);
  assertGolden('dap-edits', client.transcript.slice(client.transcript.findIndex((line) => line.startsWith('  '))).join('\n'));
});

test('dap: asked again, the request comes back to plan, and each verb does there what it does', async () => {
  const led: string[] = [];
  for (const verb of ['continue', 'next', 'stepIn', 'stepOut']) {
    const { client, model } = await clientFor([says('An answer.'), two, says('Done.')]);
    assert.match(await step(client), /^reply/);
    await client.request('loopscope/askAgain');
    const stop = await client.event<{ reason: string; description: string }>('stopped');
    assert.deepEqual([stop.reason, stop.description], ['step', 'Paused before plan: nothing is sent yet']);
    assert.match((await client.stack())[1] ?? '', /^round 1/);
    assert.equal(model.bodies.length, 1, 'nothing is sent before it is let go');
    if (verb === 'continue') assertGolden('dap-askAgain', client.transcript.slice(client.transcript.lastIndexOf('→ stepIn')).join('\n'));
    await client.request('setExceptionBreakpoints', { filters: ['act', 'observe'] });
    led.push(`${verb}: ${await step(client, verb)}`);
    await client.request('setExceptionBreakpoints', { filters: [] });
    if (!led.at(-1)?.startsWith('stepOut: end')) await step(client, 'continue');
    assert.equal(model.bodies.length, 3);
    assert.deepEqual(problemsOf(client.session), []);
  }
  assert.deepEqual(led.map((line) => line.replace(/ loop\.ts:\d+/, '')), [
    'continue: act · calculator (1/2) (breakpoint)',
    'next: act · calculator (1/2) (step)',
    'stepIn: reply (step)',
    'stepOut: plan (step)',
  ]);
});

test('dap: asking again is refused where no reply waits, in the past, and while the agent runs', async () => {
  const { client } = await clientFor([two, says('Done.')]);
  await assert.rejects(client.request('loopscope/askAgain'), /only at reply/);
  await step(client);
  await client.request('stepBack', { threadId: 1 });
  await client.event('stopped');
  await assert.rejects(client.request('loopscope/askAgain'), /looking at the past/);
  await assert.rejects(client.request('loopscope/edit', { op: { kind: 'pin', target: 'm1' } }), /looking at the past/);
  await step(client);
  await client.request('loopscope/askAgain');
  await assert.rejects(client.request('loopscope/askAgain'), /only at reply|is running/);
});

test('dap: rows of Variables say what they stand for, and their menus only what can be done', async () => {
  const { client } = await clientFor([two, says('Done.')]);
  const menus = async (...path: string[]) =>
    Object.fromEntries(
      (await client.rows(...path)).map((row) => [row.name, (row as DebugProtocol.Variable & { __vscodeVariableMenuContext?: string }).__vscodeVariableMenuContext]),
    );
  const subject = async (name: string, ...path: string[]) =>
    client.request('loopscope/row', { variablesReference: await client.container(...path), name });
  assert.deepEqual(await menus('Messages'), { m1: 'message unpinned kept sent watched', m2: 'message unpinned kept sent watched' });
  assert.deepEqual(await menus('Pending'), { model: 'editable parameter', temperature: 'editable parameter', messages: undefined });
  assert.deepEqual(await subject('m2', 'Messages'), { session: 's-test', kind: 'message', target: 'm2', scope: 'history', menu: ['unpinned', 'kept', 'sent'] });
  await edit(client, { kind: 'insert', target: 'messages', scope: 'request', value: { role: 'user', content: 'x' }, behind: 'm2' });
  await edit(client, { kind: 'set', target: 'request/temperature', scope: 'request', value: 1 });
  assert.equal((await menus('Pending'))['temperature'], 'editable parameter edited');
  assert.equal((await menus('Pending', 'messages'))['m3'], 'message added watched');
  await step(client);
  assert.deepEqual(await menus('Pending'), { 'call 1.1.1': 'call waiting removable tool', 'call 1.1.2': 'call waiting removable tool', reply: 'message reply open watched' });
  // Where a call is decided about, the others keep their places.
  await edit(client, { kind: 'skip', target: '1.1.1' });
  assert.deepEqual(await menus('Pending'), { 'call 1.1.1': 'call waiting tool', 'call 1.1.2': 'call waiting tool', reply: 'message reply watched' });
  await step(client);
  await step(client);
  assert.deepEqual(await menus('Pending'), { 'call 1.1.2': 'call waiting tool', 'call 1.1.1': 'tool', reply: 'message watched' });
  assert.deepEqual(await subject('call 1.1.2', 'Pending'), { session: 's-test', kind: 'call', target: 'm4/tool_calls/1', scope: 'pending', call: '1.1.2', menu: ['waiting'] });
  await assert.rejects(subject('tokens', 'Messages', 'm1'), /no message, call or parameter/);
  await client.request('stepBack', { threadId: 1 });
  await client.event('stopped');
  assert.deepEqual(new Set(Object.values(await menus('Messages'))), new Set(['watched']), 'nothing in the past');
});

test('dap: who can offer an alternative is handed it, and the answer carries it in any case', async () => {
  const offered: [string, Refusal][] = [];
  const { client } = await clientFor([two, says('Done.')], { onOffer: (session, refusal) => offered.push([session, refusal]) });
  assert.match(await edit(client, { kind: 'set', target: 'request/temperature', scope: 'request', value: 3 }), /from 0 to 2.*Possible instead: set request\/temperature to 2/);
  assert.deepEqual(offered.map(([session, { offer }]) => [session, offer]), [
    ['s-test', [{ kind: 'set', target: 'request/temperature', scope: 'request', value: 2 }]],
  ]);
  await assert.rejects(client.set('5', 'Pending', 'temperature'), /Possible instead/);
  assert.equal(offered.length, 2);
});

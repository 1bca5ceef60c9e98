/** Data breakpoints: on a message (it changes, it leaves the context) and on a value of the working state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';
import { assertGolden } from './golden.ts';

type Settings = Parameters<typeof createTestAgent>[1];
type Stopped = DebugProtocol.StoppedEvent['body'];
type Info = DebugProtocol.DataBreakpointInfoResponse['body'];
type Verdicts = { readonly breakpoints: readonly DebugProtocol.Breakpoint[] };

const sum = (n: number) => calls([{ name: 'calculator', arguments: { expression: `${n}+1` } }]);
const todo = (content: string) => calls([{ name: 'add_todo', arguments: { content, minutes: 5 } }]);
const window: Settings = { max_history: 4, context: { policy: 'window' } };

/** Stopped at the first plan, with no other check box ticked from there on. */
async function atPlan(steps: readonly ModelStep[], settings: Settings = {}): Promise<DapClient> {
  const agent = await createTestAgent(createScriptedModel(steps), { max_iters: 20, ...settings });
  const client = createDapClient(agent);
  await client.start();
  await client.event('stopped');
  await client.request('setExceptionBreakpoints', { filters: [] });
  return client;
}

async function info(client: DapClient, scope: string, ...path: string[]): Promise<Info> {
  const name = path.at(-1) ?? '';
  const variablesReference = await client.container(scope, ...path.slice(0, -1));
  return client.request<Info>('dataBreakpointInfo', { variablesReference, name });
}

const set = async (client: DapClient, ...breakpoints: DebugProtocol.DataBreakpoint[]) =>
  (await client.request<Verdicts>('setDataBreakpoints', { breakpoints })).breakpoints;

async function next(client: DapClient, verb = 'continue'): Promise<Stopped> {
  await client.request(verb, { threadId: 1 });
  return client.event<Stopped>('stopped');
}

/** Where and why it stops until the end of the run. */
async function toEnd(client: DapClient): Promise<string[]> {
  const stops: string[] = [];
  for (let stop = await next(client); stop.reason !== 'end'; stop = await next(client)) {
    assert.equal(stop.reason, 'data breakpoint');
    assert.equal(stop.hitBreakpointIds?.length, 1);
    stops.push(`${client.session.state.runs.at(-1)?.rounds.length}: ${stop.description}`);
  }
  assert.deepEqual(problemsOf(client.session), []);
  return stops;
}

test('data breakpoints: rows of messages and of the working state can have one, others say why not', async () => {
  const client = await atPlan([todo('one'), says('done')], { todos: [{ content: 'report', minutes: 45 }] });
  const message = { dataId: 'message/s-test/m2', description: 'm2', accessTypes: ['write', 'readWrite'], canPersist: false };
  assert.deepEqual(await info(client, 'Messages', 'm2'), message);
  assert.deepEqual(await info(client, 'Messages', 'm2', 'content'), message);
  assert.deepEqual(await info(client, 'Pending', 'messages', 'm2'), message);
  assert.deepEqual(await info(client, 'Context', 'fates', 'm2'), message);
  assert.deepEqual(await info(client, 'Session', 'todos'), {
    dataId: 'state/todos', description: 'todos', accessTypes: ['write'], canPersist: true,
  });
  for (const path of [['Session', 'id'], ['Pending', 'temperature'], ['Usage', 'requests'], ['Messages', 'm99']]) {
    const none = await info(client, path[0] ?? '', ...path.slice(1));
    assert.equal(none.dataId, null, path.join(' › '));
    assert.match(none.description, /can be watched/);
  }
  const [verdict] = await set(client, { dataId: message.dataId });
  await client.request('setExceptionBreakpoints', { filters: ['reply', 'observe'] });
  await next(client);
  assert.equal((await info(client, 'Pending', 'reply', 'content')).dataId, 'message/s-test/m3');
  await next(client);
  assert.equal((await info(client, 'Pending', 'call 1.1.1', 'result')).dataId, 'message/s-test/m4');
  assert.equal(verdict?.verified, true);
});

test('data breakpoints: write stops where the working state changed, by a tool or by the user', async () => {
  const steps = [sum(1), todo('one'), sum(2), todo('two'), says('done')];
  const client = await atPlan(steps, { todos: [{ content: 'report', minutes: 45 }] });
  await set(client, { dataId: 'state/todos', accessType: 'write' });
  await client.set('[]', 'Session', 'todos');
  assert.deepEqual(await toEnd(client), [
    '1: Paused at reply: nothing was acted on (todos changed)',
    '2: Paused before observe (todos changed)',
    '4: Paused before observe (todos changed)',
  ]);
  assertGolden('dap-dataBreakpoints', client.transcript.join('\n'));
});

test('data breakpoints: what a run begins with, and what was changed before one was set, is no change', async () => {
  const agent = await createTestAgent(createScriptedModel([todo('one'), says('done'), says('done')]), {
    todos: [{ content: 'report', minutes: 45 }],
  });
  const client = createDapClient(agent);
  await client.start({}, async () => {
    await client.request('setExceptionBreakpoints', { filters: ['plan'] });
    await set(client, { dataId: 'state/todos' });
  });
  const first = await client.event<Stopped>('stopped');
  assert.deepEqual([first.reason, first.description], ['breakpoint', 'Paused before plan: nothing is sent yet']);
  await client.request('setExceptionBreakpoints', { filters: [] });
  await client.set('[]', 'Session', 'todos');
  await set(client);
  await set(client, { dataId: 'state/todos' });
  assert.deepEqual(await toEnd(client), ['1: Paused before observe (todos changed)']);
});

test('data breakpoints: write stops where a message changed, whatever else happens to it', async () => {
  const client = await atPlan([sum(1), sum(2), sum(3), says('done')], window);
  await set(client, { dataId: 'message/s-test/m2' }, { dataId: 'message/s-test/m1' });
  await client.set('"Count."', 'Messages', 'm2', 'content');
  assert.deepEqual(await toEnd(client), ['1: Paused at reply: nothing was acted on (m2 changed)']);
});

test('data breakpoints: readWrite stops where a message changed or left the context, each time that it leaves', async () => {
  const client = await atPlan([sum(1), sum(2), sum(3), sum(4), says('done')], window);
  await client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'calculator' }] });
  await next(client);
  await client.request('setFunctionBreakpoints', { breakpoints: [] });
  await set(client, { dataId: 'message/s-test/m3', accessType: 'readWrite' }, { dataId: 'message/s-test/m3', accessType: 'write' });
  const left = await next(client);
  assert.deepEqual([left.reason, left.description], ['data breakpoint', 'Paused before plan: nothing is sent yet (m3 left the context (window))']);
  assert.equal(client.session.state.runs[0]?.rounds.length, 3);
  // Back for this request, gone with the next one.
  assert.ok(client.run?.apply({ kind: 'restore', target: 'm3' }).ok);
  assert.deepEqual(await toEnd(client), [
    '4: Paused before plan: nothing is sent yet (m3 left the context (window))',
  ]);
});

test('data breakpoints: readWrite stops where a message is folded into a summary, and again after it was restored', async () => {
  const long = (n: number) => calls([{ name: 'calculator', arguments: { expression: `${n}+${'0'.repeat(700)}1` } }]);
  const steps = [long(1), long(2), long(3), long(4), says('They were added.'), long(5), says('done')];
  const client = await atPlan(steps, { context: { policy: 'summarize', max_tokens: 2600, reserve: 200 } });
  await client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'calculator' }] });
  await next(client);
  await client.request('setFunctionBreakpoints', { breakpoints: [] });
  await set(client, { dataId: 'message/s-test/m3', accessType: 'readWrite' }, { dataId: 'message/s-test/m2', accessType: 'readWrite' });
  const stop = await next(client);
  assert.match(stop.description ?? '', /m3 left the context \(summarize\)/);
  assert.equal(client.session.state.fates.get('m3')?.fate, 'folded');
  const round = client.session.state.runs[0]?.rounds.length ?? 0;
  assert.ok(client.run?.apply({ kind: 'restore', target: 'm3' }).ok);
  const again = await next(client);
  assert.match(again.description ?? '', /m3 left the context \(summarize\)/);
  assert.ok((client.session.state.runs[0]?.rounds.length ?? 0) > round);
});

test('data breakpoints: a value of Session changes and does not leave: readWrite is write', async () => {
  const client = await atPlan([sum(1), todo('one'), says('done')], window);
  const [verdict] = await set(client, { dataId: 'state/todos', accessType: 'readWrite' });
  assert.equal(verdict?.verified, true);
  assert.deepEqual(await toEnd(client), ['2: Paused before observe (todos changed)']);
});

test('data breakpoints: conditions and hit counts', async () => {
  const client = await atPlan([todo('one'), todo('two'), todo('three'), todo('four'), says('done')]);
  await set(client, { dataId: 'state/todos', condition: 'session.todos.length > 1', hitCondition: '% 2' });
  assert.deepEqual(await toEnd(client), ['3: Paused before observe (todos changed, hit 2)']);
});

test('data breakpoints: what can not be watched is unverified, with the reason', async () => {
  const client = await atPlan([todo('one'), says('done')]);
  const verdicts = await set(
    client,
    { dataId: 'nonsense' },
    { dataId: 'message/s-other/m2' },
    { dataId: 'message/s-test/m99' },
    { dataId: 'state/todos', accessType: 'read' },
    { dataId: 'state/later' },
  );
  assert.deepEqual(verdicts.map(({ verified }) => verified), [false, false, false, false, true]);
  const reasons = [/nothing that can be watched/, /another session/, /no message m99/, /not when it is read/];
  reasons.forEach((reason, index) => assert.match(verdicts[index]?.message ?? '', reason));
  assert.deepEqual(await toEnd(client), []);
});

test('data breakpoints: a restart ends those on messages, and says so; those on the working state stay', async () => {
  const client = await atPlan([todo('one'), says('done')]);
  const verdicts = await set(client, { dataId: 'message/s-test/m2' }, { dataId: 'state/todos' });
  await client.request('restart');
  const { breakpoint } = await client.event<{ breakpoint: DebugProtocol.Breakpoint }>('breakpoint');
  assert.deepEqual([breakpoint.id, breakpoint.verified], [verdicts[0]?.id, false]);
  const stop = await client.event<Stopped>('stopped');
  assert.deepEqual([stop.reason, stop.hitBreakpointIds], ['data breakpoint', [verdicts[1]?.id]]);
});

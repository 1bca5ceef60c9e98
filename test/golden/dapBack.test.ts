/** Looking back: what is recorded can be walked backward and forward; nothing is called, nothing is changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';
import { assertGolden } from './golden.ts';

const two = calls([
  { name: 'calculator', arguments: { expression: '45+20' }, id: 'call_a' },
  { name: 'add_todo', arguments: { content: 'reply to mail', minutes: 20 }, id: 'call_b' },
]);

type Stopped = { reason: string; description: string; text?: string };

async function started(steps: readonly ModelStep[], filters: readonly string[]) {
  const model = createScriptedModel(steps);
  const client = createDapClient(await createTestAgent(model));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters }));
  return { client, model };
}

/** One verb, and where it leads. */
async function go(client: DapClient, verb: string, args: object = {}): Promise<string> {
  await client.request(verb, { threadId: 1, ...args });
  const { reason } = await client.event<Stopped>('stopped');
  return `${verb}: ${(await client.stack())[0]} (${reason})`;
}

test('dap: back and forward through a run that is at its end', async () => {
  const { client, model } = await started([two, says('65 minutes.')], ['act']);
  const lines = [`${(await client.event<Stopped>('stopped')).description}`];
  for (const verb of ['continue', 'continue', ...Array<string>(9).fill('stepBack')]) lines.push(await go(client, verb));
  for (const verb of ['reverseContinue', 'continue', 'next', 'next', 'stepOut', 'reverseContinue', 'stepIn', 'stepIn', 'continue'])
    lines.push(await go(client, verb));
  model.assertDone();
  assert.deepEqual(problemsOf(client.session), []);
  assertGolden('dap-back', [...lines, '', ...client.transcript].join('\n'));
});

/** All that Variables shows, three rows deep, and the frames. */
async function shown(client: DapClient): Promise<string[]> {
  const lines = (await client.stack()).map((frame) => frame.replace('past · ', ''));
  const rows = async (path: string[], depth: number): Promise<void> => {
    for (const row of await client.rows(...path)) {
      lines.push(`${'  '.repeat(depth)}${row.name}: ${row.value}`);
      if (row.variablesReference > 0 && depth < 3) await rows([...path, row.name], depth + 1);
    }
  };
  for (const scope of ['Pending', 'Messages', 'Context', 'Session', 'Usage']) await rows([scope], 1);
  return lines;
}

/** To the end with stepIn, with what was shown at every stop. */
async function visitAll(client: DapClient, at: (index: number) => unknown = () => undefined): Promise<string[][]> {
  const seen: string[][] = [];
  for (;;) {
    const { reason } = await client.event<Stopped>('stopped');
    await at(seen.length);
    seen.push(await shown(client));
    if (reason === 'end') return seen;
    await client.request('stepIn', { threadId: 1 });
  }
}

test('dap: the past is what was shown then, with what was edited there, backward and forward', async () => {
  const { client } = await started([two, says('65 minutes.')], ['plan']);
  const then = await visitAll(client, async (index) => {
    const edit = async (value: string, ...path: string[]) => {
      await client.set(value, ...path);
      await client.event('invalidated');
    };
    if (index === 0) await edit('0.5', 'Pending', 'temperature');
    if (index === 2) await edit('{"expression":"45+30"}', 'Pending', 'call 1.1.1', 'arguments');
    if (index === 4) await edit('edited result', 'Pending', 'call 1.1.2', 'result');
    if (index === 5) await edit('another goal', 'Messages', 'm2', 'content');
  });
  assert.ok(then.length >= 9);
  const count = client.session.journal.events.length;
  for (const expected of then.slice(0, -1).toReversed()) {
    await client.request('stepBack', { threadId: 1 });
    await client.event('stopped');
    assert.deepEqual(await shown(client), expected);
  }
  for (const expected of then.slice(1)) {
    await client.request('stepIn', { threadId: 1 });
    await client.event('stopped');
    assert.deepEqual(await shown(client), expected);
  }
  assert.equal(client.session.journal.events.length, count, 'looking back writes nothing');
});

test('dap: the past can not be changed, says so, and the pending call is still the same one', async () => {
  let asked = 0;
  const { client } = await started([two, () => (asked++, Promise.resolve(says('done')))], ['act']);
  await client.event('stopped');
  const before = await shown(client);
  const evaluate = (expression: string) => client.request<{ result: string }>('evaluate', { expression });
  assert.equal((await evaluate('call.name')).result, '"calculator"');
  assert.equal(await go(client, 'stepBack'), 'stepBack: past · reply loop.ts:17 (step)');
  assert.equal((await evaluate('phase + call')).result, '"replynull"');
  const rows = await client.rows('Pending', 'reply');
  assert.ok(rows.every(({ presentationHint }) => presentationHint?.attributes?.includes('readOnly')));
  const reason = /looking at the past/;
  await assert.rejects(client.set('text', 'Pending', 'reply', 'content'), reason);
  await assert.rejects(client.set('{}', 'Messages', 'm1', 'content'), reason);
  await assert.rejects(client.request('loopscope/editable', { variablesReference: 1, name: 'x' }), reason);
  await assert.rejects(client.request('evaluate', { expression: '> more', context: 'repl' }), reason);
  await assert.rejects(client.request('loopscope/continueWithMore', { rounds: 2 }), reason);
  const { threads } = await client.request<{ threads: { name: string }[] }>('threads');
  assert.equal(threads[0]?.name, 'Add 45 and 20, then a to-do. · in the past');
  assert.equal(await go(client, 'stepIn'), 'stepIn: act · calculator (1/2) loop.ts:21 (breakpoint)');
  assert.deepEqual(await shown(client), before);
  assert.equal(client.session.journal.events.some(({ type }) => type === 'call.started'), false);
  assert.equal(await go(client, 'stepIn'), 'stepIn: act · add_todo (2/2) loop.ts:21 (step)');
  assert.equal(await go(client, 'stepIn'), 'stepIn: observe loop.ts:26 (step)');
  assert.equal(asked, 0);
  assert.equal(await go(client, 'continue'), 'continue: end loop.ts:30 (end)');
  const started_ = client.session.journal.events.filter(({ type }) => type === 'call.started');
  assert.deepEqual([started_.length, asked], [2, 1]);
  assert.deepEqual(problemsOf(client.session), []);
});

test('dap: on the way back and forward the breakpoints of now count, with conditions of then', async () => {
  const fails_ = calls([{ name: 'calculator', arguments: { expression: '1/0' } }]);
  const { client } = await started([two, fails_, two, two, says('done')], []);
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  const filters = ['toolFailure'];
  await client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'add_*', condition: 'round < 4' }] });
  await client.request('setExceptionBreakpoints', { filters });
  const way = [
    ...['act · add_todo (2/2) loop.ts:21 (breakpoint)', 'observe loop.ts:26 (exception)'],
    ...['act · add_todo (2/2) loop.ts:21 (breakpoint)', 'plan loop.ts:15 (step)'],
  ];
  for (const place of way) {
    assert.equal(await go(client, 'reverseContinue'), `reverseContinue: past · ${place}`);
    if (!place.includes('exception')) continue;
    const info = await client.request<{ exceptionId: string }>('exceptionInfo', { threadId: 1 });
    assert.equal(info.exceptionId, 'toolFailure');
  }
  for (const verb of ['stepOut', 'continue', 'next'])
    assert.match(await go(client, verb), [/add_todo/, /observe .*exception/, /plan .*step/][['stepOut', 'continue', 'next'].indexOf(verb)]!);
  assert.equal(await go(client, 'continue'), `continue: past · ${way[0]}`);
  await client.request('setFunctionBreakpoints', { breakpoints: [] });
  assert.equal(await go(client, 'continue'), 'continue: end loop.ts:30 (end)');
});

test('dap: earlier runs of the session, and the document of a round as it was', async () => {
  const { client } = await started([two, says('one'), says('two')], []);
  await client.event('stopped');
  await client.request('evaluate', { expression: '> and more', context: 'repl' });
  await client.event('stopped');
  assert.equal(await go(client, 'reverseContinue'), 'reverseContinue: past · end loop.ts:30 (end)');
  const stackTrace = () =>
    client.request<{ stackFrames: { name: string; line: number; source: { sourceReference: number } }[] }>('stackTrace', { threadId: 1 });
  for (let back = 0; back < 4; back++) await go(client, 'stepBack');
  const { stackFrames } = await stackTrace();
  assert.deepEqual(stackFrames.map(({ name }) => name), ['past · observe', 'round 1', 'run 1: Add 45 and 20, then a to-do.']);
  const { source, line } = stackFrames[1]!;
  const { content } = await client.request<{ content: string }>('source', source);
  assert.match(content.split('\n')[line - 1]!, /^Observe \(nothing has entered the history yet\)/);
  await assert.rejects(client.request('source', { sourceReference: 2 ** 31 - 1 }), /no such source/);
});

test('dap: what runs can not be looked back at, and there is nothing before the first stop', async () => {
  const { client } = await started([two, says('done')], ['plan']);
  await client.event('stopped');
  await client.request('stepBack', { threadId: 1 });
  const stop = await client.event<Stopped>('stopped');
  assert.equal(stop.description, 'Back in the present. Paused before plan: nothing is sent yet');
  const going = client.request('stepIn', { threadId: 1 });
  await assert.rejects(client.request('stepBack', { threadId: 1 }), /running/);
  await assert.rejects(client.request('reverseContinue', { threadId: 1 }), /running/);
  await going;
});

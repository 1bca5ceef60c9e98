import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createDapClient } from '../doubles/dapClient.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';
import { assertGolden } from './golden.ts';

const two = calls([
  { name: 'calculator', arguments: { expression: '45+20' }, id: 'call_a' },
  { name: 'add_todo', arguments: { content: 'reply to mail', minutes: 20 }, id: 'call_b' },
]);

async function clientFor(steps: readonly ModelStep[], settings: Parameters<typeof createTestAgent>[1] = {}) {
  const model = createScriptedModel(steps);
  const client = createDapClient(await createTestAgent(model, settings));
  return { client, model };
}

/** Where each stop stands, answering it with a verb until the run is at its end. */
async function stops(client: Awaited<ReturnType<typeof clientFor>>['client'], verb: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const stop = await client.event<{ reason: string }>('stopped');
    seen.push(`${(await client.stack())[0]} (${stop.reason})`);
    if (stop.reason === 'end') return seen;
    await client.request(verb, { threadId: 1 });
  }
}

for (const verb of ['continue', 'next', 'stepIn', 'stepOut']) {
  test(`dap: a session stepped with ${verb}`, async () => {
    const { client, model } = await clientFor([two, says('65 minutes, and it is on the list.')]);
    await client.start();
    const seen = await stops(client, verb);
    await client.request('continue', { threadId: 1 });
    await client.event('terminated');
    model.assertDone();
    assert.deepEqual(problemsOf(client.session), []);
    assertGolden(`dap-${verb}`, [...seen, '', ...client.transcript].join('\n'));
  });
}

test('dap: the response to a resume always stands before the stop that it leads to', async () => {
  const { client } = await clientFor([two, says('done')]);
  await client.start();
  await stops(client, 'stepIn');
  let open = 0;
  for (const line of client.transcript) {
    if (line === '→ stepIn') open++;
    if (line === '← stepIn') open--;
    if (line.startsWith('! stopped')) assert.equal(open, 0, client.transcript.join('\n'));
  }
});

test('dap: what Variables shows at each stop', async () => {
  const { client } = await clientFor([two, says('65 minutes.', { prompt: 300, completion: 12 })], { todos: [{ content: 'weekly report', minutes: 45 }] });
  await client.start();
  const text: string[] = [];
  for (;;) {
    const stop = await client.event<{ reason: string; description: string }>('stopped');
    text.push(`== ${stop.description}`, ...(await client.stack()).map((frame) => `   ${frame}`));
    for (const scope of ['Pending', 'Messages', 'Context', 'Session', 'Usage']) {
      text.push(`-- ${scope}`, ...(await outline(client, [scope])));
    }
    if (stop.reason === 'end') break;
    await client.request('next', { threadId: 1 });
  }
  assertGolden('dap-variables', text.join('\n').replace(/\b\d+ ms\b/g, 'N ms'));
});

async function outline(client: Awaited<ReturnType<typeof clientFor>>['client'], path: string[], depth = 1): Promise<string[]> {
  const lines: string[] = [];
  for (const row of await client.rows(...path)) {
    const readOnly = row.presentationHint?.attributes?.includes('readOnly') ? '' : ' ✎';
    lines.push(`${'   '.repeat(depth)}${row.name}: ${row.value}${readOnly}`);
    if (row.variablesReference > 0 && depth < 3) lines.push(...(await outline(client, [...path, row.name], depth + 1)));
  }
  return lines;
}

test('dap: an edited argument is what happens, and says so in the journal', async () => {
  const { client, model } = await clientFor([two, says('ok')]);
  await client.start();
  await client.event('stopped');
  await client.request('next', { threadId: 1 });
  await client.event('stopped');
  const edited = await client.set('{"expression":"45+30"}', 'Pending', 'call 1.1.1', 'arguments');
  assert.equal(edited.value, '{"expression":"45+30"}');
  await client.event('invalidated');
  assert.deepEqual(client.transcript.slice(-2), ['← setVariable', '! invalidated'], 'the answer comes first');
  await client.request('next', { threadId: 1 });
  await client.event('stopped');
  const rows = await client.rows('Pending', 'call 1.1.1');
  assert.equal(rows.find(({ name }) => name === 'result')?.value, JSON.stringify('{"success":true,"data":75}'));
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  const sent = JSON.parse(model.bodies[1] ?? '') as { messages: { tool_calls?: { function: { arguments: string } }[] }[] };
  assert.equal(sent.messages[2]?.tool_calls?.[0]?.function.arguments, '{"expression":"45+30"}');
  const [edit] = client.session.journal.events.filter(({ type }) => type === 'edited');
  assert.ok(edit?.type === 'edited');
  assert.equal(edit.target, 'm3/tool_calls/0/function/arguments');
  assert.deepEqual([edit.op, edit.scope, edit.by], ['set', 'pending', 'user']);
  assert.deepEqual(problemsOf(client.session), []);
});

test('dap: an edit of this request only dies with it; one of the history stays', async () => {
  const { client, model } = await clientFor([calls([{ name: 'list_todos' }]), says('ok')]);
  await client.start();
  await client.event('stopped');
  await client.set('"Only now"', 'Pending', 'messages', 'm2', 'content');
  await client.set('"For good"', 'Messages', 'm1', 'content');
  await client.set('0.9', 'Pending', 'temperature');
  assert.deepEqual(await stopsAfter(client), ['observe', 'end']);
  const [first, second] = model.bodies.map((body) => JSON.parse(body) as { temperature: number; messages: { content: string }[] });
  assert.deepEqual(first?.messages.map(({ content }) => content), ['For good', 'Only now']);
  assert.equal(first?.temperature, 0.9);
  assert.deepEqual(second?.messages.slice(0, 2).map(({ content }) => content), ['For good', 'Add 45 and 20, then a to-do.']);
  assert.equal(second?.temperature, 0.3);
  assert.deepEqual(problemsOf(client.session), []);
});

/** Runs on with no phase filters but observe. */
async function stopsAfter(client: Awaited<ReturnType<typeof clientFor>>['client']): Promise<string[]> {
  await client.request('setExceptionBreakpoints', { filters: ['observe'] });
  const seen: string[] = [];
  for (;;) {
    await client.request('continue', { threadId: 1 });
    const stop = await client.event<{ reason: string }>('stopped');
    const [frame] = await client.stack();
    if (seen.at(-1) !== frame?.split(' ')[0]) seen.push(frame?.split(' ')[0] ?? '');
    if (stop.reason === 'end') return seen;
  }
}

test('dap: refused edits say why and change nothing', async () => {
  const { client } = await clientFor([two, says('ok')]);
  await client.start();
  await client.event('stopped');
  await client.request('next', { threadId: 1 });
  await client.event('stopped');
  const before = client.session.journal.events.length;
  await assert.rejects(client.set('{"expression":', 'Pending', 'call 1.1.1', 'arguments'), /bad-arguments.*not a JSON object/);
  await assert.rejects(client.set('"x"', 'Pending', 'call 1.1.1', 'name'), /can not be edited/);
  assert.equal(client.session.journal.events.length, before);
  await client.request('next', { threadId: 1 });
  await client.event('stopped');
  await assert.rejects(client.set('{}', 'Pending', 'call 1.1.1', 'arguments'), /can not be edited/);
});

interface SetBreakpoints {
  readonly breakpoints: readonly { readonly verified: boolean; readonly message?: string; readonly line?: number }[];
}

/** What the Debug Console said about conditions. */
const conditionNotes = (client: Awaited<ReturnType<typeof clientFor>>['client']) =>
  client.transcript.filter((line) => line.includes('The condition of '));

test('dap: function breakpoints by name, glob and condition; one that can not compile says so', async () => {
  const { client } = await clientFor([two, two, says('ok')]);
  await client.start({}, async () => {
    await client.request('setExceptionBreakpoints', { filters: [] });
    const wanted = {
      breakpoints: [{ name: 'add_*', condition: 'round === 2' }, { name: 'nope' }, { name: 'calculator', condition: 'call..name' }],
    };
    const set = await client.request<SetBreakpoints>('setFunctionBreakpoints', wanted);
    assert.deepEqual(set.breakpoints.map(({ verified }) => verified), [true, false, false]);
    assert.match(set.breakpoints[1]?.message ?? '', /No tool of this agent is called nope.*calculator/);
    assert.match(set.breakpoints[2]?.message ?? '', /condition does not compile: SyntaxError/);
    await client.request('setFunctionBreakpoints', wanted);
  });
  const stop = await client.event<{ reason: string; hitBreakpointIds: number[] }>('stopped');
  assert.equal(stop.reason, 'breakpoint');
  assert.equal(stop.hitBreakpointIds.length, 1);
  assert.match((await client.stack())[0] ?? '', /^act · add_todo \(2\/2\)/);
  assert.equal(conditionNotes(client).length, 1, 'said once, also when breakpoints are set again');
});

test('dap: filter conditions: one that can not compile says so; one that throws is told of once, and does not stop', async () => {
  const { client } = await clientFor([two, two, says('ok')]);
  await client.start({}, async () => {
    const set = await client.request<SetBreakpoints>('setExceptionBreakpoints', {
      filters: ['observe'],
      filterOptions: [
        { filterId: 'plan', condition: "call.name === 'calculator'" },
        { filterId: 'act', condition: "round > 1 && call?.name === 'calculator'" },
        { filterId: 'reply', condition: 'round >' },
        { filterId: 'nonsense' },
      ],
    });
    assert.deepEqual(set.breakpoints.map(({ verified }) => verified), [true, true, true, false, false]);
    assert.match(set.breakpoints[3]?.message ?? '', /condition does not compile: SyntaxError/);
    assert.match(set.breakpoints[4]?.message ?? '', /Unknown filter nonsense/);
  });
  assert.deepEqual(await stops(client, 'continue').then((all) => all.map((one) => one.replace(/ loop.*/, ''))), [
    'observe', 'act · calculator (1/2)', 'observe', 'observe', 'end',
  ]);
  const notes = conditionNotes(client);
  assert.equal(notes.length, 2, notes.join('\n'));
  assert.match(notes[0] ?? '', /condition of Reply .*SyntaxError/);
  assert.match(notes[1] ?? '', /condition of Plan .*TypeError/);
});

test('dap: a condition that runs for ever does not stop and is told of', async () => {
  const { client } = await clientFor([says('ok')]);
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: [], filterOptions: [{ filterId: 'plan', condition: 'for (;;) {}' }] }));
  assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'end');
  assert.match(conditionNotes(client).join(), /condition of Plan .*took longer than 250 ms/);
});

test('dap: source breakpoints snap to the checkpoints of the loop', async () => {
  const { client } = await clientFor([two, says('ok')]);
  await client.start({}, async () => {
    await client.request('setExceptionBreakpoints', { filters: [] });
    const set = await client.request<SetBreakpoints>('setBreakpoints', {
      source: { path: '/loop.ts' },
      breakpoints: [{ line: 1, condition: 'round === 2' }, { line: 1, condition: 'round ===' }],
    });
    assert.deepEqual(set.breakpoints.map(({ line, verified }) => [line, verified]), [[15, true], [15, false]]);
  });
  await client.event('stopped');
  assert.match((await client.stack())[0] ?? '', /^plan loop.ts:\d+$/);
  assert.equal(client.session.state.runs[0]?.rounds.length, 2);
});

test('dap: breakpoint locations are the checkpoints in the range, of the loop and of no other source', async () => {
  const { client } = await clientFor([says('ok')]);
  await client.start();
  await client.event('stopped');
  const linesOf = async (args: object) =>
    (await client.request<{ breakpoints: { line: number }[] }>('breakpointLocations', args)).breakpoints.map(({ line }) => line);
  const source = { path: '/loop.ts' };
  assert.deepEqual(await linesOf({ source, line: 1, endLine: 99 }), [15, 17, 21, 26, 30]);
  assert.deepEqual(await linesOf({ source, line: 17, endLine: 21 }), [17, 21]);
  assert.deepEqual(await linesOf({ source, line: 21 }), [21]);
  assert.deepEqual(await linesOf({ source, line: 20 }), []);
  assert.deepEqual(await linesOf({ source, line: 21, endLine: 20 }), []);
  assert.deepEqual(await linesOf({ source: { path: '/work/test.agent.json' }, line: 1, endLine: 99 }), []);
  assert.deepEqual(await linesOf({ source: { name: 'run 1 round 1', sourceReference: 100_001 }, line: 1, endLine: 99 }), []);
});

test('dap: a source is found by its reference, whatever it is called', async () => {
  const { client } = await clientFor([two, says('ok')]);
  await client.start();
  await client.event('stopped');
  await client.request('setExceptionBreakpoints', { filters: ['observe'] });
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  const { stackFrames } = await client.request<{ stackFrames: { source: { sourceReference?: number } }[] }>('stackTrace', { threadId: 1 });
  const reference = stackFrames[1]?.source.sourceReference ?? 0;
  const contentOf = async (args: object) => (await client.request<{ content: string }>('source', args)).content.split('\n')[0];
  assert.equal(await contentOf({ sourceReference: reference }), 'Run 1, round 2');
  assert.equal(await contentOf({ source: { sourceReference: reference }, sourceReference: 0 }), 'Run 1, round 2');
  assert.equal(await contentOf({ source: { name: 'run 1 round 1', sourceReference: reference }, sourceReference: reference }), 'Run 1, round 2');
  assert.equal(await contentOf({ sourceReference: reference - 1 }), 'Run 1, round 1');
  assert.equal(await contentOf({ source: { path: '/loop.ts' }, sourceReference: 0 }), "import type { Gate } from './gate.ts';");
  for (const sourceReference of [0, 7, reference + 5, -1])
    await assert.rejects(client.request('source', { sourceReference, source: { name: 'run 1 round 1' } }), /no such source/);
});

test('dap: faults stop with words, and tell what helps', async () => {
  const bad = calls([{ name: 'calculator', arguments: '{"expression"' }, { name: 'calcualtor', arguments: {} }]);
  const { client } = await clientFor([bad, fails('auth', { message: 'The key was refused.', status: 401 })]);
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: ['badArguments', 'unknownTool', 'modelError'] }));
  const seen: string[] = [];
  for (;;) {
    const stop = await client.event<{ reason: string }>('stopped');
    if (stop.reason !== 'exception') break;
    const info = await client.request<{ exceptionId: string; description: string }>('exceptionInfo', { threadId: 1 });
    seen.push(`${(await client.stack())[0]} ${info.exceptionId}: ${info.description}`);
    await client.request('continue', { threadId: 1 });
  }
  assertGolden('dap-faults', seen.join('\n\n'));
});

test('dap: the console evaluates, refuses what would change, and goes on with > at the end', async () => {
  const { client, model } = await clientFor([two, says('65 minutes.'), says('Nothing is left.')]);
  await client.start();
  await client.event('stopped');
  const evaluate = (expression: string) =>
    client.request<{ result: string }>('evaluate', { expression, context: 'repl' }).then(
      ({ result }) => result,
      (error: Error) => `refused: ${error.message}`,
    );
  const seen: string[] = [];
  const ask = async (expression: string) => seen.push(`${expression}\n  ${await evaluate(expression)}`);
  await ask('messages.length');
  await ask('messages.map(m => m.role)');
  await ask('phase + round');
  await ask('messages[0].content = "changed"');
  await ask('while (true) {}');
  await ask('process.exit()');
  await ask('x.y');
  await ask('> too early');
  await client.request('setExceptionBreakpoints', { filters: [] });
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  await ask('>');
  await ask('> And what is left?');
  await client.event('continued');
  const stop = await client.event<{ reason: string }>('stopped');
  assert.equal(stop.reason, 'end');
  model.assertDone();
  assert.equal(client.session.state.runs.length, 2);
  assertGolden('dap-console', seen.join('\n'));
});

test('dap: restart begins a new session with the same settings', async () => {
  const { client } = await clientFor([two, two, says('ok')]);
  await client.start();
  await client.event('stopped');
  await client.request('next', { threadId: 1 });
  await client.event('stopped');
  const first = client.session;
  await client.request('restart');
  await client.event('stopped');
  assert.notEqual(client.session, first);
  assert.equal(first.state.runs[0]?.ended?.outcome, 'cancelled');
  assert.deepEqual(problemsOf(first), []);
  assert.match((await client.stack())[0] ?? '', /^plan/);
});

test('dap: terminate in the middle of a request leaves a legal history', async () => {
  const { client } = await clientFor([
    (_body, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(fails('cancelled')), { once: true })),
  ]);
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: [] }));
  await client.request('terminate');
  await client.event('terminated');
  assert.equal(client.session.state.runs[0]?.ended?.outcome, 'cancelled');
  assert.deepEqual(problemsOf(client.session), []);
});

test('dap: without debugging nothing stops and the session ends by itself', async () => {
  const { client } = await clientFor([two, says('65 minutes.')]);
  await client.start({ noDebug: true });
  await client.event('terminated');
  assert.equal(client.transcript.some((line) => line.startsWith('! stopped')), false);
  assert.equal(client.session.state.runs[0]?.ended?.outcome, 'done');
});

test('dap: requests that do not fit the moment are refused with words', async () => {
  const { client } = await clientFor([]);
  await client.request('initialize', {});
  await assert.rejects(client.request('stackTrace', { threadId: 1 }), /There is no agent yet/);
  await assert.rejects(client.request('nonsense'), /does not know the request 'nonsense'/);
});

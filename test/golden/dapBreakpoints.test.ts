/** Breakpoints of every kind: where they stop, what they count, log and say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { checkpointLines } from '../../src/debug/loopSource.ts';
import { createDapClient, type DapClient, loopText } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';
import { assertGolden } from './golden.ts';

type Settings = Parameters<typeof createTestAgent>[1];
type Stopped = DebugProtocol.StoppedEvent['body'];
interface Set {
  readonly breakpoints: readonly DebugProtocol.Breakpoint[];
}

const lines = checkpointLines(loopText);
const loop = { path: '/loop.ts' };
const sum = (n: number) => calls([{ name: 'calculator', arguments: { expression: `${n}+1` } }]);
const sums = (count: number): ModelStep[] => [...Array.from({ length: count }, (_, n) => sum(n)), says('done')];

async function started(steps: readonly ModelStep[], set: (client: DapClient) => Promise<unknown>, settings: Settings = {}) {
  const client = createDapClient(await createTestAgent(createScriptedModel(steps), { max_iters: 20, ...settings }));
  await client.start({}, async () => {
    await client.request('setExceptionBreakpoints', { filters: [] });
    await set(client);
  });
  return client;
}

const functions = (client: DapClient, ...breakpoints: DebugProtocol.FunctionBreakpoint[]) =>
  client.request<Set>('setFunctionBreakpoints', { breakpoints });
const source = (client: DapClient, ...breakpoints: DebugProtocol.SourceBreakpoint[]) =>
  client.request<Set>('setBreakpoints', { source: loop, breakpoints });
const data = (client: DapClient, ...breakpoints: DebugProtocol.DataBreakpoint[]) =>
  client.request<Set>('setDataBreakpoints', { breakpoints });

async function next(client: DapClient, verb = 'continue'): Promise<Stopped> {
  await client.request(verb, { threadId: 1 });
  return client.event<Stopped>('stopped');
}

const roundOf = (client: DapClient) => client.session.state.runs.at(-1)?.rounds.length ?? 0;

/** The rounds in which it stops until the end of the run. */
async function roundsToEnd(client: DapClient): Promise<number[]> {
  const rounds: number[] = [];
  for (let stop = await client.event<Stopped>('stopped'); stop.reason !== 'end'; stop = await next(client)) {
    assert.ok((stop.hitBreakpointIds?.length ?? 0) > 0, stop.description);
    rounds.push(roundOf(client));
  }
  assert.deepEqual(problemsOf(client.session), []);
  return rounds;
}

const outputs = (client: DapClient, text: string) => client.transcript.filter((line) => line.startsWith('! output') && line.includes(text));
const changed = (client: DapClient) => client.transcript.filter((line) => line.startsWith('! breakpoint'));

test('dap: hit counts on function and source breakpoints; with a condition only what it lets through counts', async () => {
  const table: readonly (readonly [Omit<DebugProtocol.SourceBreakpoint, 'line'>, number[]])[] = [
    [{ hitCondition: '3' }, [3]],
    [{ hitCondition: '>= 4' }, [4, 5, 6]],
    [{ hitCondition: '% 2' }, [2, 4, 6]],
    [{ hitCondition: '% 2', condition: 'round > 1' }, [3, 5]],
    [{ hitCondition: '== 2', condition: 'round % 2 === 0' }, [4]],
  ];
  for (const [asked, expected] of table) {
    assert.deepEqual(await roundsToEnd(await started(sums(6), (client) => functions(client, { name: 'calc*', ...asked }))), expected);
    assert.deepEqual(await roundsToEnd(await started(sums(6), (client) => source(client, { line: lines.act, ...asked }))), expected);
  }
});

test('dap: a wrong hit count is unverified, says so, and never stops', async () => {
  const client = await started(sums(2), async (one) => {
    for (const set of [await functions(one, { name: 'calculator', hitCondition: 'often' }), await source(one, { line: 1, hitCondition: '% 0' })]) {
      assert.equal(set.breakpoints[0]?.verified, false);
      assert.match(set.breakpoints[0]?.message ?? '', /is no hit count/);
    }
  });
  assert.deepEqual(await roundsToEnd(client), []);
});

test('dap: a breakpoint set again as it was goes on counting; one that changed counts from the beginning', async () => {
  const again = async (hitCondition: string) => {
    let first: Set | undefined;
    const client = await started(sums(6), async (one) => {
      await source(one, { line: lines.observe, condition: 'round === 2' });
      first = await functions(one, { name: 'add_todo' }, { name: 'calculator', hitCondition: '3' });
    });
    await client.event('stopped');
    const set = await functions(client, { name: 'calculator', hitCondition }, { name: 'list_todos' });
    await source(client);
    const stop = await next(client);
    return { isKept: set.breakpoints[0]?.id === first?.breakpoints[1]?.id, round: roundOf(client), stop };
  };
  const same = await again('3');
  assert.deepEqual([same.isKept, same.round, same.stop.reason], [true, 3, 'breakpoint']);
  const other = await again('== 3');
  assert.deepEqual([other.isKept, other.round, other.stop.reason], [false, 5, 'breakpoint']);
});

test('dap: breakpoints changed at a pause or while the run is on its way count from the next checkpoint on', async () => {
  const steps: ModelStep[] = sums(5);
  // The model is being asked: the run is on its way.
  steps[2] = async () => {
    await source(client, { line: lines.observe });
    return sum(2);
  };
  const client = await started(steps, (one) => source(one, { line: lines.plan, condition: 'round === 2' }));
  const first = await client.event<Stopped>('stopped');
  assert.match(first.description ?? '', /before plan/);
  await source(client, { line: lines.reply });
  assert.match((await next(client)).description ?? '', /at reply/);
  assert.equal(roundOf(client), 2);
  const third = await next(client);
  assert.match(third.description ?? '', /before observe/);
  assert.equal(roundOf(client), 3);
  await source(client);
  assert.equal((await next(client)).reason, 'end');
});

test('dap: counts begin anew at a restart, and go on over a chat', async () => {
  const client = await started([...sums(2), ...sums(2), ...sums(2)], (one) => functions(one, { name: 'calculator', hitCondition: '3' }));
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  await client.request('evaluate', { expression: '> again', context: 'repl' });
  const third = await client.event<Stopped>('stopped');
  assert.deepEqual([third.reason, roundOf(client)], ['breakpoint', 1]);
  await client.request('restart');
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
});

test('dap: log messages never stop, and say where they were written', async () => {
  const client = await started(sums(3), async (one) => {
    const set = await source(
      one,
      { line: lines.act, logMessage: 'round {round}: {call.name} {call.arguments} \\{as it is\\}' },
      { line: lines.plan, logMessage: 'even: {messages.length} messages', condition: 'round % 2 === 0' },
      { line: lines.observe, logMessage: 'third {result.content}', hitCondition: '3' },
      { line: lines.reply, logMessage: 'broken {call.name}!' },
      { line: lines.reply, logMessage: 'never {x..y}' },
    );
    assert.deepEqual(set.breakpoints.map(({ verified }) => verified), [true, true, true, true, false]);
    assert.match(set.breakpoints[4]?.message ?? '', /log message does not compile: SyntaxError/);
  });
  const stop = await client.event<Stopped>('stopped');
  assert.equal(stop.reason, 'end');
  assert.equal(outputs(client, 'The log message of').length, 2, 'one that does not compile, one that fails');
  assert.equal(changed(client).length, 1);
  assert.equal(client.session.journal.events.filter(({ type }) => type === 'logged').length, 3 + 2 + 1 + 4);
  assert.deepEqual(problemsOf(client.session), []);
  assertGolden('dap-logMessages', client.transcript.join('\n'));
});

test('dap: log(…) speaks in conditions of every kind, with the line of the checkpoint', async () => {
  const client = await started(sums(1), async (one) => {
    await one.request('setExceptionBreakpoints', { filters: [], filterOptions: [{ filterId: 'plan', condition: '(log("at", phase), false)' }] });
    await functions(one, { name: '*', condition: '(log("tool", call.name), false)' });
    await source(one, { line: lines.observe, condition: '(log("line", result.role), false)' });
    await data(one, { dataId: 'state/todos', condition: '(log("data"), false)' });
  });
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  const said = (text: string, line: number) => outputs(client, JSON.stringify(`${text}\n`)).filter((one) => one.endsWith(`@${line}`)).length;
  assert.deepEqual([said('at plan', lines.plan), said('tool calculator', lines.act), said('line tool', lines.observe)], [2, 1, 1]);
});

test('dap: conditions see what is new in this round, once', async () => {
  const steps = [sum(41), sum(1), sum(2), says('done')];
  const at = (condition: string, filterId = 'plan') =>
    started(steps, (one) => one.request('setExceptionBreakpoints', { filters: [], filterOptions: [{ filterId, condition }] })).then(roundsToEnd);
  assert.deepEqual(await at('messages.some((m) => m.content?.includes("42"))'), [2, 3, 4]);
  assert.deepEqual(await at('fresh.messages.some((m) => m.content?.includes("42"))'), [2]);
  assert.deepEqual(await at('fresh.messages.some((m) => m.role === "user")'), [1]);
  assert.deepEqual(await at('fresh.results.some((m) => m.content.includes("42"))', 'observe'), [1]);
  assert.deepEqual(await at('fresh.calls.some((c) => c.arguments.expression === "1+1")', 'reply'), [2]);
});

test('dap: a condition that breaks is told of once, on the breakpoint; it is taken back when it works after all', async () => {
  const client = await started(sums(3), async (one) => {
    await source(one, { line: lines.act, condition: 'round < 2 ? missing : round === 3' });
    await one.request('setExceptionBreakpoints', { filters: [], filterOptions: [{ filterId: 'reply', condition: 'nothing.there' }] });
  });
  assert.deepEqual(await roundsToEnd(client), [3]);
  assert.match(changed(client)[0] ?? '', /unverified It does not work: ReferenceError/);
  assert.deepEqual(changed(client).map((line) => line.replace(/#\d+ /, '').slice(0, 40)).sort(), [
    '! breakpoint changed: unverified It does',
    '! breakpoint changed: unverified It does',
    '! breakpoint changed: verified',
  ]);
  assert.equal(outputs(client, 'The condition of').length, 2);
});

test('dap: every stop says which breakpoints it hit, those that hold and no others, in words too', async () => {
  let ids: (number | undefined)[] = [];
  const client = await started([sum(1), fails('auth')], async (one) => {
    const filters = await one.request<Set>('setExceptionBreakpoints', { filters: ['act', 'modelError'] });
    const tools = await functions(one, { name: 'calc*', hitCondition: '>= 1' });
    const set = await source(
      one,
      { line: lines.act, condition: 'round === 1' },
      { line: lines.act, condition: 'round === 2' },
    );
    ids = [...filters.breakpoints, ...tools.breakpoints, ...set.breakpoints].map(({ id }) => id);
  });
  const [act, modelError, tool, line] = ids;
  const stop = await client.event<Stopped>('stopped');
  assert.deepEqual([stop.reason, stop.hitBreakpointIds], ['breakpoint', [act, tool, line]]);
  assert.equal(stop.description, 'Paused before act: calculator (calc*, hit 1, line 21)');
  const fault = await next(client);
  assert.deepEqual(
    [fault.reason, fault.hitBreakpointIds, fault.description],
    ['exception', [modelError], 'Paused on a fault: modelError'],
  );
});

test('dap: a breakpoint on a tool or a line interrupts a step and says so', async () => {
  const client = await started(sums(2), (one) => source(one, { line: lines.plan, condition: 'round === 1' }));
  await client.event('stopped');
  await functions(client, { name: 'calculator' });
  const stop = await next(client, 'stepOut');
  assert.equal(stop.reason, 'breakpoint');
  assert.equal(stop.description, 'Paused before act: calculator (calculator)');
});

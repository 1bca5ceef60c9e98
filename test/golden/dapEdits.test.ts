import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { currentText, valueAt } from '../../src/core/editText.ts';
import { currentRound, type JournalState } from '../../src/core/journalState.ts';
import { requestParameters } from '../../src/core/requestParameters.ts';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';

const sameTool = calls(
  [
    { name: 'calculator', arguments: { expression: '1+1' }, id: 'call_a' },
    { name: 'calculator', arguments: { expression: '2+2' }, id: 'call_b' },
    { name: 'content', arguments: {}, id: 'call_c' },
  ],
  'I calculate.',
);
/** With fields of a provider's own that are called like our rows. */
const sameNames = {
  ...sameTool,
  message: { ...sameTool.message, tokens: 5, id: 'mine', 'tool_calls[0] calculator': 'x', name: 'n' },
};

async function clientFor(steps: readonly ModelStep[]) {
  const model = createScriptedModel(steps);
  const client = createDapClient(await createTestAgent(model, { todos: [{ content: 'x' }] }));
  return { client, model };
}

interface Row extends DebugProtocol.Variable {
  readonly container: number;
  readonly path: string;
}

/** Every row of the tree as it stands. */
async function walk(client: DapClient): Promise<Row[]> {
  const { scopes } = await client.request<{ scopes: DebugProtocol.Scope[] }>('scopes', { frameId: 1 });
  const rows: Row[] = [];
  const visit = async (container: number, path: string): Promise<void> => {
    const { variables } = await client.request<{ variables: DebugProtocol.Variable[] }>('variables', {
      variablesReference: container,
    });
    const names = variables.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)], `the names under ${path} are unique`);
    for (const row of variables) {
      const here = `${path} › ${row.name}`;
      rows.push({ ...row, container, path: here });
      if (row.variablesReference > 0) await visit(row.variablesReference, here);
    }
  };
  for (const { name, variablesReference } of scopes) await visit(variablesReference, name);
  return rows;
}

/** All that edits can change, by target. */
function editables(state: JournalState): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (id: string, scope: 'history' | 'pending' | 'request') => {
    const text = currentText(state, id, scope);
    if (text === undefined) return;
    for (const [key, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
      if (key !== 'tool_calls') found.set(`${scope} ${id}/${key}`, value);
    }
    for (const [index] of ((valueAt(state, `${id}/tool_calls`, scope) ?? []) as unknown[]).entries()) {
      const target = `${id}/tool_calls/${index}/function/arguments`;
      found.set(`${scope} ${target}`, valueAt(state, target, scope));
    }
  };
  for (const id of state.history) add(id, 'history');
  const round = currentRound(state);
  if (state.checkpoint?.kind === 'plan') for (const id of state.history) add(id, 'request');
  const pending = [round?.replies.at(-1)?.message, ...(round?.calls ?? []).map(({ message }) => message)];
  for (const id of pending) if (id !== undefined && !state.messages.has(id)) add(id, 'pending');
  for (const [name, text] of requestParameters(state)) found.set(`request/${name}`, text);
  for (const key of state.working.keys()) found.set(`state/${key}`, valueAt(state, `state/${key}`, 'state'));
  return found;
}

/** Another text that is valid where this one was. */
function another(row: Row, n: number): string {
  if (row.name === 'temperature') return String(n / 1000);
  if (row.value.startsWith('[')) return JSON.stringify([{ id: n, content: 'x', done: false }]);
  return row.value.startsWith('{') ? JSON.stringify({ expression: `${n}` }) : JSON.stringify(`text ${n}`);
}

test('every row of Variables has a name of its own, and setting one changes that thing and no other', async () => {
  const { client } = await clientFor([sameNames, says('2 and 4.')]);
  await client.start();
  const edited: string[] = [];
  let n = 0;
  for (;;) {
    const stop = await client.event<{ reason: string; description: string }>('stopped');
    const paths = (await walk(client)).filter((row) => !row.presentationHint).map(({ path }) => path);
    for (const path of paths) {
      const row = (await walk(client)).find((one) => one.path === path);
      assert.ok(row, path);
      const before = editables(client.session.state);
      const value = another(row, ++n);
      const set = { variablesReference: row.container, name: row.name, value };
      assert.equal((await client.request<{ value: string }>('setVariable', set)).value, value, path);
      const after = editables(client.session.state);
      const changed = [...after].filter(([target, now]) => JSON.stringify(now) !== JSON.stringify(before.get(target)));
      // A message's text for good is also its text in this request, unless that has one of its own.
      const [target] = changed.map(([name]) => name).filter((name) => changed.length === 1 || name.startsWith('history'));
      assert.ok(target !== undefined && changed.every(([name]) => name === target || name === target.replace('history', 'request')), `${path}: ${changed.join()}`);
      const shown = (await walk(client)).find((one) => one.path === path);
      assert.equal(shown?.value, value, `${path} shows what was set`);
      edited.push(`${stop.description} | ${path} | ${target}`);
    }
    if (stop.reason === 'end') break;
    await client.request('stepIn', { threadId: 1 });
  }
  assert.deepEqual(problemsOf(client.session), []);
  const of = (text: string) => edited.filter((line) => line.includes(text)).map((line) => line.split(' | ').slice(1).join(' → '));
  assert.deepEqual(of('Paused at reply').slice(0, 10), [
    'Pending › call 1.1.1 › arguments → pending m3/tool_calls/0/function/arguments',
    'Pending › call 1.1.2 › arguments → pending m3/tool_calls/1/function/arguments',
    'Pending › call 1.1.3 › arguments → pending m3/tool_calls/2/function/arguments',
    'Pending › reply › content → pending m3/content',
    'Pending › reply › tool_calls[0] calculator → pending m3/tool_calls/0/function/arguments',
    'Pending › reply › tool_calls[1] calculator → pending m3/tool_calls/1/function/arguments',
    'Pending › reply › tool_calls[2] content → pending m3/tool_calls/2/function/arguments',
    'Messages › m1 › content → history m1/content',
    'Messages › m2 › content → history m2/content',
    'Session › todos → state/todos',
  ]);
  assert.ok(of('Run ended').includes('Pending › answer → history m7/content'), of('Run ended').join('\n'));
});

test('what Watch is given for a row leads to that row', async () => {
  const { client } = await clientFor([sameTool, says('2 and 4.')]);
  await client.start();
  let checked = 0;
  for (;;) {
    const stop = await client.event<{ reason: string }>('stopped');
    for (const row of (await walk(client)).filter((one) => !one.presentationHint && one.evaluateName)) {
      const { result } = await client.request<{ result: string }>('evaluate', { expression: row.evaluateName, context: 'watch' });
      const isText = row.name.startsWith('tool_calls') || row.name === 'arguments';
      const expected = isText ? JSON.stringify(row.value) : row.path.startsWith('Session') ? `(1) ${row.value}` : row.value;
      assert.equal(result, expected, `${row.path}: ${row.evaluateName}`);
      checked++;
    }
    if (stop.reason === 'end') break;
    await client.request('stepIn', { threadId: 1 });
  }
  assert.ok(checked > 40, String(checked));
});

test('an answer that was edited is printed as the history holds it, and only then', async () => {
  const { client, model } = await clientFor([says('Streamed answer.'), says('Second answer.')]);
  const printed = () => client.transcript.filter((line) => line.includes('nswer')).map((line) => line.replace('! output ', ''));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: ['observe'] }));
  await client.event('stopped');
  await client.set('"Edited answer."', 'Pending', 'reply', 'content');
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  assert.deepEqual(printed(), ['"Streamed answer."', '"[iter 1][plan] → answer\\n"', '"The answer, as edited: Edited answer.\\n"']);
  await client.set('"Edited at the end."', 'Pending', 'answer');
  assert.equal(printed().at(-1), '"The answer, as edited: Edited at the end.\\n"');
  await client.set('"Another system prompt"', 'Messages', 'm1', 'content');
  assert.equal(printed().length, 4, 'an edit of another message prints nothing');
  await client.request('setExceptionBreakpoints', { filters: [] });
  await client.request('evaluate', { expression: '> Go on', context: 'repl' });
  await client.event('stopped');
  assert.deepEqual(printed().slice(4), ['"Second answer."', '"[iter 1][plan] → answer\\n"']);
  const sent = JSON.parse(model.bodies[1] ?? '') as { messages: { content: string }[] };
  assert.deepEqual(sent.messages.map(({ content }) => content), ['Another system prompt', 'Add 45 and 20, then a to-do.', 'Edited at the end.', 'Go on']);
});

test('an answer that was not streamed is printed whole, once', async () => {
  const long = 'word '.repeat(100).trim();
  for (const [text, times] of [['Short answer.', 0], [long, 1], ['Two\nlines', 1]] as const) {
    const { client } = await clientFor([() => says(text)]);
    await client.start({ noDebug: true });
    await client.event('terminated');
    const whole = client.transcript.filter((line) => line === `! output ${JSON.stringify(`${text}\n`)}`);
    assert.equal(whole.length, times, text);
    assert.ok(client.transcript.some((line) => line.includes(text.slice(0, 3))));
  }
});

test('parameters of the request open as they are sent, and nothing invalid is taken', async () => {
  const { client, model } = await clientFor([says('ok')]);
  await client.start();
  await client.event('stopped');
  const rows = await client.rows('Pending');
  assert.deepEqual(rows.slice(0, 2).map(({ name, value }) => [name, value]), [['model', '"test-model"'], ['temperature', '0.3']]);
  for (const value of ['null', '""', '5', 'no JSON']) await assert.rejects(client.set(value, 'Pending', 'model'), /model must be|not valid JSON/);
  for (const value of ['null', '3', '"0.1"']) await assert.rejects(client.set(value, 'Pending', 'temperature'), /from 0 to 2/);
  await client.request('setExceptionBreakpoints', { filters: [] });
  await client.request('continue', { threadId: 1 });
  await client.event('stopped');
  const sent = JSON.parse(model.bodies[0] ?? '') as Record<string, unknown>;
  assert.deepEqual([sent['model'], sent['temperature']], ['test-model', 0.3]);
});

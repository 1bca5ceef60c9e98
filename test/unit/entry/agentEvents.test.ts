/** What `onEvent` of the library is told: the three events for everyone, and the journal whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { foldAll } from '../../../src/core/fold.ts';
import {
  Agent,
  type AgentEvent,
  type ChatOptions,
  defineTool,
  isJournalEvent,
} from '../../../src/entry/lib.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { noWorkspace, problemsOf } from '../../doubles/testAgent.ts';

const long = 'word '.repeat(3000);
const tools = [
  defineTool({
    name: 'look up',
    description: 'Looks something up.',
    effects: 'none',
    input: z.object({ what: z.string() }),
    run: ({ what }) => ({ what, found: long }),
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    effects: 'none',
    input: z.object({}),
    run: () => {
      throw new Error('no luck');
    },
  }),
];

async function chat(steps: readonly ModelStep[], options: ChatOptions = {}, goal = 'go') {
  const model = createScriptedModel(steps);
  const settings = { system_prompt: 'You are a test.', workspace: noWorkspace };
  const agent = new Agent({ model, tools, ...settings });
  const events: AgentEvent[] = [];
  const result = await agent.chat(goal, {
    ...options,
    onEvent(event) {
      events.push(event);
      return options.onEvent?.(event);
    },
  });
  assert.deepEqual(problemsOf(result.session), []);
  return { ...result, agent, events, own: events.filter((event) => !isJournalEvent(event)) };
}

const wireName = createToolbox(tools).tools[0]?.name ?? '';
const asks = calls(
  [
    { name: wireName, arguments: { what: 'x' }, id: 'a' },
    { name: 'fail', id: 'b' },
    { name: wireName, arguments: '{"what": ', id: 'c' },
    { name: 'nothing', arguments: '', id: 'd' },
  ],
  'I look.',
);

test('a message when it arrives, each call before its result, and every one of them once', async () => {
  const { own, session } = await chat([asks, says('Done.')]);
  const at = { run: 1, round: 1 };
  const message = (id: string, role: string, text: string, origin: string, round: number) => {
    return { type: 'message', id, role, text, origin, run: 1, round };
  };
  const results = own.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
  assert.ok(results.every(({ ms }) => ms >= 0));
  const brief = own.map((event) => {
    if (event.type === 'tool_result') return [event.type, event.id, event.name, event.outcome, event.success];
    return event.type === 'message' && event.role === 'tool' ? [event.type, event.role] : event;
  });
  const call = (id: string, name: string, input: unknown) => {
    return { type: 'tool_call', id, name, arguments: input, ...at };
  };
  assert.deepEqual(brief, [
    message('m1', 'system', 'You are a test.', 'system', 0),
    message('m2', 'user', 'go', 'user', 0),
    message('m3', 'assistant', 'I look.', 'reply', 1),
    call('1.1.1', 'look up', { what: 'x' }),
    // Without effects: it runs beside the first.
    call('1.1.2', 'fail', {}),
    ['tool_result', '1.1.1', 'look up', 'ok', true],
    ['tool_result', '1.1.2', 'fail', 'error', false],
    call('1.1.3', 'look up', '{"what": '),
    ['tool_result', '1.1.3', 'look up', 'invalid', false],
    call('1.1.4', 'nothing', {}),
    ['tool_result', '1.1.4', 'nothing', 'unknown', false],
    ...Array.from({ length: 4 }, () => ['message', 'tool']),
    message('m8', 'assistant', 'Done.', 'reply', 2),
  ]);
  // The whole result, of which the model gets less.
  const [first, second] = results;
  assert.ok(first?.success && second && !second.success);
  assert.deepEqual(first.data, { what: 'x', found: long });
  assert.equal(second.error, 'Error: no luck');
  // Every message of the history, none beside it.
  const told = own.flatMap((event) => (event.type === 'message' ? [event.id] : []));
  assert.deepEqual(told, session.state.history);
});

test('the journal comes whole, from its first event on, each event before what follows from it', async () => {
  const { events, session, agent } = await chat([asks, says('Done.'), says('Again.')]);
  assert.deepEqual(events.filter(isJournalEvent), session.journal.events);
  assert.deepEqual(foldAll(events.filter(isJournalEvent)), foldAll(session.journal.events));
  for (const [index, event] of events.entries()) {
    if (isJournalEvent(event)) continue;
    const before = events.slice(0, index).findLast(isJournalEvent);
    const sources = { tool_call: 'call.', tool_result: 'call.finished' };
    const from = before?.type ?? '';
    const isReply = event.type === 'message' && event.role === 'assistant';
    const source =
      event.type === 'message' ? (isReply ? 'model.replied' : 'history.appended') : sources[event.type];
    assert.ok(from.startsWith(source), `${event.type} after ${from}`);
  }
  const before = session.journal.events.length;
  const again: AgentEvent[] = [];
  await agent.chat('more', { session, onEvent: (event) => again.push(event) });
  assert.deepEqual(again.filter(isJournalEvent), session.journal.events.slice(before));
  const { length } = events;
  await setImmediate();
  assert.equal(events.length, length);
});

test('a listener that throws or rejects breaks neither the run nor its own stream, and is told of once', async (t) => {
  const warnings: string[] = [];
  t.mock.method(process, 'emitWarning', (warning: string) => warnings.push(warning));
  for (const onEvent of [
    () => {
      throw new Error('mine');
    },
    () => Promise.reject(new Error('mine')) as unknown as undefined,
    () => {
      throw Object.create(null);
    },
  ]) {
    const { outcome, own, events, session } = await chat([asks, says('Done.')], { onEvent });
    await setImmediate();
    assert.equal(outcome, 'done');
    assert.equal(own.length, 16);
    assert.deepEqual(events.filter(isJournalEvent), session.journal.events);
  }
  assert.deepEqual(warnings, [
    ...Array<string>(2).fill('onEvent failed, and the run goes on: Error: mine'),
    'onEvent failed, and the run goes on: {}',
  ]);
});

test('what a listener causes is told behind what caused it, and a cancelled call has its pair', async () => {
  const abort = new AbortController();
  const { own, outcome, events, session } = await chat([asks], {
    signal: abort.signal,
    onEvent: (event) => event.type === 'call.finished' && abort.abort(),
  });
  assert.equal(outcome, 'cancelled');
  assert.deepEqual(events.filter(isJournalEvent), session.journal.events);
  const ids = (type: AgentEvent['type']) =>
    own.flatMap((one) => (one.type === type && 'id' in one ? [one.id] : []));
  assert.deepEqual(ids('tool_call'), ['1.1.1', '1.1.2', '1.1.3', '1.1.4']);
  assert.deepEqual(ids('tool_result'), ids('tool_call'));
  assert.deepEqual(ids('message'), session.state.history);
});

test('a failure leaves no message, and secrets are in no event', async () => {
  const failed = await chat([fails('auth')]);
  assert.deepEqual(
    failed.own.map((event) => event.type === 'message' && event.role),
    ['system', 'user'],
  );
  const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD';
  const { events } = await chat(
    [calls([{ name: wireName, arguments: { what: key } }], key), says(key)],
    {},
    `use ${key}`,
  );
  assert.ok(!JSON.stringify(events).includes(key));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentText, valueAt } from '../../../src/core/editText.ts';
import { emptyState } from '../../../src/core/journalState.ts';
import { apply, type Op } from '../../../src/core/ops.ts';
import { createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { stepThrough } from '../../doubles/stepThrough.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';
import {
  a,
  addCall,
  atEachStop,
  b,
  call,
  insert,
  remove,
  reply,
  result,
  say,
  set,
  stopNames,
} from '../../doubles/twoRuns.ts';

const all = stopNames;
const fromHistoryOf = (first: string) => stopNames.slice(stopNames.indexOf(first));

/** Where each op is taken; anywhere else it is refused, with a reason. */
const table: readonly (readonly [what: string, op: Op, taken: readonly string[]])[] = [
  // the pending reply
  [
    'text of the reply',
    set('m5/content', 'pending', 'x'),
    ['1 reply', '1 act 2.1.1', '1 act 2.1.2', '1 observe'],
  ],
  ['text of the answer', set('m8/content', 'pending', 'x'), ['2 reply', '2 observe']],
  ['no text for the answer', set('m8/content', 'pending', ''), []],
  ['another role', set('m5/role', 'pending', 'user'), []],
  [
    'arguments of call 1',
    set('m5/tool_calls/0/function/arguments', 'pending', '{"expression":"3"}'),
    ['1 reply', '1 act 2.1.1'],
  ],
  [
    'arguments of call 2',
    set('m5/tool_calls/1/function/arguments', 'pending', '{"expression":"3"}'),
    ['1 reply', '1 act 2.1.1', '1 act 2.1.2'],
  ],
  ['arguments that are no JSON', set('m5/tool_calls/1/function/arguments', 'pending', '{"expr'), []],
  [
    'tool of call 2',
    set('m5/tool_calls/1/function/name', 'pending', 'list_todos'),
    ['1 reply', '1 act 2.1.1', '1 act 2.1.2'],
  ],
  ['a tool name no API takes', set('m5/tool_calls/1/function/name', 'pending', 'rm -rf'), []],
  [
    'all calls: call 1 changed',
    set('m5/tool_calls', 'pending', [call('call_a', '9'), b]),
    ['1 reply', '1 act 2.1.1'],
  ],
  [
    'all calls: call 2 changed',
    set('m5/tool_calls', 'pending', [a, call('call_b', '9')]),
    ['1 reply', '1 act 2.1.1', '1 act 2.1.2'],
  ],
  ['all calls: one more', set('m5/tool_calls', 'pending', [a, b, call('call_c', '9')]), ['1 reply']],
  ['all calls: one less', set('m5/tool_calls', 'pending', [a]), ['1 reply']],
  ['all calls: the other way round', set('m5/tool_calls', 'pending', [b, a]), ['1 reply']],
  ['all calls: another id', set('m5/tool_calls', 'pending', [a, call('call_x', '2+2')]), ['1 reply']],
  ['all calls: none left', set('m5/tool_calls', 'pending', []), []],
  ['all calls: null', set('m5/tool_calls', 'pending', null), []],
  ['all calls: nonsense', set('m5/tool_calls', 'pending', [null, 'x']), []],
  ['the id of a call used twice', set('m5/tool_calls', 'pending', [a, call('call_a', '2+2')]), []],
  [
    'whole reply: call 1 changed',
    set('m5', 'pending', reply(call('call_a', '9'), b)),
    ['1 reply', '1 act 2.1.1'],
  ],
  ['whole reply: one call less', set('m5', 'pending', reply(a)), ['1 reply']],
  ['whole reply: an answer instead', set('m5', 'pending', { role: 'assistant', content: 'x' }), ['1 reply']],
  ['whole reply: no object', set('m5', 'pending', 'x'), []],
  ['whole answer: a call instead', set('m8', 'pending', reply(call('call_c', '9'))), ['2 reply']],
  // pending results
  ['result 1', set('m6/content', 'pending', 'x'), ['1 act 2.1.2', '1 observe']],
  ['result 2', set('m7/content', 'pending', 'x'), ['1 observe']],
  ['result 1 as that of call 2', set('m6/tool_call_id', 'pending', 'call_b'), []],
  // the history
  ['system prompt', set('m1/content', 'history', 'x'), all],
  ['an earlier answer', set('m3/content', 'history', 'x'), all],
  ['no text for an earlier answer', set('m3/content', 'history', ''), []],
  ['a call for an earlier answer', set('m3', 'history', reply(a)), []],
  ['text of a reply with calls', set('m5/content', 'history', 'x'), fromHistoryOf('2 plan')],
  ['a result', set('m6/content', 'history', 'x'), fromHistoryOf('2 plan')],
  ['text of a result that is null', set('m6/content', 'history', null), []],
  ['arguments of a call that ran', set('m5/tool_calls/0/function/arguments', 'history', '{}'), []],
  ['all calls that ran', set('m5/tool_calls', 'history', [a, call('call_b', '9')]), []],
  ['a whole message with other calls', set('m5', 'history', reply(call('call_a', '9'), b)), []],
  [
    'a whole message with its calls',
    set('m5', 'history', { ...reply(a, b), content: 'x' }),
    fromHistoryOf('2 plan'),
  ],
  ['the answer', set('m8/content', 'history', 'x'), ['2 end']],
  ['a message that is not there', set('m99/content', 'history', 'x'), []],
  ['a field that is not there', set('m3/nothing', 'history', 'x'), []],
  // this request
  ['temperature', set('request/temperature', 'request', 0.9), ['1 plan', '2 plan']],
  ['text for this request', set('m3/content', 'request', 'x'), ['1 plan', '2 plan']],
  ['arguments for this request', set('m5/tool_calls/0/function/arguments', 'request', '{}'), ['2 plan']],
  ['an id for this request', set('m5/tool_calls/0/id', 'request', 'call_x'), []],
  ['calls the other way round for this request', set('m5/tool_calls', 'request', [b, a]), []],
  ['fewer calls for this request', set('m5/tool_calls', 'request', [a]), []],
  ['drop an answer', { kind: 'drop', target: 'm3' }, ['1 plan', '2 plan']],
  ['drop the system prompt', { kind: 'drop', target: 'm1' }, []],
  ['drop the goal', { kind: 'drop', target: 'm4' }, []],
  ['drop the goal of a run whose answer is sent', { kind: 'drop', target: 'm2' }, []],
  ['drop a result, with its block', { kind: 'drop', target: 'm7' }, ['2 plan']],
  ['restore', { kind: 'restore', target: 'm3' }, ['1 plan', '2 plan']],
  ['pin', { kind: 'pin', target: 'm3' }, all],
  ['unpin what is not pinned', { kind: 'unpin', target: 'm3' }, []],
  ['unpin the system prompt', { kind: 'unpin', target: 'm1' }, []],
  // messages that come: [where] behind m3, an answer of the run before, or behind the goal m4
  ['a message for this request', insert('request', say('user'), 'm4'), ['1 plan', '2 plan']],
  ['a message for good', insert('history', say('user'), 'm3'), all],
  ['an answer for good', insert('history', say('assistant'), 'm3'), all],
  ['a message at the beginning', insert('history', say('user')), []],
  ['a system message at the beginning', insert('history', say('system')), all],
  ['a system message in between', insert('history', say('system'), 'm3'), []],
  ['an answer before any question', insert('request', say('assistant'), 'm1'), []],
  ['a message between call and result', insert('history', say('user'), 'm5'), []],
  ['a message behind a result', insert('history', say('user'), 'm7'), fromHistoryOf('2 plan')],
  ['a message behind one that is not there', insert('history', say('user'), 'm99'), []],
  ['a message without text', insert('history', { role: 'user' }, 'm3'), []],
  ['no message', insert('history', 'x', 'm3'), []],
  ['a message that is pending', insert('pending', say('user'), 'm3'), []],
  ['a result without its call', insert('history', result('call_x'), 'm3'), []],
  ['a call with its result', insert('history', [reply(call('call_x', '9')), result('call_x')], 'm3'), all],
  ['a call without its result', insert('history', [reply(call('call_x', '9'))], 'm3'), []],
  ['a call with an id that is used', insert('history', [reply(a), result('call_a')], 'm3'), ['1 plan']],
  // messages that go
  ['an earlier answer, for good', remove('m3', 'history'), all],
  ['an earlier answer, for this request', remove('m3', 'request'), ['1 plan', '2 plan']],
  ['an earlier goal without its answer', remove('m2', 'history'), []],
  ['an earlier goal with its answer', remove('m2', 'history', 'm3'), all],
  ['the goal, for good', remove('m4', 'history'), []],
  ['the system prompt, for good', remove('m1', 'history'), []],
  ['a message that is not there, for good', remove('m99', 'history'), []],
  ['the same message twice', remove('m3', 'history', 'm3'), []],
  ['calls without their results', remove('m5', 'history'), []],
  ['a result without its call, for good', remove('m6', 'history'), []],
  ['calls with one of their results', remove('m5', 'history', 'm6'), []],
  ['calls with their results', remove('m5', 'history', 'm6', 'm7'), fromHistoryOf('2 plan')],
  ['a part of a message', remove('m3/content', 'history'), []],
  ['a to-do', remove('state/todos', 'state'), []],
  // calls that come and go
  ['a call for the reply', addCall('m5', { name: 'calculator', arguments: '{}' }), ['1 reply']],
  ['a call for the answer', addCall('m8', { name: 'calculator', arguments: {} }), ['2 reply']],
  ['a call without a name', addCall('m5', { arguments: {} }), []],
  ['a call with a name no API takes', addCall('m5', { name: 'rm -rf' }), []],
  ['a call with arguments that are none', addCall('m5', { name: 'calculator', arguments: '[' }), []],
  ['a call for a message of the history', addCall('m3', { name: 'calculator' }), []],
  ['call 1 of the reply', remove('m5/tool_calls/0', 'pending'), ['1 reply']],
  ['a call of the reply that is not there', remove('m5/tool_calls/7', 'pending'), []],
  ['the reply itself', remove('m5', 'pending'), []],
  ['a call that was answered, alone', remove('m5/tool_calls/0', 'history'), []],
  [
    'a call that was answered, with its result',
    remove('m5/tool_calls/0', 'history', 'm6'),
    fromHistoryOf('2 plan'),
  ],
  ['a call that was answered, with the wrong result', remove('m5/tool_calls/0', 'history', 'm7'), []],
  ['a call with its result, for this request', remove('m5/tool_calls/0', 'request', 'm6'), ['2 plan']],
  ['a call with a stranger', remove('m5/tool_calls/0', 'request', 'm3'), []],
  ['a parameter that was not edited', remove('request/temperature', 'request'), []],
  // asking again
  ['ask again', { kind: 'askAgain' }, ['1 reply', '2 reply']],
  // the session
  ['to-dos', set('state/todos', 'state', []), all],
  ['a field of a to-do', set('state/todos/0/done', 'state', true), all],
  ['to-dos that are not there', set('state/todos/7/done', 'state', true), []],
  ['a message as state', set('m1/content', 'state', 'x'), []],
  ['nothing of the state', set('state/', 'state', 'x'), []],
  // answers instead of calls
  ['mock call 1', { kind: 'mock', target: '2.1.1', data: 1 }, ['1 reply', '1 act 2.1.1']],
  ['skip call 2', { kind: 'skip', target: '2.1.2' }, ['1 reply', '1 act 2.1.1', '1 act 2.1.2']],
  ['reject a call of another run', { kind: 'reject', target: '1.1.1', reason: '' }, []],
];

test('each op is taken exactly where it means something, and refused with a reason elsewhere', async () => {
  const taken = new Map<string, string[]>(table.map(([what]) => [what, []]));
  const seen: string[] = [];
  await atEachStop((name, state) => {
    seen.push(name);
    for (const [what, op] of table) {
      const before = structuredClone(state);
      const applied = apply(state, op);
      assert.deepEqual(state, before, `${what}: apply itself changes nothing`);
      if (applied.ok) taken.get(what)?.push(name);
      else
        assert.ok(applied.reason.length > 10 && !/\{\d\}/.test(applied.reason), `${what}: ${applied.reason}`);
    }
  });
  assert.deepEqual(seen, stopNames);
  for (const [what, , expected] of table) assert.deepEqual(taken.get(what), expected, what);
});

test('what is taken is what the journal then holds', async () => {
  await atEachStop((name, state, run) => {
    if (name !== '1 act 2.1.2') return;
    assert.ok(run.apply(set('m5/tool_calls/1/function/arguments', 'pending', '{"expression":"5"}')).ok);
    assert.equal(valueAt(state, 'm5/tool_calls/1/function/arguments', 'pending'), '{"expression":"5"}');
    assert.equal(valueAt(state, 'm5/tool_calls/0/function/arguments', 'pending'), '{"expression":"1+1"}');
  }).then(({ state }) => {
    assert.match(currentText(state, 'm7', 'history') ?? '', /"data\\":5/);
  });
});

test('a verdict holds its call: after it, calls can not change places', async () => {
  await atEachStop((name, state, run) => {
    if (name !== '1 reply') return;
    assert.ok(run.apply({ kind: 'skip', target: '2.1.1' }).ok);
    for (const other of [[b], [b, a], [a, b, call('call_c', '9')]])
      assert.equal(apply(state, set('m5/tool_calls', 'pending', other)).ok, false);
    assert.ok(apply(state, set('m5/tool_calls', 'pending', [a, call('call_b', '9')])).ok);
  });
});

test('pinned messages are not dropped, the block of a pinned result neither', async () => {
  await atEachStop((name, state, run) => {
    if (name !== '2 plan') return;
    assert.ok(run.apply({ kind: 'pin', target: 'm6' }).ok);
    for (const target of ['m5', 'm6', 'm7']) {
      const dropped = apply(state, { kind: 'drop', target });
      assert.match(dropped.ok ? '' : dropped.reason, /m6 is pinned/);
    }
    const unpinned = apply(state, { kind: 'unpin', target: 'm5' });
    assert.match(unpinned.ok ? '' : unpinned.reason, /stays because m6 is pinned/);
    assert.ok(run.apply({ kind: 'unpin', target: 'm6' }).ok);
    assert.ok(run.apply({ kind: 'drop', target: 'm6' }).ok);
    assert.deepEqual([...state.fates.keys()], ['m5', 'm6', 'm7']);
    assert.equal(apply(state, set('m6/content', 'request', 'x')).ok, false, 'it is not sent');
    assert.ok(run.apply({ kind: 'restore', target: 'm7' }).ok);
    assert.deepEqual([...state.fates.keys()], []);
  });
});

test('an earlier goal leaves last of its run, and returns first', async () => {
  await atEachStop((name, state, run) => {
    if (name !== '1 plan') return;
    assert.ok(run.apply({ kind: 'drop', target: 'm3' }).ok);
    assert.ok(run.apply({ kind: 'drop', target: 'm2' }).ok);
    assert.deepEqual([...state.fates.keys()].sort(), ['m2', 'm3']);
    const restored = apply(state, { kind: 'restore', target: 'm3' });
    assert.match(restored.ok ? '' : restored.reason, /follows the goal m2.*restore m2 first/);
    assert.ok(run.apply({ kind: 'restore', target: 'm2' }).ok);
    assert.ok(run.apply({ kind: 'restore', target: 'm3' }).ok);
    assert.deepEqual([...state.fates.keys()], []);
  });
});

const parameters: readonly (readonly [
  name: string,
  taken: readonly unknown[],
  refused: readonly unknown[],
])[] = [
  ['model', ['gpt-x', 'org/model:tag'], [null, '', '  ', 7, ['x'], {}, '\ud800']],
  ['temperature', [0, 0.3, 2], [null, '0.3', -0.1, 2.1, NaN, Infinity, true, [1]]],
  ['top_p', [0, 1], [null, 1.5, '1']],
  ['frequency_penalty', [-2, 2], [null, 3]],
  ['presence_penalty', [-2, 2], [null, -3]],
  ['max_tokens', [1, 4096], [null, 0, -1, 1.5, '10', 1e300, NaN]],
  ['max_completion_tokens', [1], [null, 0]],
  ['seed', [0, -1], [null, 0.5]],
  ['parallel_tool_calls', [true, false], [null, 'true', 0]],
  ['reasoning_effort', ['high', null, { any: ['JSON'] }], []],
  ['messages', [], [[]]],
  ['tools', [], [[]]],
  ['stream', [], [false]],
  ['stream_options', [], [{}]],
  ['n', [], [2]],
  ['', [], ['x']],
  ['a/b', [], ['x']],
  ['__proto__', ['x'], []],
  ['with blank', [], ['x']],
];

test('request parameters: nothing that is not valid is taken', async () => {
  await atEachStop((name, state) => {
    if (name !== '1 plan') return;
    const take = (parameter: string, value: unknown) =>
      apply(state, set(`request/${parameter}`, 'request', value)).ok;
    for (const [parameter, taken, refused] of parameters) {
      for (const value of taken) assert.ok(take(parameter, value), `${parameter} = ${JSON.stringify(value)}`);
      for (const value of refused)
        assert.equal(take(parameter, value), false, `${parameter} = ${JSON.stringify(value)}`);
    }
  });
});

test('request parameters are shown as they are sent, also before they were edited', async () => {
  const session = createTestSession();
  const model = createScriptedModel([says('ok')]);
  const agent = await createTestAgent(model, { temperature: 0.4 });
  await stepThrough(agent, session, 'Hello?', ({ kind }, run) => {
    if (kind !== 'plan') return;
    assert.equal(valueAt(session.state, 'request/model', 'request'), 'test-model');
    assert.equal(valueAt(session.state, 'request/temperature', 'request'), 0.4);
    assert.equal(valueAt(session.state, 'request/max_tokens', 'request'), undefined);
    assert.ok(run.apply(set('request/max_tokens', 'request', 50)).ok);
    assert.ok(run.apply(set('request/__proto__', 'request', { a: 1 })).ok);
    assert.equal(valueAt(session.state, 'request/max_tokens', 'request'), 50);
  });
  const sent = JSON.parse(model.bodies[0] ?? '') as Record<string, unknown>;
  assert.deepEqual([sent['model'], sent['temperature'], sent['max_tokens']], ['test-model', 0.4, 50]);
  assert.match(model.bodies[0] ?? '', /,"__proto__":\{"a":1\}/);
  assert.deepEqual(problemsOf(session), []);
});

test('while the agent runs, every op is refused', () => {
  for (const [what, op] of table) {
    const applied = apply(emptyState(), op);
    assert.match(applied.ok ? '' : applied.reason, /running; pause it first/, what);
  }
});

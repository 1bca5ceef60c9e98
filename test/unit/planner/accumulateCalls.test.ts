/** Which call a streamed fragment belongs to: with and without index, id, name (C01, C02, C03, C09, C12). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legal } from '../../../src/core/legal.ts';
import { joinName } from '../../../src/planner/accumulateName.ts';
import { callLines, deltas, noteCodes, readText, reply } from './readText.ts';

const fn = (name: string | null | undefined, args: unknown, rest: object = {}) => ({
  ...rest,
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});
const tools = (...entries: readonly unknown[]) => ({ tool_calls: entries });

test('C01: without index, a known id or none continues and a new id opens a call', async () => {
  const expected = ['read_file {"path":"a.ts"}', 'list_dir {"path":"src"}'];
  const a = { id: 't_a', type: 'function', function: { name: 'read_file', arguments: '{"path":' } };
  const rest = { function: { arguments: '"a.ts"}' } };
  const b = { id: 't_b', type: 'function', function: { name: 'list_dir', arguments: '{"path":"src"}' } };
  const late = [
    { id: 't_a', type: 'function', function: { arguments: '{"path":' } },
    { id: 't_a', function: { arguments: '"a.ts"}' } },
    { id: 't_a', function: { name: 'read_file' } },
  ];
  for (const list of [
    [tools(a), tools(rest), tools(b)],
    [tools(a, rest, b)],
    [tools(a, rest), tools(b)],
    [...late.map((entry) => tools(entry)), tools(b)],
  ]) {
    const outcome = await readText(deltas(list));
    assert.deepEqual(callLines(outcome), expected);
    assert.deepEqual(
      reply(outcome).message.tool_calls?.map(({ id }) => id),
      ['t_a', 't_b'],
    );
    assert.equal(noteCodes(outcome).filter((code) => code === 'index-missing').length, 1);
    assert.ok(reply(outcome).wire?.includes('t_b'));
  }
});

test('C01: whole calls without index and id are separate calls, with ids of our own', async () => {
  const outcome = await readText(deltas([tools(fn('grep', '{"q":"a"}')), tools(fn('grep', '{"q":"b"}'))]));
  assert.deepEqual(callLines(outcome), ['grep {"q":"a"}', 'grep {"q":"b"}']);
  assert.deepEqual(
    reply(outcome).message.tool_calls?.map(({ id }) => id),
    ['call_1', 'call_2'],
  );
  assert.deepEqual(noteCodes(outcome), ['index-missing', 'id-missing']);
});

test('an id of our own avoids the ids that the reply has', async () => {
  const outcome = await readText(
    deltas([tools(fn('a', '{}', { index: 0 }), fn('b', '{}', { index: 1, id: 'call_1' }))]),
  );
  assert.deepEqual(
    reply(outcome).message.tool_calls?.map(({ id }) => id),
    ['call_2', 'call_1'],
  );
});

test('an index that is used for two calls does not fuse them', async () => {
  const list = [
    tools(fn('a', '{"x":1}', { index: 0, id: 'i1' })),
    tools(fn('b', '{"y":2}', { index: 0, id: 'i2' })),
  ];
  const outcome = await readText(deltas(list));
  assert.deepEqual(callLines(outcome), ['a {"x":1}', 'b {"y":2}']);
  assert.ok(noteCodes(outcome).includes('index-reused'));
});

test('an id that changes with every delta stays one call', async () => {
  const list = [
    tools(fn('a', '{"x"', { index: 0, id: 'i1' })),
    tools(fn(undefined, ':1', { index: 0, id: 'i2' })),
    tools(fn(undefined, '}', { index: 0, id: 'i3' })),
  ];
  const outcome = await readText(deltas(list));
  assert.deepEqual(callLines(outcome), ['a {"x":1}']);
  assert.equal(reply(outcome).message.tool_calls?.[0]?.id, 'i1');
  assert.deepEqual(noteCodes(outcome), ['id-changed']);
});

test('interleaved calls are put together by index, in the order of their indexes', async () => {
  const list = [
    tools(fn('b', '{"y"', { index: 1, id: 'i2' })),
    tools(fn('a', '{"x"', { index: '0', id: 'i1' })),
    tools(fn(undefined, ':2}', { index: 1 }), fn(undefined, ':1}', { index: 0 })),
  ];
  assert.deepEqual(callLines(await readText(deltas(list))), ['a {"x":1}', 'b {"y":2}']);
});

test('odd indexes count as none', async () => {
  for (const index of [null, -1, 1.5, 'x', {}]) {
    const outcome = await readText(
      deltas([tools(fn('a', '{}', { index, id: 'i1' })), tools(fn('b', '{}', { index, id: 'i2' }))]),
    );
    assert.deepEqual(callLines(outcome), ['a {}', 'b {}']);
    assert.deepEqual(noteCodes(outcome), ['index-missing']);
  }
});

test('C02: empty, blank and absent arguments mean {}, and the raw text is kept', async () => {
  for (const args of ['', '  \n', null, undefined]) {
    const outcome = await readText(deltas([tools(fn('get_diagnostics', args, { index: 0, id: 't1' }))]));
    assert.deepEqual(callLines(outcome), ['get_diagnostics {}']);
    assert.deepEqual(noteCodes(outcome), ['arguments-empty']);
    assert.ok(reply(outcome).wire?.includes('get_diagnostics'));
  }
});

test('C03: repeated and split names', async () => {
  const table: readonly (readonly [readonly (string | null)[], string])[] = [
    [['grep', 'grep', 'grep'], 'grep'],
    [['gr', 'ep'], 'grep'],
    [['grep', null, ''], 'grep'],
    [['grep_files', 'grep_files'], 'grep_files'],
    [['gr', 'grep'], 'grep'],
  ];
  for (const [names, expected] of table) {
    const list = names.map((name, at) => tools(fn(name, at === 0 ? '{}' : '', { index: 0, id: 'i' })));
    assert.deepEqual(callLines(await readText(deltas(list))), [`${expected} {}`]);
  }
  assert.equal(joinName('', 'grep'), 'grep');
});

test('C09: arguments as an object become text, in a stream and in a whole message', async () => {
  const call = fn('search', { q: 'todo', max: 5 }, { id: 'o1' });
  const message = { role: 'assistant', content: '', tool_calls: [call] };
  const whole = JSON.stringify({ choices: [{ index: 0, finish_reason: 'tool_calls', message }] });
  for (const text of [whole, deltas([tools({ index: 0, ...call })])]) {
    const outcome = await readText(text);
    assert.deepEqual(callLines(outcome), ['search {"q":"todo","max":5}']);
    assert.deepEqual(noteCodes(outcome), ['arguments-object']);
    assert.ok(reply(outcome).wire?.includes('"arguments":{"q"'));
  }
});

test('C12: calls of a whole message stay apart under one id; a stream tells them apart by whole arguments', async () => {
  const entry = (q: string) => fn('grep', `{"q":"${q}"}`, { id: 'grep:0' });
  const whole = {
    choices: [
      { message: { role: 'assistant', tool_calls: [entry('b'), entry('c')] }, finish_reason: 'tool_calls' },
    ],
  };
  for (const text of [JSON.stringify(whole), deltas([tools(entry('b')), tools(entry('c'))])]) {
    const outcome = await readText(text);
    assert.deepEqual(callLines(outcome), ['grep {"q":"b"}', 'grep {"q":"c"}']);
    assert.ok(noteCodes(outcome).includes('id-duplicate'));
  }
});

test('C13, C24: names that the API refuses are rewritten to what no tool is called; bad arguments stay', async () => {
  for (const [name, expected] of [
    ['list files!', 'list_files__illegal_name'],
    ['', '_illegal_name'],
    ['x'.repeat(80), `${'x'.repeat(50)}_illegal_name`],
    [' grep\n', 'grep'],
  ] as const) {
    const outcome = await readText(deltas([tools(fn(name, '{"a":1}', { index: 0, id: 'i' }))]));
    assert.deepEqual(callLines(outcome), [`${expected} {"a":1}`]);
    const result = { role: 'tool', tool_call_id: 'i', content: 'x' } as const;
    assert.deepEqual(legal([{ role: 'user', content: 'go' }, reply(outcome).message, result]), []);
  }
  const bad = [
    '{"cmd": "rm -rf build',
    '{"a":1}{"b":2}',
    '{"min":,"max":3}',
    '[1,2]',
    '"text"',
    'null',
    '{"cmd": "a\nb"}',
  ];
  for (const text of bad) {
    assert.deepEqual(callLines(await readText(deltas([tools(fn('run', text, { index: 0, id: 'i' }))]))), [
      `run ${text}`,
    ]);
  }
});

test('entries that are no calls are passed over and named', async () => {
  const outcome = await readText(
    deltas([{ tool_calls: [null, 'x', 7, fn('a', '{}', { index: 0, id: 'i' })] }]),
  );
  assert.deepEqual(callLines(outcome), ['a {}']);
  assert.deepEqual(noteCodes(outcome), ['call-unreadable']);
});

test('fields of a call that the API does not define are kept, the index is not', async () => {
  const extra = { extra_content: { google: { thought_signature: 'abc' } } };
  const outcome = await readText(deltas([tools(fn('a', '{}', { index: 0, id: 'i', ...extra }))]));
  const [call] = reply(outcome).message.tool_calls ?? [];
  assert.deepEqual(call, { id: 'i', type: 'function', function: { name: 'a', arguments: '{}' }, ...extra });
  assert.deepEqual(noteCodes(outcome), []);
});

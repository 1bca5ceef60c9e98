/**
 * Each normalisation is one visible anomaly of its turn: a reply that needs it in two places leaves one, and one that
 * needs none leaves none. The table is complete: a note that the reader can make and that is not in it fails.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { end, type ScriptedAnswer, type ServerStep, sse } from '../../doubles/scriptedServer.ts';
import { eventsOf, runOnServer } from '../../doubles/serverRun.ts';

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const choice = (rest: object) => event({ choices: [{ index: 0, ...rest }] });
const delta = (value: unknown, finish?: string) =>
  choice({ delta: value, ...(finish === undefined ? {} : { finish_reason: finish }) });
const call = (name: string | undefined, args: unknown, rest: object = {}) => ({
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), arguments: args },
  ...rest,
});
const tools = (...entries: readonly unknown[]) => delta({ tool_calls: entries });
const done = 'data: [DONE]\n\n';
const hi = delta({ content: 'Hi' });
const text = (...pieces: readonly ServerStep[]) => sse(...pieces, delta({}, 'stop'), done);
const calls = (...pieces: readonly ServerStep[]) => sse(...pieces, delta({}, 'tool_calls'), done);

/** By note, a reply that needs it twice, and the notes that it can't do without. */
const table: Readonly<Record<string, readonly [answer: ScriptedAnswer, ...others: string[]]>> = {
  'index-missing': [
    calls(
      tools(call('f', '{"a":', { id: 'i1' })),
      tools(call(undefined, '1}')),
      tools(call('g', '{"a":2}', { id: 'i2' })),
    ),
  ],
  'index-changed': [
    calls(
      tools(call('f', '{"a":', { index: 0, id: 'i1' })),
      tools(call(undefined, '[1', { index: 1 })),
      tools(call(undefined, ']}', { index: 2 })),
    ),
  ],
  'index-reused': [
    calls(...['i1', 'i2', 'i3'].map((id) => tools(call('f', `{"a":"${id}"}`, { index: 0, id })))),
  ],
  'index-text': [
    calls(
      tools(call('f', '{"a":1}', { index: '0', id: 'i1' })),
      tools(call('g', '{"a":1}', { index: '1', id: 'i2' })),
    ),
  ],
  'id-missing': [calls(tools(call('f', '{"a":1}', { index: 0 }), call('g', '{"a":1}', { index: 1 })))],
  'id-duplicate': [
    calls(tools(...[0, 1, 2].map((index) => call('f', `{"a":${index}}`, { index, id: 'i1' })))),
  ],
  'id-changed': [
    calls(
      tools(call('f', '{"a":', { index: 0, id: 'i1' })),
      tools(call(undefined, '[1', { index: 0, id: 'i2' })),
      tools(call(undefined, ']}', { index: 0, id: 'i3' })),
    ),
  ],
  'id-number': [
    calls(tools(call('f', '{"a":1}', { index: 0, id: 1 }), call('g', '{"a":1}', { index: 1, id: 2 }))),
  ],
  'name-in-pieces': [
    calls(
      tools(call('f', '{"a"', { index: 0, id: 'i1' })),
      tools(call('f', ':1', { index: 0 })),
      tools(call('f', '}', { index: 0 })),
    ),
  ],
  'name-blank': [
    calls(
      tools(call(' f', '{"a":1}', { index: 0, id: 'i1' }), call('g\n', '{"a":1}', { index: 1, id: 'i2' })),
    ),
  ],
  'name-illegal': [
    calls(
      tools(call('a b', '{"a":1}', { index: 0, id: 'i1' }), call('c d', '{"a":1}', { index: 1, id: 'i2' })),
    ),
  ],
  'arguments-object': [
    calls(tools(call('f', { a: 1 }, { index: 0, id: 'i1' }), call('g', { a: 2 }, { index: 1, id: 'i2' }))),
  ],
  'arguments-empty': [
    calls(tools(call('f', '', { index: 0, id: 'i1' }), call('g', ' ', { index: 1, id: 'i2' }))),
  ],
  'arguments-repeated': [
    calls(
      ...['i1', 'i2'].flatMap((id, index) =>
        ['{"a":', '1}', '{"a":1}'].map((args, at) =>
          tools(call(at === 0 ? 'f' : undefined, args, { index, id })),
        ),
      ),
    ),
  ],
  'type-missing': [
    calls(
      tools(
        ...[0, 1].map((index) => ({
          index,
          id: `i${index}`,
          function: { name: 'f', arguments: `{"a":${index}}` },
        })),
      ),
    ),
  ],
  'call-flat': [
    calls(
      tools(
        ...[0, 1].map((index) => ({
          index,
          id: `i${index}`,
          type: 'function',
          name: 'f',
          arguments: `{"a":${index}}`,
        })),
      ),
    ),
  ],
  'call-unreadable': [calls(tools('x', 7, call('f', '{"a":1}', { index: 0, id: 'i1' })))],
  'call-empty': [
    calls(
      tools(
        call('', '', { index: 0, id: 'n' }),
        call('', '', { index: 1, id: 'm' }),
        call('f', '{"a":1}', { index: 2, id: 'i1' }),
      ),
    ),
  ],
  'function-call': [
    sse(
      delta({ function_call: { name: 'f', arguments: '{"a":' } }),
      delta({ function_call: { arguments: '1}' } }),
      delta({}, 'function_call'),
      done,
    ),
    'id-missing',
  ],
  'extra-choices': [
    text(hi, ...[1, 2].map((index) => event({ choices: [{ index, delta: { content: 'x' } }] }))),
  ],
  'choice-index': [
    sse(
      event({ choices: [{ index: 1, delta: { content: 'Hi' } }] }),
      event({ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }),
      done,
    ),
  ],
  'not-a-list': [
    sse(
      event({ choices: { index: 0, delta: { content: 'Hi' } } }),
      event({ choices: { index: 0, delta: {}, finish_reason: 'stop' } }),
      done,
    ),
  ],
  'content-parts': [
    text(
      delta({ content: [{ type: 'text', text: 'H' }] }),
      delta({ content: [{ type: 'text', text: 'i' }] }),
    ),
  ],
  'message-in-stream': [
    sse(
      choice({ message: { content: 'H' } }),
      choice({ message: { content: 'Hi' }, finish_reason: 'stop' }),
      done,
    ),
  ],
  'text-in-stream': [sse(choice({ text: 'H' }), choice({ text: 'i', finish_reason: 'stop' }), done)],
  'not-json': [text('data: {"choices":[{"index":0,"delta":{"content":"H"},"p":NaN}]}\n\n'.repeat(2))],
  'bare-line': [text(hi, `${hi}${hi}`.replaceAll('data: ', 'DATA: '))],
  'data-repeated': [text(`${hi}${hi}`.replaceAll('data: ', 'data: data: '))],
  'events-joined': [text(hi.trimEnd(), '\n', hi, hi.trimEnd(), '\n', hi)],
  'unreadable-event': [text(hi, 'data: keep-alive\n\n', 'data: keep-alive\n\n')],
  'cut-character': [sse(hi, delta({}, 'stop'), Buffer.from([0x3a, 0xe2, 0x82])), 'done-missing'],
  'invalid-utf8': [text(hi, Buffer.from([0x3a, 0xff, 0xfe, 0x0a, 0x0a]))],
  'done-missing': [sse(hi, delta({}, 'stop'), end)],
  'finish-missing': [sse(hi, done)],
  'finish-disagrees': [
    sse(
      tools(call('f', '{"a":1}', { index: 0, id: 'i1' }), call('g', '{"a":1}', { index: 1, id: 'i2' })),
      delta({}, 'stop'),
      done,
    ),
  ],
  'cut-by-limit': [sse(hi, delta({}, 'length'), done)],
  'calls-cut': [
    sse(
      tools(
        call('f', '{"a":1}', { index: 0, id: 'i1' }),
        call('g', '{"a"', { index: 1, id: 'i2' }),
        call('h', '{"a"', { index: 2, id: 'i3' }),
      ),
      delta({}, 'length'),
      done,
    ),
    'cut-by-limit',
  ],
  'index-changed: arguments alone under it': [
    calls(
      ...[0, 2].flatMap((index) => [
        tools(call(`f${index}`, '', { index, id: `i${index}` })),
        tools({ index: index + 1, function: { arguments: '{"a":1}' } }),
      ]),
    ),
  ],
  'finish-disagrees: no call': [calls(hi)],
  'events-joined: as a list': [
    sse(
      JSON.stringify([
        { choices: [{ index: 0, delta: { content: 'Hi' } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ]),
    ),
  ],
  'lone-surrogate': [text('data: {"choices":[{"index":0,"delta":{"content":"\\ud83d.\\ud83d."}}]}\n\n')],
};

/** The run says more, of calls that no tool takes: that is none of the reader's. */
const known = new Set(Object.keys(table).map(codeOf));

/** A row that shows another way to the same note says so behind its code. */
function codeOf(name: string): string {
  return name.split(':')[0] ?? '';
}

for (const [name, [answer, ...others]] of Object.entries(table)) {
  const code = codeOf(name);
  test(`${name}: one anomaly, about the reply, however often it is needed`, async (t) => {
    const { session } = await runOnServer(t, { script: [answer], settings: { max_iters: 1 } });
    const noted = eventsOf(session, 'anomaly').filter((one) => known.has(one.code));
    assert.deepEqual(noted.map((one) => one.code).toSorted(), [code, ...others].toSorted());
    const [replied] = eventsOf(session, 'model.replied');
    for (const { about, detail } of noted) {
      assert.deepEqual(about, [replied?.seq]);
      assert.ok(detail.length > 10);
    }
    assert.ok(replied?.wire !== undefined, 'the bytes are kept as evidence');
  });
}

test('a reply as the API describes it leaves no anomaly', async (t) => {
  const answer = calls(
    delta({ role: 'assistant', content: null }),
    tools(call('f', '', { index: 0, id: 'i1' })),
    tools({ index: 0, function: { arguments: '{"a":1}' } }),
    tools(call('g', '{}', { index: 1, id: 'i2' })),
  );
  const { session } = await runOnServer(t, { script: [answer], settings: { max_iters: 1 } });
  assert.deepEqual(
    eventsOf(session, 'anomaly').filter((one) => known.has(one.code)),
    [],
  );
});

test('the table knows each note that the reader can make', () => {
  const folder = fileURLToPath(new URL('../../../src/planner/', import.meta.url));
  const made = readdirSync(folder)
    .filter((name) => /^(?:accumulate|readReply)/.test(name))
    .flatMap((name) => [...readFileSync(folder + name, 'utf8').matchAll(/notes\.add\(\s*'([\w-]+)'/g)])
    .map(([, code = '']) => code);
  assert.deepEqual([...new Set(made)].toSorted(), [...known].toSorted());
});

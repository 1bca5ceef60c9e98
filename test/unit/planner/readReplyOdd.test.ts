/** Shapes that servers send beside the API: each is read as what it says, and named, or fails by its own words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelOutcome } from '../../../src/core/ports.ts';
import { callLines, deltas, noteCodes, readText, reply } from './readText.ts';

const call = (fn: object, rest: object = {}) => ({ type: 'function', function: fn, ...rest });
const tools = (...entries: readonly unknown[]) => ({ tool_calls: entries });
const stream = (...chunks: readonly unknown[]) =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
const chunk = (choice: object) => ({ choices: [{ index: 0, ...choice }] });
const failure = (outcome: ModelOutcome) => {
  assert.ok(!outcome.ok);
  return outcome;
};

const callTable: readonly {
  readonly what: string;
  readonly list: readonly object[];
  readonly calls: readonly string[];
  readonly note: string;
}[] = [
  {
    what: 'index 0 for every call, none with an id',
    list: [
      tools(call({ name: 'f', arguments: '{"x":1}' }, { index: 0, id: '' })),
      tools(call({ name: 'g', arguments: '{"y":2}' }, { index: 0, id: '' })),
    ],
    calls: ['f {"x":1}', 'g {"y":2}'],
    note: 'index-reused',
  },
  {
    what: 'the same tool twice under index 0, in one delta and without ids',
    list: [
      tools(
        call({ name: 'f', arguments: '{"x":1}' }, { index: 0 }),
        call({ name: 'f', arguments: '{"x":2}' }, { index: 0 }),
      ),
    ],
    calls: ['f {"x":1}', 'f {"x":2}'],
    note: 'index-reused',
  },
  {
    what: 'another id in every fragment of a call, without index',
    list: [
      tools(call({ name: 'f', arguments: '{"x":' }, { id: 'a1' })),
      tools(call({ name: null, arguments: '[1,' }, { id: 'a2' })),
      tools(call({ arguments: '2]}' }, { id: 'a3' })),
    ],
    calls: ['f {"x":[1,2]}'],
    note: 'id-changed',
  },
  {
    what: 'the argument text so far in every fragment',
    list: [
      tools(call({ name: 'f', arguments: '{"x":' }, { index: 0, id: 'a' })),
      tools(call({ name: 'f', arguments: '{"x":{"x"' }, { index: 0, id: 'a' })),
      tools(call({ name: 'f', arguments: '{"x":{"x":1}}' }, { index: 0, id: 'a' })),
    ],
    calls: ['f {"x":{"x":1}}'],
    note: 'arguments-repeated',
  },
  {
    what: 'the whole call once more at its end',
    list: [
      tools(call({ name: 'f', arguments: '{"x":' }, { index: 0, id: 'a' })),
      tools(call({ arguments: '1}' }, { index: 0 })),
      tools(call({ name: 'f', arguments: '{"x":1}' }, { index: 0, id: 'a' })),
    ],
    calls: ['f {"x":1}'],
    note: 'arguments-repeated',
  },
  {
    what: 'the whole call twice, without index',
    list: [
      tools(call({ name: 'f', arguments: '{"x":1}' }, { id: 'a' })),
      tools(call({ name: 'f', arguments: '{"x":1}' }, { id: 'a' })),
    ],
    calls: ['f {"x":1}'],
    note: 'arguments-repeated',
  },
  {
    what: 'an empty object before the arguments',
    list: [
      tools(call({ name: 'f', arguments: '{}' }, { index: 0, id: 'a' })),
      tools(call({ arguments: '{"x"' }, { index: 0 })),
      tools(call({ arguments: ':1}' }, { index: 0 })),
    ],
    calls: ['f {"x":1}'],
    note: 'arguments-repeated',
  },
  {
    what: 'name and arguments beside the id',
    list: [tools({ index: 0, id: 'a', type: 'function', name: 'f', arguments: { x: 1 } })],
    calls: ['f {"x":1}'],
    note: 'call-flat',
  },
  {
    what: 'calls with nothing in them',
    list: [
      tools(call({ name: '', arguments: '' }, { index: 0, id: 'none' })),
      tools(call({ name: 'f', arguments: '{}' }, { index: 1, id: 'a' })),
      { function_call: {} },
    ],
    calls: ['f {}'],
    note: 'call-empty',
  },
];

for (const { what, list, calls, note } of callTable) {
  test(`calls: ${what}`, async () => {
    const outcome = await readText(deltas(list));
    assert.deepEqual(callLines(outcome), calls);
    assert.ok(noteCodes(outcome).includes(note), noteCodes(outcome).join());
  });
}

test('calls: what no fragment says in full stays as it came, for the call to fail by', async () => {
  for (const [texts, whole] of [
    [['{"a":1}', '{"b":2}'], '{"a":1}{"b":2}'],
    [['{"a":1', '{"a":1'], '{"a":1{"a":1'],
    [['{}', '{}x'], '{}{}x'],
  ] as const) {
    const list = texts.map((text, index) =>
      tools(call(index === 0 ? { name: 'f', arguments: text } : { arguments: text }, { index: 0 })),
    );
    assert.deepEqual(callLines(await readText(deltas(list))), [`f ${whole}`]);
  }
});

test('an empty function_call beside text is no call', async () => {
  const outcome = await readText(deltas([{ content: 'Hi', function_call: {} }]));
  assert.equal(reply(outcome).message.tool_calls, undefined);
  assert.equal(reply(outcome).message.content, 'Hi');
});

test('chunks as a list, as lines, as messages: all of them count', async () => {
  const chunks = [
    chunk({ delta: { content: 'He' } }),
    chunk({ delta: { content: 'llo' }, finish_reason: 'stop' }),
  ];
  const messages = [
    chunk({ message: { role: 'assistant', content: 'He' } }),
    chunk({ message: { role: 'assistant', content: 'llo' }, finish_reason: 'stop' }),
  ];
  const growing = [
    chunk({ message: { role: 'assistant', content: 'He' } }),
    chunk({ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }),
  ];
  for (const text of [
    JSON.stringify(chunks),
    chunks.map((one) => JSON.stringify(one)).join('\n'),
    stream(...messages),
    stream(...growing),
    stream(chunk({ text: 'Hel' }), chunk({ text: 'lo', finish_reason: 'stop' })),
  ])
    assert.equal(reply(await readText(text)).message.content, 'Hello', text);
});

test('chunks as lines without a finish reason are a reply that was cut', async () => {
  const lines = [chunk({ delta: { content: 'a' } }), chunk({ delta: { content: 'b' } })];
  const outcome = failure(await readText(lines.map((one) => JSON.stringify(one)).join('\n')));
  assert.deepEqual([outcome.class, outcome.partial], ['cut', 'ab']);
});

test('an error in a stream that stands there as a document of several lines says its words', async () => {
  const error = JSON.stringify({ error: { message: 'worker lost', code: 503 } }, undefined, 2);
  const outcome = failure(await readText(`${stream(chunk({ delta: { content: 'a' } }))}${error}\n`));
  assert.match(outcome.message, /503: worker lost/);
  assert.equal(outcome.partial, 'a');
});

test('NaN and Infinity outside of texts do not damage a reply, and stay in texts', async () => {
  const text =
    'data: {"choices":[{"index":0,"delta":{"content":"NaN \\"-Infinity"},"logprobs":[NaN,-Infinity]}]}\n\n';
  const outcome = await readText(`${text}${stream(chunk({ delta: {}, finish_reason: 'stop' }))}`);
  assert.equal(reply(outcome).message.content, 'NaN "-Infinity');
});

test('a reply of nothing but line breaks came to nothing, and says so', async () => {
  const outcome = failure(await readText('\n\r\n\n'));
  assert.deepEqual([outcome.class, outcome.retryable], ['cut', true]);
  assert.match(outcome.message, /before any of the reply/);
});

test('usage where only one provider puts it', async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 2 };
  const last = { ...chunk({ delta: {}, finish_reason: 'stop' }), x_groq: { id: 'r', usage } };
  const outcome = await readText(stream(chunk({ delta: { content: 'a' } }), last));
  assert.deepEqual(reply(outcome).usage, { prompt: 7, completion: 2 });
});

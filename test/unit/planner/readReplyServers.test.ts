/**
 * What single servers and gateways stream beside the API, seen in the threads that people wrote about it: calls whose
 * fragments are numbered wrongly, errors that look like chunks, labels of the provider behind, lists in pieces.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callLines, deltas, failed, noteCodes, readPieces, readText, reply } from './readText.ts';

const tools = (...entries: readonly unknown[]) => ({ tool_calls: entries });
const call = (name: string | null | undefined, args: unknown, rest: object = {}) => ({
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), arguments: args },
  ...rest,
});
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, rest: object = {}) => event({ choices: [{ index: 0, delta, ...rest }] });
const stop = chunk({}, { finish_reason: 'stop' });
const done = 'data: [DONE]\n\n';

const calls: readonly (readonly [
  what: string,
  list: readonly object[],
  calls: readonly string[],
  note?: string,
])[] = [
  [
    'every fragment under the next index, with the id (LocalAI)',
    [
      tools(call('exec', '', { index: 0, id: 'a' })),
      tools(call(undefined, '{"cmd":', { index: 1, id: 'a' })),
      tools(call(undefined, '"ls"}', { index: 2, id: 'a' })),
    ],
    ['exec {"cmd":"ls"}'],
    'index-changed',
  ],
  [
    'every fragment under the next index, without an id (Nebius, Cerebras)',
    [
      tools(call('exec', '{"cmd":', { index: 0, id: 'a' })),
      tools(call(undefined, '"ls', { index: 1 })),
      tools(call(undefined, ' -l"}', { index: 2 })),
    ],
    ['exec {"cmd":"ls -l"}'],
    'index-changed',
  ],
  [
    'the head of a second call under the index of the first, its arguments under its own',
    [
      tools(call('f', '{"x":1}', { index: 0, id: 'a' })),
      tools(call('g', '', { index: 0, id: 'b' })),
      tools(call(undefined, '{"y"', { index: 1 })),
      tools(call(undefined, ':2}', { index: 1 })),
    ],
    ['f {"x":1}', 'g {"y":2}'],
    'index-changed',
  ],
  [
    'a whole call again under another index',
    [tools(call('f', '{"x":1}', { index: 0, id: 'a' })), tools(call('f', '{"x":1}', { index: 1, id: 'a' }))],
    ['f {"x":1}'],
    'index-changed',
  ],
  [
    'one id for two calls that have an index each',
    [
      tools(call('grep', '', { index: 0, id: 'grep:0' })),
      tools(call(undefined, '{"q":"b"}', { index: 0 })),
      tools(call('grep', '', { index: 1, id: 'grep:0' })),
      tools(call(undefined, '{"q":"c"}', { index: 1 })),
    ],
    ['grep {"q":"b"}', 'grep {"q":"c"}'],
    'id-duplicate',
  ],
  [
    'head and arguments as two entries of one delta, under one index (Kimi)',
    [
      tools(
        { index: 0, id: 'functions.list:0', type: 'function', function: { name: 'list' } },
        { index: 0, function: { arguments: ' {"' } },
      ),
      tools({ index: 0, function: { arguments: 'path":"."}' } }),
    ],
    ['list  {"path":"."}'],
  ],
  [
    'two calls without parameters in one delta, with neither index nor id',
    [tools(call('f', ''), call('g', null), call('g', ''))],
    ['f {}', 'g {}', 'g {}'],
  ],
  [
    'arguments first, and then id and name together, without index',
    [tools({ function: { arguments: '{"x":1}' } }), tools({ id: 'z', function: { name: 'f' } })],
    ['f {"x":1}'],
  ],
  [
    'arguments under index 0 of a call that began at 1',
    [tools(call('f', '', { index: 1, id: 'a' })), tools({ index: 0, function: { arguments: '{"x":1}' } })],
    ['f {"x":1}'],
    'index-changed',
  ],
];

for (const [what, list, lines, note] of calls) {
  test(`calls: ${what}`, async () => {
    const outcome = await readText(deltas(list));
    assert.deepEqual(callLines(outcome), lines);
    if (note !== undefined) assert.ok(noteCodes(outcome).includes(note), noteCodes(outcome).join());
  });
}

const errors: readonly (readonly [what: string, text: string, message: RegExp, partial?: string])[] = [
  [
    'a line "error:" (llama.cpp)',
    `${chunk({ content: 'Wo' })}error: {"code":500,"message":"slot lost"}\n\n`,
    /500: slot lost/,
    'Wo',
  ],
  ['a line "error:" that is no JSON', 'error: slot lost\n\n', /slot lost/],
  [
    'base_resp and choices null (MiniMax)',
    event({ id: '1', choices: null, base_resp: { status_code: 1013, status_msg: 'busy inside' } }),
    /busy inside/,
  ],
  [
    'the same as a document',
    JSON.stringify({ choices: null, base_resp: { status_code: 1013, status_msg: 'busy inside' } }),
    /busy inside/,
  ],
  [
    'error_msg (Qianfan)',
    JSON.stringify({ error_code: 336003, error_msg: 'the content is invalid' }),
    /the content is invalid/,
  ],
  ['capital names (AWS)', JSON.stringify({ Message: 'no access', __type: 'AccessDenied' }), /no access/],
  [
    'an envelope with capital names (Hunyuan)',
    JSON.stringify({ Response: { Error: { Code: 'LimitExceeded', Message: 'busy now' } } }),
    /busy now/,
  ],
  [
    'error: true with words',
    `${chunk({ content: 'Wo' })}${event({ error: true, message: 'boom' })}`,
    /boom/,
    'Wo',
  ],
  ['error: a number with words', event({ error: 500, message: 'boom' }), /boom/],
  ['a list of errors', `${chunk({ content: 'Wo' })}${event({ error: [{ message: 'boom' }] })}`, /boom/, 'Wo'],
  [
    'words alone, after text',
    `${chunk({ content: 'Wo' })}${event({ message: 'Internal Server Error' })}`,
    /Internal Server Error/,
    'Wo',
  ],
  [
    'a text as the error of the choice',
    `${chunk({ content: 'Wo' }, { error: 'provider died', finish_reason: 'error' })}${done}`,
    /provider died/,
    'Wo',
  ],
  [
    'x_groq.error',
    `${chunk({ content: 'Wo' })}${event({ choices: [], x_groq: { error: 'over capacity' } })}`,
    /over capacity/,
    'Wo',
  ],
  [
    'success: false and no choices',
    JSON.stringify({ success: false, choices: [], message: 'blocked' }),
    /blocked/,
  ],
  [
    'an error inside a chunk that was not finished (sub2api)',
    `${chunk({ content: 'Wo' })}data: {"choices":[{"index":0,"delta":{"content":"r\ndata: {"type":"error","message":"stream_read_error"}\n\n`,
    /stream_read_error/,
    'Wo',
  ],
];

for (const [what, text, message, partial] of errors) {
  test(`errors: ${what}`, async () => {
    const outcome = failed(await readText(text));
    assert.match(outcome.message, message);
    assert.equal(outcome.partial, partial);
    assert.notEqual(outcome.class, 'cut');
  });
}

test('errors: the fields of one with nothing in them are none', async () => {
  for (const error of [{}, { message: '', type: '', param: '', code: null }, [], false, '']) {
    const message = { role: 'assistant', content: 'Hi' };
    const whole = { choices: [{ index: 0, message, finish_reason: 'stop' }], error };
    assert.equal(reply(await readText(JSON.stringify(whole))).message.content, 'Hi');
    assert.equal(reply(await readText(event({ ...whole }) + done)).message.content, 'Hi');
  }
  const fine = chunk({ content: 'Hi' }, { finish_reason: 'stop' }).replace(
    '}]}',
    '}],"base_resp":{"status_code":0,"status_msg":"success"}}',
  );
  assert.equal(reply(await readText(fine + done)).message.content, 'Hi');
});

test('labels of the provider behind the gateway: what they say of the reply, in any of their words', async () => {
  for (const [label, kind] of [
    ['function_call_filter: MALFORMED_FUNCTION_CALL', 'server'],
    ['UNEXPECTED_TOOL_CALL', 'server'],
    ['not_finished', 'server'],
    ['content_filter: RECITATION', 'refused'],
    ['MODEL_ARMOR', 'refused'],
  ] as const) {
    const outcome = failed(await readText(chunk({ content: 'par' }, { finish_reason: label }) + done));
    assert.deepEqual([outcome.class, outcome.partial], [kind, 'par'], label);
  }
  const limited = await readText(chunk({ content: 'par' }, { finish_reason: 'time_limit' }) + done);
  assert.deepEqual(noteCodes(limited), ['cut-by-limit']);
  for (const label of ['tool_use', 'TOOL_CALLS', 'tool_call']) {
    const list = tools(call('f', '{}', { index: 0, id: 'a' }));
    assert.deepEqual(noteCodes(await readText(chunk(list, { finish_reason: label }) + done)), [], label);
  }
});

test('C05: half a call behind which a gateway wrote [DONE] is cut, and asked for again', async () => {
  const list = tools(call('write_file', '{"path":"a.md","text":"# Ti', { index: 0, id: 'a' }));
  const outcome = failed(await readText(chunk(list) + done));
  assert.deepEqual([outcome.class, outcome.retryable], ['cut', true]);
  assert.match(outcome.message, /cut by the provider/);
  // With a label the provider says that this is all: the model is told what is wrong with it.
  assert.deepEqual(callLines(await readText(chunk(list) + stop + done)), [
    'write_file {"path":"a.md","text":"# Ti',
  ]);
});

test('[DONE] without the line break behind it ends a reply whose socket stays open', async () => {
  for (const end of ['data: [DONE]', 'data: [DONE]\n', 'data:[DONE]\r\n', 'data: "[DONE]"\n\n']) {
    const outcome = await readPieces([chunk({ content: 'a' }), stop, end], 'open', { idleMs: 100_000 });
    assert.equal(reply(outcome).message.content, 'a', end);
    assert.deepEqual(noteCodes(outcome), [], end);
  }
});

test('a proxy that writes "data:" twice, in another case, or behind blanks takes nothing away', async () => {
  for (const [written, note] of [
    ['data: data: ', 'data-repeated'],
    ['DATA: ', 'bare-line'],
    [' data: ', 'bare-line'],
  ] as const) {
    const text = (chunk({ content: 'a' }) + stop).replaceAll('data: ', written);
    const outcome = await readText(text + done);
    assert.equal(reply(outcome).message.content, 'a', written);
    assert.deepEqual(noteCodes(outcome), [note]);
  }
});

test('a whole completion, or chunks, and then [DONE] as an event', async () => {
  const whole = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
  };
  const chunks = `{"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n${stop}`;
  for (const text of [`${JSON.stringify(whole)}\n\n${done}`, chunks + done])
    assert.equal(reply(await readText(text)).message.content, 'a', text);
});

test('a message beside or behind deltas that said nothing is the reply', async () => {
  const message = { role: 'assistant', content: 'Hello', reasoning: 'hm so' };
  const empty = { role: 'assistant', content: '' };
  for (const text of [
    chunk(empty, { message, finish_reason: 'stop' }),
    chunk(empty) + event({ choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    chunk({ ...empty, reasoning: 'hm' }) + event({ choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  ]) {
    const read = reply(await readText(text + done)).message;
    assert.deepEqual(read, { role: 'assistant', content: 'Hello', reasoning: 'hm so' }, text);
  }
});

test('a choice with another index counts where none has the index 0', async () => {
  const one = event({ choices: [{ index: 1, delta: { content: 'a' }, finish_reason: 'stop' }] });
  const outcome = await readText(one + done);
  assert.equal(reply(outcome).message.content, 'a');
  assert.deepEqual(noteCodes(outcome), ['choice-index']);
  const two = [0, 1].map((index) => event({ choices: [{ index, delta: { content: `${index}` } }] })).join('');
  const both = await readText(two + stop + done);
  assert.equal(reply(both).message.content, '0');
  assert.deepEqual(noteCodes(both), ['extra-choices']);
});

test('C10: a block of reasoning that is streamed in pieces goes back in one, with its signature', async () => {
  const piece = (rest: object, index = 0) => ({
    reasoning_details: [{ type: 'reasoning.text', format: 'anthropic-claude-v1', index, ...rest }],
  });
  const text = [
    chunk(piece({ text: 'Let' })),
    chunk(piece({ text: ' me', signature: null })),
    chunk(piece({ signature: 'Et8B' })),
    chunk(piece({ text: 'Next' }, 1)),
    chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 1 }] }),
    chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'no index' }] }),
    chunk({ content: 'Hi' }),
  ].join('');
  const { reasoning_details } = reply(await readText(text + stop + done)).message;
  assert.deepEqual(reasoning_details, [
    { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, text: 'Let me', signature: 'Et8B' },
    { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 1, text: 'Next' },
    { type: 'reasoning.encrypted', data: 'x', index: 1 },
    { type: 'reasoning.text', text: 'no index' },
  ]);
});

test('usage of zeros is a report that was not filled in', async () => {
  const zero = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  const real = event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } });
  const last = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: zero });
  const outcome = await readText(chunk({ content: 'a' }) + real + last + done);
  assert.deepEqual(reply(outcome).usage, { prompt: 9, completion: 3 });
  assert.equal(reply(await readText(chunk({ content: 'a' }) + last + done)).usage, null);
});

test('another API than chat completions is named, and not asked again', async () => {
  const streams = [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
    'event: response.created\ndata: {"type":"response.created","response":{"id":"r"}}\n\n',
  ];
  for (const text of streams.flatMap((one) => [one, one + done])) {
    const outcome = failed(await readText(text));
    assert.deepEqual([outcome.class, outcome.retryable], ['protocol', false]);
    assert.match(outcome.message, /another API .*(?:message_start|response\.created).*api_base/);
  }
});

test('a web page under 200 says that it is none of the API', async () => {
  const page = failed(await readText('<!DOCTYPE html><html><head><title>Open WebUI</title></head></html>'));
  assert.match(page.message, /Open WebUI \(an HTML page\)\. This is a web page.*api_base.*\/v1/);
});

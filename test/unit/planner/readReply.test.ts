/** One reader for streamed and whole replies: bytes, fields, errors in a 200 (C06 to C08, C10, C26). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callLines, deltas, events, failed, noteCodes, readPieces, readText, reply } from './readText.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('a plain streamed reply needs no note and keeps no wire', async () => {
  const usage = { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 };
  const text = events(
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: { content: 'Hel' } }] },
    { choices: [{ index: 0, delta: { content: 'lo' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  );
  const said: string[] = [];
  const outcome = reply(await readPieces([text], 'closed', { onText: (delta) => said.push(delta) }));
  assert.deepEqual(outcome, {
    ok: true,
    message: { role: 'assistant', content: 'Hello' },
    finish: 'stop',
    usage: { prompt: 11, completion: 2, total_tokens: 13 },
    ms: 1,
    ttft: 1,
    notes: [],
  });
  assert.deepEqual(said, ['Hel', 'lo']);
});

test('a whole completion is read like a stream of one piece', async () => {
  const message = { role: 'assistant', content: 'Hello', refusal: null };
  const body = JSON.stringify({
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  });
  const said: string[] = [];
  const outcome = reply(
    await readPieces([`\n ${body}\n`], 'closed', { onText: (delta) => said.push(delta) }),
  );
  assert.deepEqual(outcome.message, { role: 'assistant', content: 'Hello' });
  assert.deepEqual(outcome.usage, { prompt: 1, completion: 2 });
  assert.deepEqual([said, outcome.notes], [['Hello'], []]);
});

const c07 =
  ': warming up\r\n\r\ndata:{"choices":[{"index":0,"delta":{"content":"a"}}]}\r\n\r\n:\n\nretry: 500\nid: 7\ndata: {"choices":[{"index":0,\ndata: "delta":{"content":"b"}}]}\n\ndata: [DONE]\n\n';
const c08 = deltas([
  {
    content: 'żółw 🐢',
    tool_calls: [
      {
        index: 0,
        id: 'u1',
        type: 'function',
        function: { name: 'read_file', arguments: '{"path":"żółw🐢.md"}' },
      },
    ],
  },
]);

test('C07, C08: the same reply for a split at every byte, and for one byte at a time', async () => {
  for (const text of [c07, c08]) {
    const bytes = bytesOf(text);
    const whole = await readPieces([bytes]);
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepEqual(await readPieces([bytes.slice(0, at), bytes.slice(at)]), whole);
    }
    assert.deepEqual(await readPieces([...bytes].map((byte) => Uint8Array.of(byte))), whole);
  }
  assert.equal(reply(await readText(c07)).message.content, 'ab');
  const turtle = await readPieces([...bytesOf(c08)].map((byte) => Uint8Array.of(byte)));
  assert.deepEqual(callLines(turtle), ['read_file {"path":"żółw🐢.md"}']);
  assert.ok(!JSON.stringify(turtle).includes('\uFFFD'));
});

test('random splits into many pieces change nothing', async () => {
  const bytes = bytesOf(c08);
  const whole = await readPieces([bytes]);
  const cuts = fc.uniqueArray(fc.nat(bytes.length), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const edges = [0, ...at.toSorted((a, b) => a - b), bytes.length];
      const pieces = edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
      assert.deepEqual(await readPieces(pieces), whole);
    }),
    { seed: 7, numRuns: 200 },
  );
});

test('C08: a character that the end cuts is reported and not replaced; broken bytes are reported', async () => {
  const cut = await readPieces([
    bytesOf('data: {"choices":[{"delta":{"content":"a"}}]}\n\n'),
    Uint8Array.of(0xf0, 0x9f),
  ]);
  assert.deepEqual(noteCodes(cut), ['cut-character']);
  assert.ok(!JSON.stringify(cut).includes('\uFFFD'));
  const [before, after] = deltas([{ content: '@' }], 'stop').split('@');
  const broken = await readPieces([before!, Uint8Array.of(0xff), after!]);
  assert.deepEqual(noteCodes(broken), ['invalid-utf8']);
  assert.deepEqual(noteCodes(await readText(deltas([{ content: 'a \uFFFD of its own' }], 'stop'))), []);
});

test('C06: an error inside a 200 stream is a failure with the partial text, whatever its shape', async () => {
  const work = 'data: {"id":"g1","choices":[{"index":0,"delta":{"content":"Work"}}]}\n\n';
  const table = [
    [
      'data: {"id":"g1","choices":[],"error":{"code":502,"message":"worker limit reached (9/8)"}}\n\n',
      'worker limit reached',
      502,
    ],
    ['event: error\ndata: {"error":"upstream went away"}\n\n', 'upstream went away', undefined],
    ['event: error\ndata: upstream went away\n\n', 'upstream went away', undefined],
    ['data: {"error":"upstream went away"}\n\n', 'upstream went away', undefined],
    ['{"error":{"message":"upstream went away"}}\n\n', 'upstream went away', undefined],
    ['data: {"object":"error","message":"upstream went away","code":503}\n\n', 'upstream went away', 503],
    [
      'data: {"type":"error","error":{"type":"overloaded_error","message":"upstream went away"}}\n\n',
      'upstream went away',
      undefined,
    ],
  ] as const;
  for (const [event, message, status] of table) {
    const outcome = failed(await readText(`${work}${event}data: [DONE]\n\n`));
    assert.equal(outcome.class, 'server', event);
    assert.ok(outcome.message.includes(message), outcome.message);
    assert.deepEqual([outcome.partial, outcome.retryable, outcome.status], ['Work', true, status]);
    assert.ok(outcome.wire?.includes(message));
  }
});

test('C06: an error as a whole 200 document, and an HTML page under 200', async () => {
  for (const body of ['{"error":{"message":"no"}}', '[{"error":{"message":"no"}}]', '{"detail":"no"}']) {
    assert.match(failed(await readText(body)).message, /no/);
  }
  const page = failed(
    await readText('<!DOCTYPE html><html><head><title>Sign in</title></head><body>…</body></html>'),
  );
  assert.match(page.message, /Sign in \(an HTML page\)/);
  assert.ok(page.wire?.startsWith('<!DOCTYPE'));
});

test('C06: error: null is no error', async () => {
  const text = events({ error: null, choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] });
  assert.equal(reply(await readText(text)).message.content, 'a');
});

test('what is no chat completion is said to be none', async () => {
  for (const body of [
    '{"model":"x","message":{"content":"hi"},"done":true}',
    '{}',
    'Ollama is running',
    'data: [DONE]\n\n',
  ]) {
    const outcome = failed(await readText(body));
    assert.equal(outcome.class, 'protocol');
    assert.ok(outcome.wire);
  }
});

test('events that are not JSON are passed over with a note; damaged chunks are not', async () => {
  const comment = await readText(`data: : PROCESSING\n\n${deltas([{ content: 'a' }], 'stop')}`);
  assert.equal(reply(comment).message.content, 'a');
  assert.deepEqual(noteCodes(comment), ['unreadable-event']);
  const damaged = failed(
    await readText(`data: {"choices":[{"delta":{"cont\n\n${deltas([{ content: 'a' }], 'stop')}`),
  );
  assert.equal(damaged.class, 'protocol');
});

test('chunks without a blank line between them are read one by one', async () => {
  const outcome = await readText(
    deltas([{ content: 'a' }, { content: 'b' }], 'stop').replaceAll('\n\n', '\n'),
  );
  assert.equal(reply(outcome).message.content, 'ab');
  assert.deepEqual(noteCodes(outcome), ['events-joined']);
});

test('C10: fields that the API does not define come back on the message', async () => {
  const outcome = await readText(
    deltas([
      { content: '', reasoning_content: 'Read ' },
      { reasoning_content: 'first.', reasoning_details: [{ text: 'a', index: 0 }] },
      { reasoning_details: [{ text: 'b', index: 0 }], refusal: null, audio: null },
      {
        tool_calls: [
          {
            index: 0,
            id: 'r1',
            type: 'function',
            function: { name: 'read_file', arguments: '{"path":"a.ts"}' },
          },
        ],
      },
    ]),
  );
  assert.deepEqual(reply(outcome).message, {
    role: 'assistant',
    content: '',
    reasoning_content: 'Read first.',
    reasoning_details: [{ text: 'ab', index: 0 }],
    tool_calls: [
      { id: 'r1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } },
    ],
  });
  assert.deepEqual(noteCodes(outcome), []);
});

test('a field named __proto__ stays a field', async () => {
  const outcome = await readText(
    `data: {"choices":[{"delta":{"content":"a","__proto__":{"x":1}},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
  );
  assert.ok(Object.hasOwn(reply(outcome).message, '__proto__'));
  assert.equal((reply(outcome).message as { x?: number }).x, undefined);
});

test('C26: half surrogate pairs become U+FFFD, in text, in fields and inside argument text', async () => {
  const text = deltas([
    { content: 'x', reasoning_content: 'y' },
    {
      tool_calls: [
        { index: 0, id: 'i', type: 'function', function: { name: 'a', arguments: '{"q":"\\ud99c"}' } },
      ],
    },
  ]);
  const outcome = await readText(text.replace('"x"', '"x\\ud83d"').replace('"y"', '"y\\ude00"'));
  assert.deepEqual(callLines(outcome), ['a {"q":"\\ufffd"}']);
  const { message } = reply(outcome);
  assert.deepEqual([message.content, message['reasoning_content']], ['x\uFFFD', 'y\uFFFD']);
  assert.deepEqual(noteCodes(outcome), ['lone-surrogate']);
});

test('a pair that two deltas share is whole, in the reply and on its way', async () => {
  const text = deltas([{ content: 'x' }, { content: 'y' }], 'stop')
    .replace('"x"', '"a\\ud83d"')
    .replace('"y"', '"\\ude00b"');
  const said: string[] = [];
  const outcome = await readPieces([text], 'closed', { onText: (delta) => said.push(delta) });
  assert.equal(reply(outcome).message.content, 'a😀b');
  assert.deepEqual([said, noteCodes(outcome)], [['a', '😀b'], []]);
});

test('content as a list of parts is joined; a second choice is left out', async () => {
  const parts = [{ type: 'text', text: 'a' }, 'b', { type: 'image' }];
  const outcome = await readText(
    events({
      choices: [
        { index: 1, delta: { content: 'no' } },
        { index: 0, delta: { content: parts }, finish_reason: 'stop' },
      ],
    }),
  );
  assert.equal(reply(outcome).message.content, 'ab');
  assert.deepEqual(noteCodes(outcome), ['extra-choices', 'content-parts']);
});

test('usage: the last report counts, absent is not zero, a count that is no number is none', async () => {
  const done = { choices: [{ delta: { content: 'a' }, finish_reason: 'stop', usage: { prompt_tokens: 5 } }] };
  assert.deepEqual(reply(await readText(events(done))).usage, { prompt: 5 });
  assert.deepEqual(
    reply(await readText(events(done, { usage: { prompt_tokens: 6, completion_tokens: 0 } }))).usage,
    { prompt: 6, completion: 0 },
  );
  assert.equal(
    reply(
      await readText(
        events({
          ...done,
          choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: '5' },
        }),
      ),
    ).usage,
    null,
  );
});

test('whatever JSON comes, the reader answers and what it answers is well formed', async () => {
  const chunk = fc.record(
    {
      choices: fc.array(
        fc.record(
          {
            index: fc.jsonValue(),
            delta: fc.oneof(
              fc.jsonValue(),
              fc.record(
                {
                  content: fc.jsonValue(),
                  tool_calls: fc.array(
                    fc.oneof(
                      fc.jsonValue(),
                      fc.record(
                        {
                          index: fc.jsonValue(),
                          id: fc.jsonValue(),
                          function: fc.oneof(
                            fc.jsonValue(),
                            fc.record({ name: fc.jsonValue(), arguments: fc.jsonValue() }),
                          ),
                        },
                        { requiredKeys: [] },
                      ),
                    ),
                  ),
                },
                { requiredKeys: [] },
              ),
            ),
            finish_reason: fc.constantFrom('stop', 'length', null, 7),
          },
          { requiredKeys: [] },
        ),
      ),
      usage: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(chunk, fc.jsonValue())), async (chunks) => {
      const outcome = await readText(events(...chunks));
      if (!outcome.ok) return assert.notEqual(outcome.message, '');
      const { message } = outcome;
      assert.ok(message.content !== null || (message.tool_calls ?? []).length > 0);
      const ids = (message.tool_calls ?? []).map(({ id }) => id);
      assert.ok(ids.every((id) => id !== ''));
      assert.ok(!/\\ud[89a-f]/i.test(JSON.stringify(message).replace(/\\\\/g, '')));
    }),
    { seed: 11, numRuns: 500 },
  );
});

test('a call in the form before tool_calls, streamed and whole; beside tool_calls it is the same call', async () => {
  const streamedCall = deltas(
    [
      { function_call: { name: 'grep' } },
      { function_call: { arguments: '{"q":' } },
      { function_call: { arguments: '"x"}' } },
    ],
    'function_call',
  );
  const function_call = { name: 'grep', arguments: '{"q":"x"}' };
  const whole = JSON.stringify({
    choices: [
      { finish_reason: 'function_call', message: { role: 'assistant', content: null, function_call } },
    ],
  });
  for (const text of [streamedCall, whole]) {
    const outcome = await readText(text);
    assert.deepEqual(callLines(outcome), ['grep {"q":"x"}']);
    assert.ok(noteCodes(outcome).includes('function-call'));
    assert.ok(!('function_call' in reply(outcome).message));
  }
  const tool_calls = [{ index: 0, id: 'a', type: 'function', function: function_call }];
  assert.deepEqual(callLines(await readText(deltas([{ tool_calls, function_call }]))), ['grep {"q":"x"}']);
});

test('a byte order mark, null choices and a stray comment do not hide a reply', async () => {
  const text = `\uFEFF: hello\n\ndata: {"choices":null}\n\ndata: {"choices":[]}\n\n${events({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }], usage: null })}`;
  assert.equal(reply(await readText(text)).message.content, 'a');
});

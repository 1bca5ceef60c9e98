/** The four endings and what each leaves (C04, C05), labels, limits, refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callLines, deltas, events, failed, noteCodes, readPieces, readText, reply } from './readText.ts';

const call = (args: string, name = 'list_dir', index = 0) => ({
  tool_calls: [{ index, id: `k${index}`, type: 'function', function: { name, arguments: args } }],
});
const writing = `data: ${JSON.stringify({ choices: [{ delta: { content: 'I write.', ...call('{"path":"a.md","text":"# Ti', 'write_file') } }] })}\n\n`;

test('C04: whole calls count, whatever a normal label says', async () => {
  for (const label of ['stop', null, 'other', 'eos', '']) {
    const outcome = await readText(deltas([{ content: 'Let me look. ' }, call('{"path":"."}')], label));
    assert.deepEqual(callLines(outcome), ['list_dir {"path":"."}']);
    assert.deepEqual(noteCodes(outcome), ['finish-disagrees']);
    assert.equal(reply(outcome).finish, label === '' ? null : label);
  }
  const [note] = (await readText(deltas([call('{}')], 'stop'))).notes;
  assert.equal(note?.detail, 'the provider said "stop"; the reply holds 1 call, which count');
});

test('labels that disagree the other way, or are missing, are noted too', async () => {
  assert.deepEqual(noteCodes(await readText(deltas([{ content: 'a' }], 'tool_calls'))), ['finish-disagrees']);
  assert.deepEqual(noteCodes(await readText(deltas([{ content: 'a' }], null))), ['finish-missing']);
});

test('C05: closed or reset in the middle of a call is cut: no reply, the partial text is kept', async () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  for (const [pieces, how] of [
    [[writing], 'the connection was closed'],
    [[writing, new TypeError('terminated', { cause: reset })], 'the connection broke (ECONNRESET)'],
    [[writing.slice(0, -30)], 'the connection was closed'],
  ] as const) {
    const outcome = failed(await readPieces(pieces));
    assert.equal(outcome.class, 'cut');
    assert.ok(outcome.message.includes(how), outcome.message);
    assert.match(outcome.message, /after \d+ bytes/);
    assert.ok(outcome.retryable);
    assert.ok(outcome.wire?.includes('write_file'));
  }
  assert.equal(failed(await readPieces([writing])).partial, 'I write.');
});

test('C05: [DONE] ends the reply at once, with the socket still open', async (t) => {
  // Time stands still: a reader that waits for more would wait for ever.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const outcome = await readPieces([deltas([call('{}')])], 'open');
  assert.deepEqual(callLines(outcome), ['list_dir {}']);
});

test('a finish reason without [DONE] is complete: closed, reset, or held open', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const text = deltas([call('{}')]).replace('data: [DONE]\n\n', '');
  for (const pieces of [[text], [text, new Error('reset')]]) {
    assert.deepEqual(noteCodes(await readPieces(pieces)), ['done-missing']);
  }
  const held = readPieces([text], 'open', { idleMs: 60_000 });
  await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.tick(5000);
  assert.deepEqual(noteCodes(await held), ['done-missing']);
});

test('a whole document that is cut is cut', async () => {
  const outcome = failed(await readText('{"choices":[{"message":{"role":"assistant","content":"Hel'));
  assert.deepEqual([outcome.class, outcome.retryable], ['cut', true]);
});

test('nothing at all is no empty success', async () => {
  assert.equal(failed(await readText('')).class, 'cut');
  for (const text of [deltas([{ content: '' }], 'stop'), deltas([{ reasoning_content: 'hm' }], 'stop')]) {
    const outcome = failed(await readText(text));
    assert.deepEqual([outcome.class, outcome.retryable], ['protocol', true]);
  }
});

test('cut by a limit: text is kept with a note', async () => {
  const outcome = await readText(deltas([{ content: 'Once upon' }], 'length'));
  assert.equal(reply(outcome).message.content, 'Once upon');
  assert.deepEqual([reply(outcome).finish, noteCodes(outcome)], ['length', ['cut-by-limit']]);
});

test('cut by a limit: whole calls stay, the cut one is taken out', async () => {
  for (const cut of ['{"path":"b', '']) {
    const outcome = await readText(deltas([call('{"path":"a"}'), call(cut, 'write_file', 1)], 'length'));
    assert.deepEqual(callLines(outcome), ['list_dir {"path":"a"}']);
    assert.ok(noteCodes(outcome).includes('calls-cut') && noteCodes(outcome).includes('cut-by-limit'));
  }
});

test('cut by a limit inside the only call: a failure, not an announcement taken for an answer', async () => {
  const outcome = failed(await readText(deltas([{ content: 'I write.' }, call('{"path":"b')], 'length')));
  assert.deepEqual([outcome.class, outcome.retryable, outcome.partial], ['cut', false, 'I write.']);
  const nothing = failed(await readText(deltas([{ reasoning_content: 'hm' }], 'length')));
  assert.match(nothing.message, /token limit/);
});

test('refusals: the refusal field and the filter labels; no call of them is kept', async () => {
  const refusal = failed(await readText(deltas([{ refusal: 'I can' }, { refusal: 'not help.' }], 'stop')));
  assert.deepEqual([refusal.class, refusal.message], ['refused', 'The model refused: I cannot help.']);
  const filtered = failed(await readText(deltas([{ content: 'How to' }, call('{}')], 'content_filter')));
  assert.deepEqual([filtered.class, filtered.partial, filtered.retryable], ['refused', 'How to', false]);
  assert.equal(failed(await readText(deltas([{ content: 'a' }], 'error'))).class, 'server');
});

test('cancelled while it arrives: the partial text is kept, and nothing waits', async () => {
  const abort = new AbortController();
  const reading = readPieces([writing], 'open', { signal: abort.signal });
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  const outcome = failed(await reading);
  assert.deepEqual([outcome.class, outcome.partial, outcome.retryable], ['cancelled', 'I write.', false]);
});

test('the first byte and the gaps have their own limits; a comment is a sign of life', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const limits = { firstByteMs: 30_000, idleMs: 1000, elapsed: () => 0 };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const none = readPieces([], 'open', limits);
  t.mock.timers.tick(29_999);
  await turn();
  t.mock.timers.tick(1);
  assert.match(failed(await none).message, /did not begin to answer within 30 s/);

  let comment: (() => void) | undefined;
  let left = 5;
  const source = {
    read: () =>
      new Promise<{ done: boolean; value: Uint8Array }>((resolve) => {
        const value = new TextEncoder().encode(
          left-- > 0
            ? ': warming up\n\n'
            : events({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }),
        );
        comment = () => resolve({ done: false, value });
      }),
  };
  const { readReply } = await import('../../../src/planner/readReply.ts');
  const { signal } = new AbortController();
  const slow = readReply(source, {
    signal,
    onText: () => undefined,
    ...limits,
    classify: () => assert.fail(),
  });
  for (let n = 0; n < 6; n++) {
    t.mock.timers.tick(999);
    comment?.();
    await turn();
  }
  assert.equal(reply(await slow).message.content, 'a');

  const stalled = readPieces([writing], 'open', limits);
  await turn();
  t.mock.timers.tick(1000);
  const outcome = failed(await stalled);
  assert.deepEqual([outcome.class, outcome.partial, outcome.retryable], ['timeout', 'I write.', true]);
});

test('notes are one per kind, and each keeps the evidence', async () => {
  const bad = { id: '', function: { name: 'a', arguments: { x: 1 } } };
  const outcome = await readText(
    events(
      { choices: [{ delta: { tool_calls: [bad, bad, bad] } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
    ),
  );
  const codes = noteCodes(outcome);
  assert.equal(new Set(codes).size, codes.length);
  assert.ok(reply(outcome).wire);
});

const tagged = (finish: string) =>
  deltas(
    [
      {
        content: 'Hi ',
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
    ],
    finish,
  );
for (const label of [
  'cancelled',
  'canceled',
  'abort',
  'aborted',
  'timeout',
  'insufficient_system_resource',
  'MALFORMED_FUNCTION_CALL',
  'INTERRUPTED',
  'ERROR_LIMIT',
])
  test(`C04: a reply that was not ended well (${label}) is no reply: its call is not executed`, async () => {
    const { class: kind, message, retryable, partial } = failed(await readText(tagged(label)));
    assert.equal(kind, 'server');
    assert.equal(retryable, true);
    assert.ok(message.includes(label));
    assert.equal(partial, 'Hi ');
  });
for (const label of ['sensitive', 'SPII', 'guardrail_intervened', 'ERROR_TOXIC', 'content_filtered'])
  test(`C04: a filter by another name (${label}) is a refusal`, async () => {
    assert.equal(failed(await readText(tagged(label))).class, 'refused');
  });
for (const label of ['token_limit', 'model_context_window_exceeded', 'MAX_LENGTH'])
  test(`C05: a limit by another name (${label}) is one, and what is whole counts`, async () => {
    assert.ok(noteCodes(await readText(tagged(label))).includes('cut-by-limit'));
  });

const whole = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n';
const errors: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a bare message': ['{"message":"Internal server error"}', /Internal server error/],
  'a list of errors': ['{"success":false,"errors":[{"message":"boom"}]}', /boom/],
  'a code and a message': ['{"code":"1301","msg":"busy, try later","success":false}', /busy, try later/],
  'an error of the choice': [
    `${whole}data: {"choices":[{"finish_reason":"error","error":{"message":"provider broke","code":502}}]}\n\n`,
    /502: provider broke/,
  ],
  'a status and a message in a stream': [
    `${whole}data: {"code":503,"msg":"no worker"}\n\n`,
    /503: no worker/,
  ],
  'no success in a stream': [`${whole}data: {"success":false,"message":"gone"}\n\n`, /gone/],
};
for (const [name, [text, said]] of Object.entries(errors))
  test(`C06: an error that does not look like one (${name}) is told in its own words`, async () => {
    const { class: kind, message, retryable } = failed(await readText(text));
    assert.equal(kind, 'server');
    assert.match(message, said);
    assert.equal(retryable, true);
  });

test('C07: what a server says beside its chunks is no error, and [DONE] may be written small', async () => {
  const beside = [
    '{"type":"ping"}',
    '{"status":"queued","message":"waiting"}',
    '{"code":0,"msg":"ok"}',
    '{"id":"x","usage":null}',
  ];
  for (const chunk of beside)
    assert.equal(
      reply(
        await readText(
          `data: ${chunk}\n\n${events({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] })}`,
        ),
      ).message.content,
      'a',
    );
  assert.equal(reply(await readText(`${whole}data: [done]\n\n`)).message.content, 'x');
});

/** Answers as old servers, proxies and broken ones write them, byte for byte: each has one of the endings, and none hangs. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import zlib from 'node:zlib';
import { requestBody } from '../../../src/core/body.ts';
import type { ModelOutcome } from '../../../src/core/ports.ts';
import { createOpenAiClient } from '../../../src/planner/openaiClient.ts';
import { createRawServer, type RawAnswer } from '../../doubles/rawServer.ts';

const part = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
const stop = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const whole = `${part}${stop}data: [DONE]\n\n`;

async function send(t: TestContext, answer: RawAnswer): Promise<ModelOutcome> {
  const client = createOpenAiClient({ apiBase: await createRawServer(t, answer) });
  const body = requestBody('{"model":"m","messages":[', ['{"role":"user","content":"x"}'], [']}']);
  const limits = { firstByteMs: 60_000, idleMs: 60_000 };
  return await client.send(body, {
    signal: new AbortController().signal,
    onText: () => undefined,
    ...limits,
  });
}

const head = (lines: readonly string[], status = '200 OK') =>
  `HTTP/1.1 ${[status, ...lines].join('\r\n')}\r\n\r\n`;
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const ends =
  (...pieces: readonly (string | Buffer)[]): RawAnswer =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };
/** The socket stays open: nothing but the answer itself tells that it is over. */
const stays =
  (...pieces: readonly (string | Buffer)[]): RawAnswer =>
  (socket) =>
    void pieces.map((piece) => socket.write(piece));
const encoded = (name: string, bytes: Buffer | string) =>
  stays(head([`content-encoding: ${name}`, `content-length: ${bytes.length}`]), bytes);

const complete: readonly (readonly [string, RawAnswer])[] = [
  ['HTTP/1.0 without a length', ends(`HTTP/1.0 200 OK\r\n\r\n${whole}`)],
  [
    'chunks with a trailer',
    stays(head(['transfer-encoding: chunked']), chunk(whole), '0\r\nx-sum: 1\r\n\r\n'),
  ],
  [
    'early hints and 100 before it',
    stays(
      head(['link: </a>'], '103 Early Hints'),
      head([], '100 Continue'),
      head([`content-length: ${whole.length}`]),
      whole,
    ),
  ],
  ['another status of success', stays(head([`content-length: ${whole.length}`], '202 Accepted'), whole)],
  ['a length that is too long, behind [DONE]', stays(head(['content-length: 9999']), whole)],
  ['gzip', encoded('gzip', zlib.gzipSync(whole))],
  ['gzip twice', encoded('gzip, gzip', zlib.gzipSync(zlib.gzipSync(whole)))],
  ['deflate with its header', encoded('deflate', zlib.deflateSync(whole))],
  ['deflate without a header', encoded('deflate', zlib.deflateRawSync(whole))],
  ['gzip that is called deflate', encoded('deflate', zlib.gzipSync(whole))],
  ['brotli', encoded('br', zlib.brotliCompressSync(whole))],
  ...['gzip', 'deflate', 'br', 'zstd', 'identity'].map(
    (name) => [`no ${name}, whatever the label says`, encoded(name, whole)] as const,
  ),
];

for (const [what, answer] of complete) {
  test(`complete: ${what}`, async (t) => {
    const outcome = await send(t, answer);
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.message);
    assert.equal(outcome.message.content, 'Hi');
    assert.deepEqual(outcome.notes, []);
  });
}

const heartbeats = ': still here\n\n: still here\n\n';
const failing: readonly (readonly [
  what: string,
  answer: RawAnswer,
  kind: string,
  retryable: boolean,
  words: RegExp,
  partial?: string,
])[] = [
  [
    'HTTP/1.0, closed in the middle',
    ends(`HTTP/1.0 200 OK\r\n\r\n${part}`),
    'cut',
    true,
    /cut by the provider/,
    'Hi',
  ],
  [
    'chunks without their last',
    ends(head(['transfer-encoding: chunked']), chunk(part)),
    'cut',
    true,
    /cut by the provider/,
    'Hi',
  ],
  ['a length that is too long', ends(head(['content-length: 9999']), part), 'cut', true, /ECONNRESET/, 'Hi'],
  ['a length that is too short', stays(head(['content-length: 30']), whole), 'cut', true, /30 bytes/],
  [
    'gzip that is cut',
    ends(head(['content-encoding: gzip']), zlib.gzipSync(whole).subarray(0, 40)),
    'cut',
    true,
    /before any of the reply/,
  ],
  [
    'an encoding that nobody knows',
    encoded('snappy', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9])),
    'cut',
    true,
    /encoded as "snappy"/,
  ],
  [
    'heartbeats, then a reset',
    (socket) => socket.write(head([]) + heartbeats, () => socket.resetAndDestroy()),
    'cut',
    true,
    /before|cut by the provider/,
  ],
  ['nothing under 200', stays(head(['content-length: 0'])), 'cut', true, /before any of the reply/],
  ['204', stays(head([], '204 No Content')), 'cut', true, /before any of the reply/],
  [
    'a redirect',
    stays(head(['location: https://model.test/v1', 'content-length: 0'], '308 Permanent Redirect')),
    'bad-request',
    false,
    /redirects.*https:\/\/model\.test\/v1/,
  ],
  [
    'another protocol',
    stays(head(['upgrade: h2c', 'connection: upgrade'], '101 Switching Protocols')),
    'network',
    true,
    /closed without an answer/,
  ],
  [
    'a refusal whose socket stays open',
    stays(head([], '429 Too Many Requests'), '{"error":{"message":"slow down"}}'),
    'rate-limit',
    true,
    /slow down/,
  ],
  [
    'a refusal that is cut',
    ends(head(['content-length: 99'], '500 Oh'), '{"error":{"mess'),
    'server',
    true,
    /answered 500/,
  ],
  ['no HTTP', ends('SSH-2.0-OpenSSH_9\r\n'), 'protocol', false, /does not speak HTTP/],
  [
    'two lengths',
    stays(head(['content-length: 5', 'content-length: 6']), whole),
    'protocol',
    false,
    /does not speak HTTP/,
  ],
];

for (const [what, answer, kind, retryable, words, partial] of failing) {
  test(`not complete: ${what}`, async (t) => {
    const outcome = await send(t, answer);
    assert.ok(!outcome.ok, 'it must not pass for a reply');
    assert.deepEqual([outcome.class, outcome.retryable, outcome.partial], [kind, retryable, partial]);
    assert.match(outcome.message, words);
  });
}

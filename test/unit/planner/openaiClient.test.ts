/** The client against a real socket: what leaves, how it ends, what stops it (C05, C06, C08, C14, C39). */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { requestBody } from '../../../src/core/body.ts';
import type { ModelOutcome, SendOptions } from '../../../src/core/ports.ts';
import { createOpenAiClient } from '../../../src/planner/openaiClient.ts';
import {
  createScriptedServer,
  end,
  fin,
  hold,
  json,
  reset,
  type ScriptedAnswer,
  sse,
  streamed,
} from '../../doubles/scriptedServer.ts';
import { callLines, failed, noteCodes, reply } from './readText.ts';

const body = '{"model":"m",  "messages":[{"role":"user","content":"żółw 🐢"}]}';
const options = (more: Partial<SendOptions> = {}): SendOptions => ({
  signal: new AbortController().signal,
  onText: () => undefined,
  firstByteMs: 10_000,
  idleMs: 10_000,
  ...more,
});

async function serve(t: TestContext, ...script: readonly ScriptedAnswer[]) {
  const server = await createScriptedServer(script);
  t.after(() => server.close());
  return server;
}

const hello = { choices: [{ index: 0, delta: { content: 'Hello' } }] };
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const call = {
  id: 'w1',
  type: 'function',
  function: { name: 'write_file', arguments: '{"path":"a.md","text":"# Ti' },
};
const writing = `data: ${JSON.stringify({ choices: [{ delta: { content: 'I write.', tool_calls: [{ index: 0, ...call }] } }] })}\n\n`;

test('the body leaves word for word, with the headers that are ours and nothing from the environment', async (t) => {
  const names = [
    'OPENAI_API_KEY',
    'OPENAI_ADMIN_KEY',
    'OPENAI_ORG_ID',
    'OPENAI_PROJECT_ID',
    'OPENAI_CUSTOM_HEADERS',
    'OPENAI_BASE_URL',
  ];
  const before = names.map((name) => [name, process.env[name]] as const);
  t.after(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
  for (const name of names) process.env[name] = 'x-leak: from-the-environment';

  const server = await serve(t, streamed([hello, stop]), streamed([hello, stop]));
  const { apiBase } = server;
  for (const client of [
    createOpenAiClient({ apiBase }),
    createOpenAiClient({ apiBase: `${apiBase}/`, apiKey: 'secret-key\n' }),
  ]) {
    assert.equal(client.url, `${apiBase}/chat/completions`);
    assert.equal(reply(await client.send(requestBody(body), options())).message.content, 'Hello');
  }
  const [plain, keyed] = server.requests;
  assert.equal(plain?.body, body);
  assert.deepEqual([plain?.method, plain?.url], ['POST', '/v1/chat/completions']);
  assert.equal(plain?.headers.authorization, undefined);
  assert.equal(keyed?.headers.authorization, 'Bearer secret-key');
  assert.ok(!JSON.stringify(server.requests).includes('leak'));
  assert.ok(
    !Object.keys(plain?.headers ?? {}).some((name) => name.startsWith('x-') || name.startsWith('openai-')),
  );
});

test('a base may have a query, or name the end point itself', async (t) => {
  const server = await serve(t, streamed([hello, stop]), streamed([hello, stop]));
  // Said twice, and coded as somebody chose to: as it is.
  const query = createOpenAiClient({ apiBase: `${server.apiBase}?api-version=7&tag=a%2Fb&tag=c+d` });
  const whole = createOpenAiClient({ apiBase: `${server.apiBase}/chat/completions` });
  for (const client of [query, whole]) reply(await client.send(requestBody(body), options()));
  assert.deepEqual(
    server.requests.map(({ url }) => url),
    ['/v1/chat/completions?api-version=7&tag=a%2Fb&tag=c+d', '/v1/chat/completions'],
  );
});

test('what is no address, or holds a user name, is refused with a word on what to do', async () => {
  for (const apiBase of ['not a url', 'ftp://x/v1', 'http://me:pass@127.0.0.1:9/v1']) {
    const client = createOpenAiClient({ apiBase });
    assert.ok(!client.url.includes('pass'));
    const outcome = failed(await client.send(requestBody(body), options()));
    assert.equal(outcome.class, 'bad-request');
    assert.match(outcome.message, /agent file/);
    assert.ok(!outcome.message.includes('pass@'));
  }
});

test('an unreachable server: the message names the address', async () => {
  const server = await createScriptedServer([]);
  await server.close();
  const outcome = failed(
    await createOpenAiClient({ apiBase: server.apiBase }).send(requestBody(body), options()),
  );
  assert.deepEqual([outcome.class, outcome.retryable], ['network', true]);
  assert.ok(
    outcome.message.includes(server.apiBase) && outcome.message.includes('ECONNREFUSED'),
    outcome.message,
  );
});

test('C08: one byte at a time over a socket', async (t) => {
  const args = '{"path":"żółw🐢.md"}';
  const chunk = {
    choices: [
      {
        delta: { tool_calls: [{ index: 0, ...call, function: { name: 'read_file', arguments: args } }] },
        finish_reason: 'tool_calls',
      },
    ],
  };
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  const server = await serve(t, sse(...[...bytes].map((byte) => Uint8Array.of(byte))));
  const outcome = await createOpenAiClient(server).send(requestBody(body), options());
  assert.deepEqual(callLines(outcome), [`read_file ${args}`]);
  assert.deepEqual(noteCodes(outcome), []);
});

test('C05: a proper end, FIN and RST in the middle of a call are all cut', async (t) => {
  for (const ending of [end, fin, reset]) {
    let arrived: () => void = () => undefined;
    const text = new Promise<void>((resolve) => (arrived = resolve));
    const server = await serve(t, sse(writing, text, ending));
    const outcome = failed(
      await createOpenAiClient(server).send(requestBody(body), options({ onText: () => arrived() })),
    );
    assert.deepEqual(
      [outcome.class, outcome.partial, outcome.retryable],
      ['cut', 'I write.', true],
      ending.close,
    );
    assert.ok(outcome.wire?.includes('write_file'));
  }
});

test('C05: [DONE] and a socket that stays open: done at once, and the connection is let go', async (t) => {
  const server = await serve(t, streamed([hello, stop], 'data: [DONE]\n\n', hold));
  assert.equal(
    reply(await createOpenAiClient(server).send(requestBody(body), options())).message.content,
    'Hello',
  );
  await server.released;
});

test('C06: HTTP errors: JSON, HTML under another status, FastAPI; the raw body is kept', async (t) => {
  const page = '<html><head><title>502 Bad Gateway</title></head><body>proxy</body></html>';
  const server = await serve(
    t,
    json(429, { error: { message: 'slow down' } }, { 'retry-after': '3' }),
    { status: 500, headers: { 'content-type': 'text/html' }, body: [page] },
    json(422, { detail: [{ loc: ['body', 'tools'], msg: 'extra fields' }] }),
    { status: 307, headers: { location: 'https://elsewhere.test/' }, body: [] },
  );
  const client = createOpenAiClient(server);
  const outcomes: ModelOutcome[] = [];
  for (let n = 0; n < 4; n++) outcomes.push(await client.send(requestBody(body), options()));
  const shown = outcomes
    .map((outcome) => failed(outcome))
    .map(({ class: kind, status, retryAfter, wire }) => [kind, status, retryAfter, wire]);
  assert.deepEqual(shown, [
    ['rate-limit', 429, 3000, '{"error":{"message":"slow down"}}'],
    ['server', 500, undefined, page],
    ['bad-request', 422, undefined, '{"detail":[{"loc":["body","tools"],"msg":"extra fields"}]}'],
    ['bad-request', 307, undefined, undefined],
  ]);
  assert.match(failed(outcomes[2]!).message, /body\.tools: extra fields/);
});

test('C14: the SDK retries nothing', async (t) => {
  const server = await serve(t, json(503, { error: 'busy' }));
  assert.equal(failed(await createOpenAiClient(server).send(requestBody(body), options())).class, 'server');
  assert.equal(server.requests.length, 1);
});

test('a server that echoes the key: the key is in neither message nor wire', async (t) => {
  const server = await serve(t, json(401, { error: { message: 'Incorrect key sk-0123456789abcdef' } }));
  const outcome = failed(
    await createOpenAiClient({ ...server, apiKey: 'sk-0123456789abcdef' }).send(requestBody(body), options()),
  );
  assert.equal(outcome.class, 'auth');
  assert.ok(!JSON.stringify(outcome).includes('0123456789abcdef'));
});

test('cancelled before, while waiting for the answer, and in the middle of it', async (t) => {
  const server = await serve(t, { body: [hold] }, sse(writing, hold), {
    status: 500,
    body: ['half', hold],
  });
  const client = createOpenAiClient(server);
  const abort = new AbortController();
  abort.abort();
  assert.equal(
    failed(await client.send(requestBody(body), options({ signal: abort.signal }))).class,
    'cancelled',
  );
  assert.equal(server.requests.length, 0);

  const waiting = new AbortController();
  const first = client.send(requestBody(body), options({ signal: waiting.signal }));
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  waiting.abort();
  assert.equal(failed(await first).class, 'cancelled');

  const reading = new AbortController();
  const second = failed(
    await client.send(requestBody(body), options({ signal: reading.signal, onText: () => reading.abort() })),
  );
  assert.deepEqual([second.class, second.partial], ['cancelled', 'I write.']);

  // An error whose body never ends is still that error, as far as it came.
  const third = failed(await client.send(requestBody(body), options({ idleMs: 20 })));
  assert.deepEqual([third.class, third.status, third.wire], ['server', 500, 'half']);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('C39: limits to the first byte and between bytes, each named; headers are no first byte', async (t) => {
  const server = await serve(t, { body: [hold] }, sse(writing, hold));
  const client = createOpenAiClient(server);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const none = client.send(requestBody(body), options({ firstByteMs: 30_000, idleMs: 1000 }));
  while (server.requests.length < 1) await turn();
  // Long after the headers, and longer than the idle limit: still within the limit to the first byte.
  t.mock.timers.tick(20_000);
  assert.equal(await Promise.race([none, turn()]), undefined);
  let ended = false;
  void none.then(() => (ended = true));
  // The clock of the test and the socket are not in step: time goes on until the limit is met.
  for (; !ended; await turn()) t.mock.timers.tick(30_000);
  const silent = failed(await none);
  assert.deepEqual([silent.class, silent.retryable], ['timeout', true]);
  assert.match(silent.message, /within 30 s/);

  let said = '';
  const stalling = client.send(
    requestBody(body),
    options({ idleMs: 60_000, onText: (delta) => (said += delta) }),
  );
  while (said === '') await turn();
  t.mock.timers.tick(60_000);
  const stalled = failed(await stalling);
  assert.deepEqual([stalled.class, stalled.partial], ['timeout', 'I write.']);
  assert.match(stalled.message, /nothing came for 60 s after \d+ bytes/);
});

test('C39: no request goes through fetch, whose limits nobody can lift', async (t) => {
  t.mock.method(globalThis, 'fetch', () => assert.fail('fetch was called'));
  const server = await serve(t, streamed([hello, stop]));
  assert.equal(
    reply(await createOpenAiClient(server).send(requestBody(body), options())).message.content,
    'Hello',
  );
});

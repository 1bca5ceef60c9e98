/** C39: which proxy, which exceptions, and what is told of it; over a real plain proxy and a real CONNECT. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import zlib from 'node:zlib';
import { requestBody } from '../../../src/core/body.ts';
import { createOpenAiClient } from '../../../src/planner/openaiClient.ts';
import { type Environment, proxyRoute } from '../../../src/planner/proxyRoute.ts';
import { createProxyServer } from '../../doubles/proxyServer.ts';
import { createSocksServer } from '../../doubles/socksServer.ts';
import { tlsFixtures } from '../../doubles/tlsFixtures.ts';
import { createTlsFront } from '../../doubles/tlsFront.ts';
import { createScriptedServer, repliesText, type ScriptedAnswer } from '../../doubles/scriptedServer.ts';
import { failed, reply } from './readText.ts';

const proxy = 'http://proxy.test:3128';
const routes: readonly (readonly [string, Environment, string])[] = [
  ['http://gw.corp:8000/v1', {}, 'direct'],
  ['http://gw.corp:8000/v1', { HTTP_PROXY: proxy }, 'http://proxy.test:3128 (HTTP_PROXY)'],
  [
    'http://gw.corp:8000/v1',
    { http_proxy: proxy, HTTP_PROXY: 'http://other' },
    'http://proxy.test:3128 (http_proxy)',
  ],
  ['https://gw.corp/v1', { HTTP_PROXY: proxy }, 'direct'],
  ['https://gw.corp/v1', { HTTPS_PROXY: proxy }, 'http://proxy.test:3128 (HTTPS_PROXY)'],
  ['https://gw.corp/v1', { https_proxy: proxy }, 'http://proxy.test:3128 (https_proxy)'],
  ['https://gw.corp/v1', { ALL_PROXY: proxy }, 'http://proxy.test:3128 (ALL_PROXY)'],
  ['http://gw.corp/v1', { all_proxy: 'proxy.test:3128' }, 'http://proxy.test:3128 (all_proxy)'],
  ['http://gw.corp/v1', { HTTP_PROXY: '', ALL_PROXY: '' }, 'direct'],
  [
    'http://gw.corp/v1',
    { HTTP_PROXY: 'http://user:secret@proxy.test:3128' },
    'http://proxy.test:3128 (HTTP_PROXY)',
  ],
  ...['socks', 'socks4', 'socks4a', 'socks5', 'socks5h'].map(
    (kind) =>
      [
        'https://gw.corp/v1',
        { HTTPS_PROXY: `${kind}://user:secret@proxy.test:1` },
        `${kind}://proxy.test:1 (HTTPS_PROXY)`,
      ] as const,
  ),
  [
    'https://gw.corp/v1',
    { HTTPS_PROXY: 'http://user:100%@proxy.test:1' },
    'HTTPS_PROXY (its user name or password)',
  ],
  [
    'https://gw.corp/v1',
    { HTTPS_PROXY: 'http://user:100%25@proxy.test:1' },
    'http://proxy.test:1 (HTTPS_PROXY)',
  ],
  ['https://gw.corp/v1', { HTTPS_PROXY: 'http://[::1]:3128' }, 'http://[::1]:3128 (HTTPS_PROXY)'],
  ['https://gw.corp/v1', { HTTPS_PROXY: 'quic://proxy.test:1' }, 'HTTPS_PROXY (quic)'],
  ['https://gw.corp/v1', { HTTPS_PROXY: 'http://[' }, 'HTTPS_PROXY (no address)'],
  // Exceptions.
  ...['gw.corp', '.corp', '*.corp', 'corp', 'GW.CORP', 'gw.corp:8000', 'a, gw.corp', 'a gw.corp', '*'].map(
    (list) => ['http://gw.corp:8000/v1', { HTTP_PROXY: proxy, NO_PROXY: list }, 'direct'] as const,
  ),
  ...['w.corp', 'gw.corp:80', 'gw.corp.example', 'gw'].map(
    (list) =>
      [
        'http://gw.corp:8000/v1',
        { HTTP_PROXY: proxy, no_proxy: list },
        'http://proxy.test:3128 (HTTP_PROXY)',
      ] as const,
  ),
  ...['http://gw.corp', 'https://gw.corp:8000/', 'gw.corp/v1', '"gw.corp"', 'a;gw.corp'].map(
    (list) => ['http://gw.corp:8000/v1', { HTTP_PROXY: proxy, NO_PROXY: list }, 'direct'] as const,
  ),
  ['http://gateway/v1', { HTTP_PROXY: proxy, NO_PROXY: '<local>' }, 'direct'],
  ['http://gw.corp/v1', { HTTP_PROXY: proxy, NO_PROXY: '<local>' }, 'http://proxy.test:3128 (HTTP_PROXY)'],
  ['https://[2001:db8::1]/v1', { HTTPS_PROXY: proxy, NO_PROXY: '2001:db8::1' }, 'direct'],
  ['https://[2001:db8::1]:99/v1', { HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::1]:99' }, 'direct'],
  ['https://[2001:db8::1]/v1', { HTTPS_PROXY: proxy, NO_PROXY: '2001:DB8:0:0:0:0:0:1' }, 'direct'],
  ['https://gw.corp./v1', { HTTPS_PROXY: proxy, NO_PROXY: 'corp.' }, 'direct'],
  ...['10.1.2.0/24', '10.0.0.0/8', '0.0.0.0/0', '10.*', '10.1.*.3', '10.1.2.3', '10.1.2.3:443'].map(
    (list) => ['https://10.1.2.3/v1', { HTTPS_PROXY: proxy, NO_PROXY: list }, 'direct'] as const,
  ),
  ...[
    '10.1.3.0/24',
    '10.1.2.0/33',
    '10.1.2.0/',
    '/8',
    'x/8',
    '::/0',
    '10.1.2.3:80',
    '2.3',
    '1*',
    '0.1.2.3',
  ].map(
    (list) =>
      [
        'https://10.1.2.4/v1',
        { HTTPS_PROXY: proxy, NO_PROXY: list },
        list === '1*' ? 'direct' : 'http://proxy.test:3128 (HTTPS_PROXY)',
      ] as const,
  ),
  ['https://[2001:db8::9]/v1', { HTTPS_PROXY: proxy, NO_PROXY: '2001:db8::/32' }, 'direct'],
  ['https://gw.corp/v1', { HTTPS_PROXY: proxy, NO_PROXY: '.' }, 'http://proxy.test:3128 (HTTPS_PROXY)'],
  // Loopback never.
  ...[
    'http://localhost:1',
    'http://127.0.0.1:1',
    'http://127.8.8.8',
    'http://[::1]:1',
    'http://x.localhost',
    'http://LOCALHOST.',
    'http://0.0.0.0:11434',
    'http://[::]:1',
    'http://0x7f.1',
    'http://[::ffff:127.0.0.1]',
  ].map((target) => [target, { HTTP_PROXY: proxy }, 'direct'] as const),
];
test('C39: which proxy, and which variable won', () => {
  for (const [target, env, expected] of routes) {
    const route = proxyRoute(new URL(target), env);
    assert.equal(
      route.kind === 'direct' ? 'direct' : route.shown,
      expected,
      `${target} ${JSON.stringify(env)}`,
    );
  }
});

const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);
function setEnvironment(t: TestContext, env: Environment): void {
  const before = names.map((name) => [name, process.env[name]] as const);
  const put = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const name of names) put(name, env[name]);
  t.after(() => before.forEach(([name, value]) => put(name, value)));
}

const options = {
  signal: new AbortController().signal,
  onText: () => undefined,
  firstByteMs: 10_000,
  idleMs: 10_000,
};
const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';

async function start(t: TestContext, script: readonly ScriptedAnswer[], refuse?: number) {
  const server = await createScriptedServer(script);
  t.after(() => server.close());
  const { port } = new URL(server.apiBase);
  const proxy = await createProxyServer(Number(port), refuse);
  t.after(() => proxy.close());
  return { server, proxy };
}

test('C39: over a plain proxy, with credentials that nobody sees; exceptions and loopback go past it', async (t) => {
  const { server, proxy } = await start(t, [
    repliesText('Hello'),
    repliesText('Hello'),
    repliesText('Hello'),
  ]);
  setEnvironment(t, { HTTP_PROXY: `http://user:secret@127.0.0.1:${proxy.port}`, NO_PROXY: 'past.localhost' });
  const through = createOpenAiClient({ apiBase: 'http://gw.test:8000/v1', apiKey: 'key-0123456789' });
  const outcome = await through.send(requestBody(body), options);
  assert.equal(reply(outcome).message.content, 'Hello');
  assert.ok(!JSON.stringify(outcome).includes('secret'));
  assert.deepEqual(proxy.asked, ['POST http://gw.test:8000/v1/chat/completions']);
  assert.deepEqual(proxy.authorizations, [`Basic ${Buffer.from('user:secret').toString('base64')}`]);
  assert.equal(server.requests[0]?.body, body);
  assert.equal(server.requests[0]?.headers.authorization, 'Bearer key-0123456789');
  reply(await createOpenAiClient(server).send(requestBody(body), options));
  assert.equal(proxy.asked.length, 1);
  // The editor decides for itself: the environment is not asked a second time.
  reply(
    await createOpenAiClient({ apiBase: server.apiBase, proxies: 'editor' }).send(requestBody(body), options),
  );
  assert.equal(proxy.asked.length, 1);
});

test('C39: https goes through CONNECT; a proxy that refuses, and one that is not there, are named without credentials', async (t) => {
  const { proxy } = await start(t, [], 407);
  setEnvironment(t, { https_proxy: `http://user:secret@127.0.0.1:${proxy.port}` });
  const refused = failed(
    await createOpenAiClient({ apiBase: 'https://gw.test/v1' }).send(requestBody(body), options),
  );
  assert.deepEqual(proxy.asked, ['CONNECT gw.test:443']);
  assert.equal(proxy.authorizations[0], `Basic ${Buffer.from('user:secret').toString('base64')}`);
  assert.equal(refused.status, 407);
  assert.match(refused.message, /proxy wants a user name/);

  await proxy.close();
  const gone = failed(
    await createOpenAiClient({ apiBase: 'https://gw.test/v1' }).send(requestBody(body), options),
  );
  assert.equal(gone.class, 'network');
  assert.ok(
    gone.message.includes(`through the proxy http://127.0.0.1:${proxy.port} (https_proxy)`),
    gone.message,
  );
  assert.ok(!JSON.stringify([refused, gone]).includes('secret'));
});

test('C39: a proxy that opens no tunnel is named as the one who says no: nothing is said of the key', async (t) => {
  const page = '<html><head><title>Policy 7: AI sites</title></head></html>';
  for (const [status, retryable, said] of [
    [403, false, / it answered 403: Policy 7: AI sites \(an HTML page\)\. Check whether the proxy/],
    [401, false, /Check whether the proxy/],
    [502, true, /Check whether the proxy/],
    [407, false, /wants a user name/],
  ] as const) {
    const proxy = await createProxyServer(1, status, page);
    t.after(() => proxy.close());
    setEnvironment(t, { https_proxy: `http://user:secret@127.0.0.1:${proxy.port}` });
    const client = createOpenAiClient({ apiBase: 'https://gw.test/v1', apiKey: 'key-0123456789' });
    const refused = failed(await client.send(requestBody(body), options));
    assert.deepEqual([refused.class, refused.status, refused.retryable], ['network', status, retryable]);
    assert.match(refused.message, said);
    assert.match(refused.message, /through the proxy http:\/\/127\.0\.0\.1:\d+ \(https_proxy\)/);
    assert.doesNotMatch(refused.message, /key|secret/i);
  }
});

test('C39: through a tunnel: what stands behind it answers (here: no TLS)', async (t) => {
  const { proxy } = await start(t, []);
  setEnvironment(t, { ALL_PROXY: `127.0.0.1:${proxy.port}` });
  const outcome = failed(
    await createOpenAiClient({ apiBase: 'https://gw.test:444/v1' }).send(requestBody(body), options),
  );
  assert.deepEqual(proxy.asked, ['CONNECT gw.test:444']);
  assert.equal(outcome.class, 'network');
});

test('C39: a proxy of another kind is a message, not a crash', async (t) => {
  setEnvironment(t, { ALL_PROXY: 'quic://user:secret@127.0.0.1:1' });
  const outcome = failed(
    await createOpenAiClient({ apiBase: 'http://gw.test/v1' }).send(requestBody(body), options),
  );
  assert.match(outcome.message, /ALL_PROXY \(quic\).*http, https or socks5/);
  assert.ok(!outcome.message.includes('secret'));
});

for (const kind of ['socks5h', 'socks']) {
  test(`C39: over a SOCKS proxy (${kind}), which looks the name up, with credentials that nobody sees`, async (t) => {
    const server = await createScriptedServer([repliesText('Hello')]);
    t.after(() => server.close());
    const socks = await createSocksServer(Number(new URL(server.apiBase).port), 'secret');
    t.after(() => socks.close());
    setEnvironment(t, { ALL_PROXY: `${kind}://user:secret@127.0.0.1:${socks.port}`, NO_PROXY: 'past.test' });
    const outcome = await createOpenAiClient({ apiBase: 'http://gw.test:8000/v1' }).send(
      requestBody(body),
      options,
    );
    assert.equal(reply(outcome).message.content, 'Hello');
    assert.deepEqual(socks.asked, ['gw.test:8000']);
    assert.deepEqual(socks.users, ['user:secret']);
    assert.equal(server.requests[0]?.body, body);
    assert.ok(!JSON.stringify(outcome).includes('secret'));
  });
}

test('C39: a SOCKS proxy that refuses the password, and one that is not there, are named without credentials', async (t) => {
  const server = await createScriptedServer([]);
  t.after(() => server.close());
  const socks = await createSocksServer(Number(new URL(server.apiBase).port), 'another');
  setEnvironment(t, { ALL_PROXY: `socks5h://user:secret@127.0.0.1:${socks.port}` });
  const send = () => createOpenAiClient({ apiBase: 'http://gw.test/v1' }).send(requestBody(body), options);
  const refused = failed(await send());
  await socks.close();
  const gone = failed(await send());
  for (const { class: kind, message } of [refused, gone]) {
    assert.equal(kind, 'network');
    assert.ok(message.includes(`through the proxy socks5h://127.0.0.1:${socks.port} (ALL_PROXY)`), message);
    assert.ok(!message.includes('secret'));
  }
  assert.match(refused.message, /wants another user name or password/);
  assert.equal(refused.retryable, false);
});

test('C39: TLS behind CONNECT and behind SOCKS: an authority that is not trusted is named with what helps', async (t) => {
  const server = await createScriptedServer([]);
  t.after(() => server.close());
  const front = await createTlsFront(Number(new URL(server.apiBase).port), tlsFixtures);
  t.after(() => front.close());
  const proxy = await createProxyServer(front.port);
  t.after(() => proxy.close());
  const socks = await createSocksServer(front.port);
  t.after(() => socks.close());
  for (const address of [`http://127.0.0.1:${proxy.port}`, `socks5h://127.0.0.1:${socks.port}`]) {
    setEnvironment(t, { HTTPS_PROXY: address });
    const client = createOpenAiClient({ apiBase: 'https://gw.test/v1', apiKey: 'key-0123456789' });
    const { class: kind, message, retryable } = failed(await client.send(requestBody(body), options));
    assert.equal(kind, 'network');
    assert.equal(retryable, false);
    assert.match(message, /certificate is not trusted.*NODE_EXTRA_CA_CERTS/);
  }
  assert.deepEqual(proxy.asked, ['CONNECT gw.test:443']);
  assert.deepEqual(socks.asked, ['gw.test:443']);
  assert.equal(server.requests.length, 0);
});

const text = 'data: {"choices":[{"delta":{"content":"żółw"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const encodings: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  identity: (data) => data,
};
for (const [encoding, compress] of Object.entries(encodings)) {
  test(`a reply that comes as ${encoding}, whole and cut`, async (t) => {
    const bytes = compress(Buffer.from(text));
    const headers = { 'content-type': 'text/event-stream', 'content-encoding': encoding };
    const server = await createScriptedServer([
      { headers, body: [...bytes].map((byte) => Uint8Array.of(byte)) },
      { headers, body: [bytes.subarray(0, Math.floor(bytes.length / 3))] },
    ]);
    t.after(() => server.close());
    const client = createOpenAiClient(server);
    assert.equal(reply(await client.send(requestBody(body), options)).message.content, 'żółw');
    assert.equal(failed(await client.send(requestBody(body), options)).retryable, true);
  });
}

/** The built command line behind proxies, with TLS to a server whose authority only `NODE_EXTRA_CA_CERTS` names. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test, type TestContext } from 'node:test';
import { createProxyServer } from '../../doubles/proxyServer.ts';
import { createScriptedServer, repliesText } from '../../doubles/scriptedServer.ts';
import { createSocksServer } from '../../doubles/socksServer.ts';
import { authorityFile, tlsFixtures } from '../../doubles/tlsFixtures.ts';
import { createTlsFront } from '../../doubles/tlsFront.ts';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cli-proxy-'));
after(() => rmSync(folder, { recursive: true }));
const agent = path.join(folder, 'a.agent.json');
writeFileSync(agent, JSON.stringify({ model_name: 'm', api_base: 'https://gw.test/v1', tools: [] }));

function loopscope(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [cli, 'run', agent, 'Hello?'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'key-0123456789', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (text += data.toString()));
  child.stdin.end();
  return new Promise<{ readonly code: number | null; readonly text: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, text })),
  );
}

async function start(t: TestContext) {
  const server = await createScriptedServer([repliesText('Hello from behind.')]);
  t.after(() => server.close());
  const front = await createTlsFront(Number(new URL(server.apiBase).port), tlsFixtures);
  t.after(() => front.close());
  return { server, front };
}

test('C39: CONNECT, then TLS that an added authority vouches for; the proxy sees neither key nor text', async (t) => {
  const { server, front } = await start(t);
  const proxy = await createProxyServer(front.port);
  t.after(() => proxy.close());
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const untrusted = await loopscope(env);
  assert.notEqual(untrusted.code, 0);
  assert.match(untrusted.text, /certificate is not trusted.*NODE_EXTRA_CA_CERTS/);
  const { code, text } = await loopscope({ ...env, NODE_EXTRA_CA_CERTS: authorityFile });
  assert.equal(code, 0, text);
  assert.match(text, /Hello from behind\./);
  assert.deepEqual(proxy.asked, ['CONNECT gw.test:443', 'CONNECT gw.test:443']);
  assert.equal(server.requests[0]?.headers.authorization, 'Bearer key-0123456789');
});

test('C39: SOCKS, then TLS, in the bundle', async (t) => {
  const { front } = await start(t);
  const socks = await createSocksServer(front.port);
  t.after(() => socks.close());
  const env = { all_proxy: `socks5h://127.0.0.1:${socks.port}`, NODE_EXTRA_CA_CERTS: authorityFile };
  const { code, text } = await loopscope(env);
  assert.equal(code, 0, text);
  assert.match(text, /Hello from behind\./);
  assert.deepEqual(socks.asked, ['gw.test:443']);
});

/** C39 in VS Code: its own proxy settings hold for the requests of an agent. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createProxyServer, type ProxyServer } from '../doubles/proxyServer.ts';
import { createScriptedServer, repliesText, type ScriptedServer } from '../doubles/scriptedServer.ts';
import { createTlsFront } from '../doubles/tlsFront.ts';
import { stopAll } from './debugHelpers.ts';
import { runThrough, writeAgent } from './ownAgent.ts';

async function configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);
}

describe('the proxy settings of VS Code', () => {
  let server: ScriptedServer;
  let proxy: ProxyServer;
  const closers: (() => Promise<unknown>)[] = [];
  const start = async (replies: number, isTls = false) => {
    server = await createScriptedServer(Array.from({ length: replies }, () => repliesText('Hello.')));
    let port = Number(new URL(server.apiBase).port);
    if (isTls) {
      const { extensionUri } = vscode.extensions.getExtension('loopscope.loopscope') ?? assert.fail();
      const front = await createTlsFront(port, vscode.Uri.joinPath(extensionUri, 'test/fixtures/tls').fsPath);
      closers.push(() => front.close());
      ({ port } = front);
    }
    proxy = await createProxyServer(port);
    closers.push(
      () => proxy.close(),
      () => server.close(),
    );
    await configure({ proxy: `http://127.0.0.1:${proxy.port}` });
  };
  /** No name that any network knows: only a proxy can lead to it. */
  const ask = async (api_base = 'http://gw.test:8000/v1') =>
    runThrough(await writeAgent('proxy.agent.json', { model_name: 'm', api_base, tools: [] }), 'Hello?');

  afterEach(async () => {
    await stopAll();
    await configure({
      proxy: undefined,
      proxySupport: undefined,
      noProxy: undefined,
      proxyStrictSSL: undefined,
    });
    for (const close of closers.splice(0)) await close();
  });

  it('http.proxy is used', async () => {
    await start(1);
    await ask();
    assert.deepEqual(proxy.asked, ['POST http://gw.test:8000/v1/chat/completions']);
    assert.equal(server.requests.length, 1);
  });

  it('http.noProxy and http.proxySupport "off" go past it', async () => {
    await start(0);
    await configure({ noProxy: ['gw.test'] });
    await ask();
    await configure({ noProxy: undefined, proxySupport: 'off' });
    await ask();
    assert.deepEqual(proxy.asked, []);
  });

  it('loopback never goes through it', async () => {
    await start(1);
    await ask(server.apiBase);
    assert.deepEqual(proxy.asked, []);
    assert.equal(server.requests.length, 1);
  });

  for (const strict of [true, false]) {
    it(`TLS behind CONNECT is verified whatever http.proxyStrictSSL says (${strict})`, async () => {
      await start(0, true);
      await configure({ proxyStrictSSL: strict });
      await ask('https://gw.test/v1');
      assert.deepEqual(proxy.asked, ['CONNECT gw.test:443']);
      assert.equal(server.requests.length, 0);
    });
  }
});

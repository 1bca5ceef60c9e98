/** The built `dap` command as a process: however its client leaves, the run ends legally and nothing is left behind. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { checkJournal } from '../../../src/core/check.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { sha256 } from '../../../src/entry/createAgent.ts';
import { readJournalText } from '../../../src/session/journalText.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'dap-process-'));
after(() => rmSync(folder, { recursive: true }));

/** A model that begins to answer and says no more. */
const open = new Set<ServerResponse>();
const asked: (() => void)[] = [];
const silent = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': thinking\n\n');
  open.add(response);
  asked.shift()?.();
});
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
after(() => {
  silent.closeAllConnections();
  silent.close();
});

const agentFile = (name: string, settings: object) => {
  const file = path.join(folder, `${name}.agent.json`);
  writeFileSync(file, JSON.stringify(settings));
  return file;
};
const tools = ['calculator', 'list_todos', 'add_todo'];
const demo = agentFile('demo', { model_name: 'demo', tools });
const { port } = silent.address() as AddressInfo;
const slow = agentFile('slow', { model_name: 'm', api_base: `http://127.0.0.1:${port}/v1`, tools });

interface Adapter {
  readonly client: DebugClient;
  readonly child: ChildProcessWithoutNullStreams;
  /** What it said on stderr. */
  complaints(): string;
  /** Exit code, and the signal that killed it if one did. */
  readonly exit: Promise<readonly [number | null, NodeJS.Signals | null]>;
}

/** The published client starts its adapter without arguments; ours is a command of a command line. */
class StdioClient extends DebugClient {
  constructor(child: ChildProcessWithoutNullStreams) {
    super(process.execPath, '', 'loopscope');
    // A busy machine is no fault of the adapter.
    this.defaultTimeout = 60_000;
    this.connect(child.stdout, child.stdin);
  }
}

function startAdapter(): Adapter {
  const env = { PATH: process.env['PATH'] ?? '' };
  const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'dap'], { cwd: folder, env });
  let complaints = '';
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
  child.stdin.on('error', () => undefined);
  const client = new StdioClient(child);
  const exit = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (code, signal) => resolve([code, signal])),
  );
  return { client, child, complaints: () => complaints, exit };
}

let journals = 0;
const newJournal = () => path.join(folder, `j${++journals}.jsonl`);

/** Paused before the first call of the demo's first reply: going on would execute a tool. */
async function pausedBeforeAct({ client }: Adapter, journal: string): Promise<void> {
  const stopped = client.waitForEvent('stopped');
  const launch = { agent: demo, goal: 'I am busy, plan the rest of my day', session: journal };
  await Promise.all([client.configurationSequence(), client.launch(launch), stopped]);
  const next = client.waitForEvent('stopped');
  await client.nextRequest({ threadId: 1 });
  await next;
}

/** In the middle of a request to the model. */
async function asking({ client }: Adapter, journal: string): Promise<void> {
  const wasAsked = new Promise<void>((resolve) => asked.push(resolve));
  const launch = { agent: slow, goal: 'hi', session: journal, noDebug: true };
  await Promise.all([client.configurationSequence(), client.launch(launch as never), wasAsked]);
}

/** The run was cancelled, legally, no tool ran, and the journal can be opened again. */
function assertCancelled(journal: string): void {
  const read = readJournalText(readFileSync(journal, 'utf8'));
  assert.ok(read.ok);
  assert.equal(read.torn, undefined);
  const report = checkJournal(read.events, { sha256, byteLength: (text) => Buffer.byteLength(text) });
  assert.deepEqual(report.problems, []);
  assert.deepEqual(report.notes, []);
  const state = foldAll(read.events);
  assert.equal(state.runs.at(-1)?.ended?.outcome, 'cancelled');
  assert.equal(
    read.events.some(({ type }) => type === 'call.started'),
    false,
  );
  assert.equal(existsSync(`${journal}.lock`), false, 'the lock is released');
}

const states = { 'paused before a call': pausedBeforeAct, 'asking the model': asking };
const leaves: Readonly<Record<string, readonly [number, (adapter: Adapter) => unknown]>> = {
  'closes stdin': [0, ({ child }) => child.stdin.end()],
  'stops reading': [
    0,
    ({ child, client }) => {
      child.stdout.destroy();
      // Whatever is answered now meets a closed pipe.
      void client.threadsRequest().catch(() => undefined);
    },
  ],
  'disconnects and keeps the pipes': [0, ({ client }) => client.disconnectRequest()],
  'sends SIGINT': [130, ({ child }) => child.kill('SIGINT')],
  'sends SIGTERM': [130, ({ child }) => child.kill('SIGTERM')],
  'sends SIGHUP': [130, ({ child }) => child.kill('SIGHUP')],
};

for (const [where, reach] of Object.entries(states)) {
  for (const [how, [code, leave]] of Object.entries(leaves)) {
    // In the middle of a request it matters that the run is waited for, not which way the client went.
    if (reach === asking && how !== 'closes stdin' && how !== 'sends SIGTERM') continue;
    const isWindows = process.platform === 'win32' && how.includes('SIG');
    test(`dap: the client ${how} while ${where}`, { skip: isWindows }, async () => {
      const journal = newJournal();
      const adapter = startAdapter();
      await reach(adapter, journal);
      void leave(adapter);
      assert.deepEqual(await adapter.exit, [code, null], adapter.complaints());
      assert.equal(adapter.complaints(), '');
      assertCancelled(journal);
    });
  }
}

test('dap: the client leaves with stdout and stderr gone', async () => {
  const journal = newJournal();
  const adapter = startAdapter();
  await asking(adapter, journal);
  adapter.child.stdout.destroy();
  adapter.child.stderr.destroy();
  adapter.child.stdin.end();
  assert.deepEqual(await adapter.exit, [0, null]);
  assertCancelled(journal);
});

test('dap: a script that sends its requests and closes the pipe gets its answers, and no run', async () => {
  const journal = newJournal();
  const adapter = startAdapter();
  let out = '';
  adapter.child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  const requests = [
    { command: 'initialize', arguments: {} },
    { command: 'configurationDone' },
    { command: 'launch', arguments: { agent: demo, goal: 'plan', session: journal, noDebug: true } },
  ];
  const wire = requests.map((request, index) => {
    const json = JSON.stringify({ seq: index + 1, type: 'request', ...request });
    return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
  });
  adapter.child.stdin.end(wire.join(''));
  assert.deepEqual(await adapter.exit, [0, null], adapter.complaints());
  assert.equal(out.match(/"type":"response"/g)?.length, 2, out);
  if (existsSync(journal))
    assert.equal(readFileSync(journal, 'utf8').includes('call.started'), false, 'no tool ran');
  assert.equal(existsSync(`${journal}.lock`), false);
});

test('dap: there is no last session here, and no file of that name is made', async (t) => {
  const { client, child, exit } = startAdapter();
  t.after(() => child.kill());
  await client.initializeRequest();
  const launch = { agent: demo, goal: 'hi', session: 'last' };
  await assert.rejects(client.launchRequest(launch as never), /name the journal file/);
  await client.disconnectRequest();
  assert.deepEqual(await exit, [0, null]);
  assert.ok(!existsSync(path.join(folder, 'last')));
});

test('dap: what is no message is reported and passed over', async () => {
  const adapter = startAdapter();
  const garbage = ['{"type":', 'null', '7', '{"type":"request"}'];
  for (const text of garbage)
    adapter.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  await adapter.client.initializeRequest();
  adapter.child.stdin.end();
  assert.deepEqual(await adapter.exit, [0, null], adapter.complaints());
  assert.equal(adapter.complaints().trim().split('\n').length, 2, adapter.complaints());
});

/** The built `dap` command, driven by the DAP client that the protocol's authors publish, over real stdio. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { checkJournal } from '../../src/core/check.ts';
import { checkpointLines } from '../../src/debug/loopSource.ts';
import { sha256 } from '../../src/entry/createAgent.ts';
import { readJournalText } from '../../src/session/journalText.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const loop = path.join(root, 'dist/loop.ts');
const lines = checkpointLines(readFileSync(loop, 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'dap-'));
after(() => rmSync(folder, { recursive: true }));
const agent = path.join(folder, 'a.agent.json');
writeFileSync(
  agent,
  JSON.stringify({
    model_name: 'demo',
    tools: ['calculator', 'list_todos', 'add_todo'],
    todos: [{ content: 'weekly report', minutes: 45 }],
  }),
);

/** The published client starts its adapter without arguments; ours is a command of a command line. */
class StdioClient extends DebugClient {
  readonly child: ChildProcessWithoutNullStreams;
  constructor() {
    super(process.execPath, '', 'loopscope');
    this.child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'dap'], { cwd: folder });
    this.connect(this.child.stdout, this.child.stdin);
  }
}

async function withClient(body: (client: StdioClient) => Promise<void>): Promise<void> {
  const client = new StdioClient();
  let complaints = '';
  client.child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
  const closed = new Promise((resolve) => client.child.on('close', resolve));
  try {
    await body(client);
  } finally {
    client.child.stdin.end();
    await closed;
  }
  assert.equal(complaints, '', 'the adapter wrote to stderr');
}

const goal = 'I am busy, plan the rest of my day';

test('stdio: launch, stop at plan, step to the end, terminated', () =>
  withClient(async (client) => {
    const journal = path.join(folder, 'stdio.jsonl');
    const stopped = client.assertStoppedLocation('entry', { path: loop, line: lines.plan });
    await Promise.all([
      client.configurationSequence(),
      client.launch({ agent, goal, stopOnEntry: true, session: journal }),
      stopped,
    ]);
    const seen: string[] = [];
    for (;;) {
      const next = client.waitForEvent('stopped');
      await client.nextRequest({ threadId: 1 });
      const { body } = (await next) as { body: { reason: string } };
      const { body: stack } = await client.stackTraceRequest({ threadId: 1 });
      seen.push(stack.stackFrames[0]?.name ?? '');
      if (body.reason === 'end') break;
    }
    assert.deepEqual(seen, [
      ...['act · list_todos', 'observe', 'plan'],
      ...['act · add_todo (1/2)', 'observe', 'plan'],
      ...['act · list_todos', 'observe', 'plan'],
      ...['observe', 'end'],
    ]);
    const ended = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await ended;
    const read = readJournalText(readFileSync(journal, 'utf8'));
    assert.ok(read.ok);
    const report = checkJournal(read.events, { sha256, byteLength: (text) => Buffer.byteLength(text) });
    assert.deepEqual(report.problems, []);
    assert.equal(report.requests, 4);
  }));

test('stdio: a session at its end is looked back at, and forward again to the present', () =>
  withClient(async (client) => {
    const journal = path.join(folder, 'back.jsonl');
    const lines: string[] = [];
    const at = async (moved: () => Promise<unknown>) => {
      const stopped = client.waitForEvent('stopped');
      await moved();
      const { body } = (await stopped) as { body: { reason: string; description: string } };
      const { body: stack } = await client.stackTraceRequest({ threadId: 1 });
      lines.push(`${body.reason}: ${body.description} | ${stack.stackFrames[0]?.name}`);
      return stack.stackFrames;
    };
    const start = () =>
      Promise.all([
        client.waitForEvent('initialized').then(async () => {
          await client.setExceptionBreakpointsRequest({ filters: ['act'] });
          await client.configurationDoneRequest();
        }),
        client.launch({ agent, goal, session: journal }),
      ]);
    await at(start);
    const { body: capabilities } = await client.initializeRequest();
    assert.equal(capabilities?.supportsStepBack, true);
    await client.setExceptionBreakpointsRequest({ filters: [] });
    await at(() => client.continueRequest({ threadId: 1 }));
    const written = readFileSync(journal, 'utf8');
    await client.setExceptionBreakpointsRequest({ filters: ['act'] });
    for (let back = 0; back < 3; back++) await at(() => client.stepBackRequest({ threadId: 1 }));
    const frames = await at(() => client.reverseContinueRequest({ threadId: 1 }));
    const source = frames[1]?.source;
    assert.ok(source?.sourceReference);
    const { body: text } = await client.sourceRequest({ source, sourceReference: source.sourceReference });
    assert.match(
      text.content,
      /^Run 1, round 3\n[^]*list_todos \{\}\n {4}→ waiting\n[^]*nothing has entered/,
    );
    await at(() => client.stepInRequest({ threadId: 1 }));
    await at(() => client.continueRequest({ threadId: 1 }));
    assert.deepEqual(lines, [
      'breakpoint: Paused before act: list_todos | act · list_todos',
      'end: Run ended: done | end',
      'step: In the past, round 4: observe | past · observe',
      'step: In the past, round 4: reply | past · reply',
      'step: In the past, round 4: plan | past · plan',
      'breakpoint: In the past, round 3: act · list_todos | past · act · list_todos',
      'step: In the past, round 3: observe | past · observe',
      'end: Back in the present. Run ended: done | end',
    ]);
    assert.equal(readFileSync(journal, 'utf8'), written, 'looking back writes nothing');
  }));

test('stdio: a source breakpoint in the loop is hit at its line', () =>
  withClient((client) => client.hitBreakpoint({ agent, goal }, { path: loop, line: lines.plan })));

/** Set up between `initialized` and `configurationDone`, then run to the first stop. */
async function stopAfter(client: StdioClient, setUp: () => Promise<unknown>) {
  await client.initializeRequest();
  const initialized = client.waitForEvent('initialized');
  const launched = client.launch({ agent, goal });
  await initialized;
  await client.setExceptionBreakpointsRequest({ filters: [] });
  await setUp();
  const stopped = client.waitForEvent('stopped');
  await client.configurationDoneRequest();
  await launched;
  return (await stopped).body as DebugProtocol.StoppedEvent['body'];
}

test('stdio: hit counts, log messages and data breakpoints', () =>
  withClient(async (client) => {
    const logged: string[] = [];
    client.on('output', ({ body }: DebugProtocol.OutputEvent) => {
      if (body.line !== undefined) logged.push(`${body.output.trim()} @${body.line}`);
    });
    const logMessage = 'round {round}: {messages.length}';
    const third = await stopAfter(client, async () => {
      const breakpoints = [
        { line: lines.observe, hitCondition: '2' },
        { line: lines.plan, logMessage },
      ];
      const { body } = await client.setBreakpointsRequest({ source: { path: loop }, breakpoints });
      assert.deepEqual(
        body.breakpoints.map(({ verified, line }) => [verified, line]),
        [
          [true, lines.observe],
          [true, lines.plan],
        ],
      );
    });
    assert.match(third.description ?? '', /before observe \(line \d+, hit 2\)$/);
    assert.deepEqual(logged, [`round 1: 1 @${lines.plan}`, `round 2: 3 @${lines.plan}`]);
    await client.setBreakpointsRequest({ source: { path: loop }, breakpoints: [] });
    const { body: scopes } = await client.scopesRequest({ frameId: 1 });
    const messages = scopes.scopes.find(({ name }) => name === 'Messages')?.variablesReference ?? 0;
    const { body: info } = (await client.customRequest('dataBreakpointInfo', {
      variablesReference: messages,
      name: 'm1',
    })) as DebugProtocol.DataBreakpointInfoResponse;
    assert.deepEqual(info.accessTypes, ['write', 'readWrite']);
    await client.customRequest('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId }] });
    const { body: rows } = await client.variablesRequest({ variablesReference: messages });
    const row = rows.variables.find(({ name }) => name === 'm1')?.variablesReference ?? 0;
    await client.setVariableRequest({ variablesReference: row, name: 'content', value: '"Plan less."' });
    const changed = client.waitForEvent('stopped');
    await client.continueRequest({ threadId: 1 });
    const stop = (await changed).body as DebugProtocol.StoppedEvent['body'];
    assert.equal(stop.reason, 'data breakpoint');
    assert.match(stop.description ?? '', /\(m1 changed\)$/);
  }));

test('stdio: the round is a readable source', () =>
  withClient(async (client) => {
    const stopped = client.waitForEvent('stopped');
    await Promise.all([client.configurationSequence(), client.launch({ agent, goal }), stopped]);
    const { body } = await client.stackTraceRequest({ threadId: 1 });
    const source = body.stackFrames[1]?.source;
    assert.ok(source?.sourceReference);
    const { body: text } = await client.sourceRequest({ source, sourceReference: source.sourceReference });
    assert.match(text.content, /^Run 1, round 1\n\nContext \(not sent yet\)\n {2}m\d user\n {4}I am busy/);
  }));

const bad: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  [
    'an agent file that is not there',
    { agent: 'nope.agent.json', goal },
    /Can not read the agent file nope\.agent\.json/,
  ],
  ['no goal', { agent }, /The launch arguments are not right.*goal/s],
  ['a workspace that is not there', { agent, goal, workspace: 'nowhere' }, /is not a folder/],
];
for (const [name, args, expected] of bad) {
  test(`stdio: ${name} refuses the launch with words`, () =>
    withClient(async (client) => {
      await client.initializeRequest();
      await assert.rejects(client.launchRequest(args), expected);
    }));
}

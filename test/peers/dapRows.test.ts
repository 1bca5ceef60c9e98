/** The rows of the table over stdio: the built `dap` command, driven by the client that the protocol's authors publish. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { checkpointLines } from '../../src/debug/loopSource.ts';
import { assertGolden } from '../golden/golden.ts';
import { play } from '../golden/rows/createDap.ts';
import { type Answer, type Body, type Link, loopPath } from '../golden/rows/row.ts';
import { rows } from '../golden/rows/rows.ts';
import { agentOf } from '../golden/rows/agentOf.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const loop = path.join(root, 'dist/loop.ts');
const lines = checkpointLines(readFileSync(loop, 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'dap-rows-'));
after(() => rmSync(folder, { recursive: true }));

/** The published client starts its adapter without arguments; ours is a command of a command line. */
class StdioClient extends DebugClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly closed: Promise<unknown>;
  complaints = '';
  constructor(private readonly listen: (event: DebugProtocol.Event) => void) {
    super(process.execPath, '', 'loopscope');
    this.child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'dap'], { cwd: folder });
    this.child.stderr.on('data', (data: Buffer) => (this.complaints += data.toString()));
    this.closed = new Promise((resolve) => this.child.on('close', resolve));
    this.connect(this.child.stdout, this.child.stdin);
  }
  override emit(name: string | symbol, ...args: unknown[]): boolean {
    const [event] = args as [DebugProtocol.Event | undefined];
    if (event?.type === 'event') this.listen(event);
    return super.emit(name, ...args);
  }
}

function createStdioLink(): Link {
  let listen: (event: DebugProtocol.Event) => void = () => undefined;
  let client: StdioClient | undefined;
  const current = () => client ?? assert.fail('no session');

  return {
    lines,
    async begin(begin, apiBase, goal) {
      const agent = path.join(folder, 'rows.agent.json');
      writeFileSync(agent, JSON.stringify(agentOf(begin, apiBase)));
      client = new StdioClient((event) => listen(event));
      const { noDebug = false } = begin;
      await client.initializeRequest();
      const configured = client.waitForEvent('initialized').then(() => current().configurationDoneRequest());
      await client.launchRequest({ agent, goal, noDebug, stopOnEntry: !noDebug } as never);
      await configured;
    },
    async send(command, args): Promise<Answer> {
      const wire = JSON.parse(
        JSON.stringify(args).replaceAll(`"${loopPath}"`, JSON.stringify(loop)),
      ) as object;
      try {
        const answer = await current().send(command, wire);
        return { ok: true, seq: answer.seq, body: (answer.body ?? {}) as Body };
      } catch (error) {
        return { ok: false, message: (error as Error).message };
      }
    },
    onEvent: (next) => (listen = next),
    async read({ source }) {
      assert.ok(source?.sourceReference);
      const { body } = await current().sourceRequest({ source, sourceReference: source.sourceReference });
      return body.content;
    },
    async end() {
      const mine = client;
      client = undefined;
      mine?.child.stdin.end();
      await mine?.closed;
      assert.equal(mine?.complaints ?? '', '', 'the adapter wrote to stderr');
    },
  };
}

for (const row of rows)
  test(`stdio, row by row: ${row.name}`, async () =>
    assertGolden(`rows/${row.name}`, await play(row, createStdioLink())));

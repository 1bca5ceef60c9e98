import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as z from 'zod';
import { createAdapter } from '../../debug/adapter.ts';
import type { Approve } from '../../core/ports.ts';
import type { AdapterPorts, LaunchArguments } from '../../debug/adapterPorts.ts';
import type { Launched } from '../../debug/debuggee.ts';
import { remember } from '../../runner/remember.ts';
import { folderCode } from '../folderCode.ts';
import { newSessionId, openSessionFile } from '../openSessionFile.ts';
import { systemClock } from '../systemClock.ts';
import { exitCodes } from './exitCodes.ts';
import { loadAgent } from './loadAgent.ts';
import { onEndSignal } from './onEndSignal.ts';
import { parseOptions } from './options.ts';

const help = `Speaks the Debug Adapter Protocol on stdin and stdout, for any debug client.

Usage: loopscope dap

Launch arguments: agent (path of the agent file), goal, workspace (folder, default the current one),
stopOnEntry, noDebug, session ("new", or the path of a journal file to write or continue), trustWorkspace (the
folder's own TypeScript may be loaded, for questions about code).

The agent ends with its client: when it disconnects, closes a pipe, or sends SIGINT, SIGTERM or SIGHUP, the run is
cancelled with a legal history before the process exits. Exit code: 0 the client left, 130 a signal.
`;

/** Milliseconds that a client waits at most for the summary of a session that it leaves. */
const longestGoodbye = 15_000;

const launchSchema = z.object({
  agent: z.string().min(1),
  goal: z.string().trim().min(1),
  workspace: z.string().default('.'),
  stopOnEntry: z.boolean().optional(),
  noDebug: z.boolean().optional(),
  session: z.string().default('new'),
  trustWorkspace: z.boolean().default(false),
});

export async function dapCommand(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args, {}, help, { min: 0, max: 0 });
  if (!parsed.ok) return parsed.exitCode;
  const loopPath = await findLoop();
  const loop = { text: await readFile(loopPath, 'utf8'), source: { name: 'loop.ts', path: loopPath } };
  return serve(loop);
}

/** Serves one client on stdin and stdout until it leaves, in whatever way; the run is over by then. */
function serve(loop: AdapterPorts['loop']): Promise<number> {
  const { stdin, stdout } = process;
  return new Promise((resolve, reject) => {
    let isLeaving = false;
    const leave = (exitCode: number) => {
      isLeaving = true;
      adapter.close().then(() => resolve(exitCode), reject);
    };
    const left = () => leave(exitCodes.done);
    const adapter = createAdapter({ launch, loop, onDisconnected: left, onFault: report });
    // Before the adapter's own listeners, which say the same of a broken pipe as of a message that is none.
    for (const stream of [stdin, stdout]) stream.on('error', left);
    adapter.on('error', ({ body }: DebugProtocol.Event) => {
      if (!isLeaving) report(body);
    });
    adapter.on('close', left);
    onEndSignal(() => leave(exitCodes.cancelled));
    adapter.start(stdin, stdout);
  });
}

function report(fault: unknown): void {
  process.stderr.write(`${fault instanceof Error ? fault.stack : String(fault)}\n`);
}

/** Beside the bundle where it is shipped; in the source tree when run from there. */
async function findLoop(): Promise<string> {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const candidates = [
    path.join(here, 'loop.ts'),
    path.join(here, '../../runner/loop.ts'),
    path.join(here, '../loop.ts'),
  ];
  for (const candidate of candidates)
    if (await readFile(candidate).then(Boolean, () => false)) return candidate;
  throw new Error('loop.ts is not beside the command line: the installation is broken');
}

/** Without debugging no stop is an approval, and the client has no way to be asked. */
const refuse: Approve = () =>
  Promise.resolve({
    ok: false,
    reason:
      'this tool acts outside the workspace, or a rule says that it is asked for: the user has to start the agent with debugging to approve it',
  });

async function launch(args: LaunchArguments): Promise<Launched | { readonly problem: string }> {
  const parsed = launchSchema.safeParse(args);
  if (!parsed.success)
    return { problem: `The launch arguments are not right. ${z.prettifyError(parsed.error)}` };
  const { agent: file, goal, workspace, session: where, trustWorkspace } = parsed.data;
  if (where === 'last')
    return { problem: 'There is no last session here: name the journal file that is to be continued.' };
  const loaded = await loadAgent(file, workspace, new Map(), {
    approve: refuse,
    codeOf: trustWorkspace ? folderCode : undefined,
  });
  if (!loaded.ok) return { problem: loaded.message };
  const opened = openSessionFile({
    ...(where === 'new' ? {} : { file: path.resolve(where) }),
    id: newSessionId(),
    agent: loaded.name,
    clock: systemClock,
  });
  if (!opened.ok) return { problem: opened.message };
  let hasRun = false;
  return {
    agent: loaded.agent,
    session: opened.session,
    goal,
    agentSource: { name: loaded.name, path: path.resolve(file) },
    notices: [...loaded.warnings, ...opened.notices],
    onRun: () => (hasRun = true),
    async close() {
      const { session } = opened;
      // There is nobody to ask: `ask` is no.
      if (hasRun && loaded.agent.config.memory === 'on')
        await remember(loaded.agent, session, AbortSignal.timeout(longestGoodbye));
      session.journal.close();
    },
  };
}

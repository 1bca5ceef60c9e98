import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { createAdapter } from '../../debug/adapter.ts';
import type { LaunchArguments } from '../../debug/adapterPorts.ts';
import type { Launched } from '../../debug/debuggee.ts';
import { newSessionId, openSessionFile } from '../openSessionFile.ts';
import { systemClock } from '../systemClock.ts';
import { loadAgent } from './loadAgent.ts';
import { parseOptions } from './options.ts';

const help = `Speaks the Debug Adapter Protocol on stdin and stdout, for any debug client.

Usage: loopscope dap

Launch arguments: agent (path of the agent file), goal, workspace (folder, default the current one),
stopOnEntry, session ("new", or the path of a journal file to write or continue).
`;

const launchSchema = z.object({
  agent: z.string().min(1),
  goal: z.string().trim().min(1),
  workspace: z.string().default('.'),
  stopOnEntry: z.boolean().optional(),
  noDebug: z.boolean().optional(),
  session: z.string().default('new'),
});

export async function dapCommand(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args, {}, help, { min: 0, max: 0 });
  if (!parsed.ok) return parsed.exitCode;
  const loopPath = await findLoop();
  const adapter = createAdapter({
    launch,
    loop: { text: await readFile(loopPath, 'utf8'), source: { name: 'loop.ts', path: loopPath } },
    onFault: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  });
  return new Promise((resolve) => {
    adapter.on('close', () => resolve(0));
    adapter.start(process.stdin, process.stdout);
  });
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

async function launch(args: LaunchArguments): Promise<Launched | { readonly problem: string }> {
  const parsed = launchSchema.safeParse(args);
  if (!parsed.success)
    return { problem: `The launch arguments are not right. ${z.prettifyError(parsed.error)}` };
  const { agent: file, goal, workspace, session: where } = parsed.data;
  const loaded = await loadAgent(file, workspace, new Map());
  if (!loaded.ok) return { problem: loaded.message };
  const opened = openSessionFile({
    ...(where === 'new' ? {} : { file: path.resolve(where) }),
    id: newSessionId(),
    agent: loaded.name,
    clock: systemClock,
  });
  if (!opened.ok) return { problem: opened.message };
  return {
    agent: loaded.agent,
    session: opened.session,
    goal,
    agentSource: { name: loaded.name, path: path.resolve(file) },
    notices: [...loaded.warnings, ...opened.notices],
    close: () => opened.session.journal.close(),
  };
}

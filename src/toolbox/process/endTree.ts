/**
 * Ends a command with everything that it started. On POSIX a command is started as the leader of a group of its
 * own, so that its children can be reached when it has ended itself; children that made groups of their own are
 * found by their parents, while those live, and by their mark. Windows knows none of them: `taskkill /T` walks the tree
 * from its top.
 */
import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { processList } from './processList.ts';
import type { ProcessMark } from './processMark.ts';

/** Milliseconds that a tree has to end after being asked, and again after being killed. */
const graceMs = 500;
const lookMs = 20;

/** `nothing`: it had ended by itself. `alive`: something of it withstood even the kill, or may not be ended by us. */
export type TreeEnd = 'nothing' | 'ended' | 'alive';

/**
 * Asks the tree of a command to end, and kills what is left of it after a grace time. Takes a second at most, and
 * never rejects. `hasExited`: the command itself has ended, and what it started is meant; what made a session of its own
 * then means to stay.
 */
export async function endTree(pid: number, hasExited: boolean, mark: ProcessMark): Promise<TreeEnd> {
  if (process.platform !== 'win32') return endGroups(pid, hasExited ? undefined : mark);
  // Its number may be another's by now, and nothing tells who its children were.
  if (hasExited) return 'nothing';
  const [file, args] = taskkill(pid, process.env);
  const killed = promisify(execFile)(file, args, { windowsHide: true, timeout: 2 * graceMs });
  return killed.then(
    () => 'ended',
    () => 'alive',
  );
}

/** The command line that ends a tree on Windows. By its full path: a file of that name in a workspace is not meant. */
export function taskkill(
  pid: number,
  env: Readonly<Record<string, string | undefined>>,
): readonly [file: string, args: readonly string[]] {
  const system = path.win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32');
  return [path.win32.join(system, 'taskkill.exe'), ['/PID', String(pid), '/T', '/F']];
}

async function endGroups(pid: number, mark: ProcessMark | undefined): Promise<TreeEnd> {
  const groups = new Set([pid]);
  if (!mark && (!isThere(pid) || !(await lives(groups)))) return 'nothing';
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const group of await groupsUnder(pid, mark)) groups.add(group);
    for (const group of groups) send(group, signal);
    if (await gone(groups)) return 'ended';
  }
  return 'alive';
}

/** The groups of a process's descendants, and of those that have its mark, except our own group. */
async function groupsUnder(pid: number, mark: ProcessMark | undefined): Promise<ReadonlySet<number>> {
  const all = await processList();
  const ours = all.find((one) => one.pid === process.pid)?.group;
  const found = new Set([pid, ...all.flatMap((one) => (mark?.isOn(one) ? [one.pid] : []))]);
  const groups = new Set<number>();
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const one of all) if (one.group === pid || found.has(one.parent)) found.add(one.pid);
  }
  for (const one of all) if (found.has(one.pid) && one.group !== ours) groups.add(one.group);
  return groups;
}

async function gone(groups: ReadonlySet<number>): Promise<boolean> {
  const until = performance.now() + graceMs;
  while ([...groups].some(isThere)) {
    if (performance.now() > until) return !(await lives(groups));
    await delay(lookMs);
  }
  return true;
}

/** Signals reach processes that have ended and were not asked how: only the list tells them from living ones. */
async function lives(groups: ReadonlySet<number>): Promise<boolean> {
  const all = await processList();
  return all.length === 0 || all.some(({ group, isZombie }) => !isZombie && groups.has(group));
}

function isThere(group: number): boolean {
  return send(group, 0);
}

/** False when there is nobody in the group. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: somebody is there whom we may not signal.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** One writer of a file at a time, across processes: a lock file that says who holds it. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import { isRecord, parseJson } from '../core/parseMessage.ts';

export type Lock =
  | { readonly ok: true; readonly release: () => void }
  /** Who holds it, in words. */
  | { readonly ok: false; readonly owner: string };

/** Locks that this process holds, by token: its own id in a lock file that is not among them is another's, reused. */
const held = heldOfProcess();

/** A lock whose file was left half-written is somebody's who just takes it, for so long. */
const youngMs = 5_000;

/**
 * Takes the lock, or says who holds it. One left by a process that is gone is taken over, also where its process id
 * was given to another since. Throws what the file system throws.
 */
export function takeLock(file: string): Lock {
  for (let attempt = 0; ; attempt++) {
    const token = randomUUID();
    try {
      fs.writeFileSync(file, JSON.stringify({ pid: process.pid, host: os.hostname(), token }), {
        flag: 'wx',
        mode: 0o600,
      });
      held.add(token);
      return { ok: true, release: () => release(file, token) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(file);
    if (owner !== undefined) return { ok: false, owner };
    if (attempt > 2 || !removeStale(file))
      return { ok: false, owner: 'another process, which just takes it' };
  }
}

/** One set for all copies of this module in the process: an extension and a library may both be bundled with it. */
function heldOfProcess(): Set<string> {
  const key = Symbol.for('loopscope.locks');
  const store = globalThis as { [key]?: Set<string> };
  return (store[key] ??= new Set());
}

/** Only our own: where it was taken over by force, it is another's by now. */
function release(file: string, token: string): void {
  held.delete(token);
  if (readLock(file)?.['token'] === token) fs.rmSync(file, { force: true });
}

/** Who holds the lock, in words; undefined when nobody does any more. */
function ownerOf(file: string): string | undefined {
  const lock = readLock(file);
  if (!lock) return ageOf(file) < youngMs ? 'another process, which just takes it' : undefined;
  const { pid, host, token } = lock;
  if (typeof token === 'string' && held.has(token)) return `process ${process.pid}`;
  if (typeof host === 'string' && host !== os.hostname())
    return `process ${String(pid)} on ${host} (if it is gone, delete ${file})`;
  // Older versions wrote the number alone.
  const number = typeof pid === 'number' ? pid : Number.NaN;
  if (number === process.pid || !isAlive(number) || startedAfter(number, writtenAt(file))) return undefined;
  return `process ${number}`;
}

function readLock(file: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(fs.readFileSync(file, 'utf8'));
    return typeof value === 'number' ? { pid: value } : isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Two that find a stale lock at once must not remove each other's new one: only who makes the folder beside it may
 * remove, and looks once more before.
 */
function removeStale(file: string): boolean {
  const turn = `${file}.turn`;
  try {
    fs.mkdirSync(turn);
  } catch {
    if (ageOf(turn) < youngMs) return false;
    fs.rmSync(turn, { recursive: true, force: true });
    return true;
  }
  try {
    if (ownerOf(file) === undefined) fs.rmSync(file, { force: true });
    return true;
  } finally {
    fs.rmSync(turn, { recursive: true, force: true });
  }
}

function writtenAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function ageOf(file: string): number {
  return Date.now() - writtenAt(file);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether a living process began after a time (with 2 s for coarse clocks): its id was another's before. Linux says
 * when it began, in ticks of 10 ms since boot; elsewhere the answer is no and the lock holds.
 */
function startedAfter(pid: number, ms: number): boolean {
  try {
    const boot = /^btime (\d+)$/m.exec(fs.readFileSync('/proc/stat', 'utf8'))?.[1];
    // The name in parentheses may hold anything; what is counted stands behind it.
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return Number(boot) * 1000 + Number(ticks) * 10 > ms + 2_000;
  } catch {
    return false;
  }
}

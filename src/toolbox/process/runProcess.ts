import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { AbortSignalLike } from '../../core/ports.ts';
import { endTree, type TreeEnd } from './endTree.ts';
import { guardTree } from './guardTree.ts';
import { createProcessMark } from './processMark.ts';
import { createOutputWindow, type ProcessOutput } from './outputWindow.ts';
import { startProblem } from './startProblem.ts';

export interface ProcessRequest {
  /** A line for the system's shell, or a program and its arguments, which no shell reads. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  /** All of it: nothing is added from this process's own, and only a mark to find what it starts (`LOOPSCOPE_COMMAND`). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command can read; one that does not read it is fine too. */
  readonly stdin: string;
  /** Ends the command with all that it started. A `TimeoutError` as its reason says that the time was up. */
  readonly signal: AbortSignalLike;
  /** Gets what it writes, to either stream, as it comes. */
  readonly onOutput?: (bytes: Buffer) => void;
  /** Bytes of each stream that are kept, half of them of its beginning; 256 KiB when absent. */
  readonly outputLimit?: number;
}

export type ProcessResult =
  /** Why nothing was started, in words for the model. */
  { readonly started: false; readonly error: string } | ProcessEnded;

export interface ProcessEnded {
  readonly started: true;
  readonly end: ProcessEnd;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
  /** What became of what it had started and left running, or had to be ended with. */
  readonly rest: TreeEnd;
}

export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout' | 'cancelled' };

/** Bytes of each stream that are kept, unless it is asked for more. */
const usualOutput = 256 * 1024;
/** Milliseconds that output is waited for when the command has ended and others still hold its pipes. */
const drainMs = 500;
/** Milliseconds after an abort within which there is a result: a grace and a kill, what is in the pipes, and leeway. */
export const processWindUpMs = 5000;

/**
 * Runs a command to its end, and resolves when it has ended, whoever still holds its pipes. Never rejects. What it
 * started ends with it: after a normal end, after an abort, and when this process dies. Only what made a session of
 * its own and lost its parent (a daemon) lives on, and after an abort not even that where it can be found.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const { signal, stdin } = request;
  if (signal.aborted) return { started: false, error: 'cancelled before start' };
  const mark = createProcessMark();
  const started = await start({ ...request, env: { ...request.env, ...mark.env } });
  if ('problem' in started) return { started: false, error: await startProblem(started.problem, request) };
  const { child, pid } = started;
  const streams = readStreams(child, request);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, by) => resolve(exitOf(code, by)));
  });
  const abort = abortOf(signal);
  const tellOver = guardTree(pid);
  child.stdin.end(stdin);

  const end = await Promise.race([exited, abort.reached]);
  const hasExited = end.kind === 'exit' || end.kind === 'signal';
  if (hasExited) await within(Promise.race([closed, abort.reached]), drainMs);
  const rest = await endTree(pid, hasExited, mark);
  await within(closed, drainMs);
  tellOver();
  abort.forget();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  // What nothing can end must not keep this process.
  child.unref();
  return { started: true, end, ...streams(), rest };
}

type Started =
  { readonly child: ChildProcessWithoutNullStreams; readonly pid: number } | { readonly problem: unknown };

async function start({ command, cwd, env }: ProcessRequest): Promise<Started> {
  // A group of its own on POSIX (see `endTree`). On Windows that would open a console window.
  const options = { cwd, env, detached: process.platform !== 'win32', windowsHide: true } as const;
  try {
    const [file = '', ...args] = typeof command === 'string' ? [command] : command;
    const child = spawn(file, args, { ...options, shell: typeof command === 'string', stdio: 'pipe' });
    // A command that does not read, or ends before it has, breaks the pipe: what it says or returns counts.
    child.stdin.on('error', () => undefined);
    const problem = new Promise<unknown>((resolve) => child.on('error', resolve));
    return child.pid === undefined ? { problem: await problem } : { child, pid: child.pid };
  } catch (problem) {
    return { problem };
  }
}

/** Collects what a command writes; the function that it returns tells it. */
function readStreams(
  child: ChildProcessWithoutNullStreams,
  { onOutput = () => undefined, outputLimit = usualOutput }: ProcessRequest,
): () => Pick<ProcessEnded, 'stdout' | 'stderr'> {
  const read = (name: 'stdout' | 'stderr') => {
    const window = createOutputWindow(outputLimit);
    child[name].on('data', (chunk: Buffer) => {
      window.add(chunk);
      onOutput(chunk);
    });
    child[name].on('error', () => undefined);
    return window;
  };
  const [stdout, stderr] = [read('stdout'), read('stderr')];
  return () => ({ stdout: stdout.output(), stderr: stderr.output() });
}

function exitOf(code: number | null, by: NodeJS.Signals | null): ProcessEnd {
  return by === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal: by };
}

function abortOf(signal: AbortSignalLike): {
  readonly reached: Promise<ProcessEnd>;
  readonly forget: () => void;
} {
  let listener = (): void => undefined;
  const reached = new Promise<ProcessEnd>((resolve) => {
    listener = () => {
      const { reason } = signal;
      const isTimeout = reason instanceof Error && reason.name === 'TimeoutError';
      resolve({ kind: isTimeout ? 'timeout' : 'cancelled' });
    };
  });
  signal.addEventListener('abort', listener, { once: true });
  if (signal.aborted) listener();
  return { reached, forget: () => signal.removeEventListener('abort', listener) };
}

function within(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

import * as vscode from 'vscode';
import type { AbortSignalLike } from '../../core/ports.ts';
import { ToolError } from '../../toolbox/toolError.ts';

export interface EndedTask {
  /** `stopped`: by us, its time was up; `alive`: it did not end even then. */
  readonly how: 'ended' | 'stopped' | 'alive';
  /** Undefined where VS Code does not tell one: tasks without a process, and those that were ended. */
  readonly exit: number | undefined;
  /** URIs of which something was said while it ran. */
  readonly touched: ReadonlySet<string>;
}

/** Milliseconds for what VS Code tells late: the exit code behind the end, and problems found in the last lines. */
const lateMs = 400;
/** Milliseconds that a task is waited for when it was told to end. */
const endMs = 3000;

/**
 * Runs a task of VS Code's and waits for its end, or, when the signal aborts, ends it. Throws where it can not be started,
 * and for one that runs already: VS Code would ask the user about it.
 */
export async function runToEnd(task: vscode.Task, signal: AbortSignalLike): Promise<EndedTask> {
  const isMeant = (execution: vscode.TaskExecution) => isSame(execution.task, task);
  if (vscode.tasks.taskExecutions.some(isMeant))
    throw new ToolError(
      `the task ${JSON.stringify(task.name)} is running already: wait for it, or ask the user to end it`,
    );
  const touched = new Set<string>();
  let exit: number | undefined;
  let tellExit = (): void => undefined;
  let tellEnd = (): void => undefined;
  const exited = new Promise<void>((resolve) => (tellExit = resolve));
  const ended = new Promise<'ended'>((resolve) => (tellEnd = () => resolve('ended')));
  // A short task has ended before its start is told: nobody may wait for that first.
  const registrations = [
    vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.forEach((uri) => touched.add(uri.toString()))),
    vscode.tasks.onDidEndTaskProcess((event) => {
      if (!isMeant(event.execution)) return;
      exit = event.exitCode;
      tellExit();
    }),
    vscode.tasks.onDidEndTask(({ execution }) => {
      if (isMeant(execution)) tellEnd();
    }),
  ];
  const aborted = abortOf(signal);
  try {
    const started = Promise.resolve(vscode.tasks.executeTask(task));
    const first = await Promise.race([started.then(() => ended), aborted.reached]);
    if (first === 'aborted') return { how: await end(started, ended), exit: undefined, touched };
    await within(exited, lateMs);
    await within(new Promise(() => undefined), lateMs);
    return { how: 'ended', exit, touched };
  } finally {
    aborted.forget();
    registrations.forEach((one) => void one.dispose());
  }
}

/** Ends it, also where it has not begun yet. */
async function end(
  started: Promise<vscode.TaskExecution>,
  ended: Promise<unknown>,
): Promise<'stopped' | 'alive'> {
  void started.then(
    (execution) => execution.terminate(),
    () => undefined,
  );
  return (await within(ended, endMs)) ? 'stopped' : 'alive';
}

/** Objects differ from event to event. */
function isSame(a: vscode.Task, b: vscode.Task): boolean {
  const key = ({ name, source, scope, definition }: vscode.Task) =>
    JSON.stringify([name, source, typeof scope === 'object' ? scope.uri.toString() : scope, definition]);
  return a === b || key(a) === key(b);
}

function abortOf(signal: AbortSignalLike): {
  readonly reached: Promise<'aborted'>;
  readonly forget: () => void;
} {
  let listener = (): void => undefined;
  const reached = new Promise<'aborted'>((resolve) => (listener = () => resolve('aborted')));
  signal.addEventListener('abort', listener, { once: true });
  if (signal.aborted) listener();
  return { reached, forget: () => signal.removeEventListener('abort', listener) };
}

/** Whether it came in time. */
function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

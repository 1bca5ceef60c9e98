/** VS Code's tasks: those of files and those that extensions find, run where VS Code runs them. */
import * as vscode from 'vscode';
import type { AbortSignalLike, FileDiagnostic } from '../../core/ports.ts';
import type { TaskInfo, TaskRun, TaskServices } from '../../core/services.ts';
import { errorText } from '../../toolbox/errorText.ts';
import { wantedTask } from '../../toolbox/tasks/wantedTask.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import { diagnosticOf, rank } from './diagnosticOf.ts';
import type { EditorPaths } from './editorPaths.ts';
import { runToEnd } from './runToEnd.ts';

interface FoundTask extends TaskInfo {
  readonly of: vscode.Task;
}

export function createEditorTasks(paths: EditorPaths): TaskServices {
  return {
    async list(signal) {
      try {
        const tasks = await foundTasks(paths, signal);
        return { ok: true, tasks: tasks.map(({ of: _, ...info }) => info) };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
    async run(wanted, signal) {
      try {
        return {
          ok: true,
          ...(await run(paths, wantedTask(await foundTasks(paths, signal), wanted), signal)),
        };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
  };
}

async function foundTasks(paths: EditorPaths, signal: AbortSignalLike): Promise<readonly FoundTask[]> {
  // VS Code would ask for trust, in a dialog that a tool must not open.
  if (!vscode.workspace.isTrusted)
    throw new ToolError('the workspace is not trusted, and VS Code has no tasks in one that is not');
  const tasks = await unlessAborted(vscode.tasks.fetchTasks(), signal);
  return tasks.map((task) => infoOf(paths, task)).sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function unlessAborted<T>(work: Thenable<T>, signal: AbortSignalLike): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new ToolError('cancelled'));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const forget = () => signal.removeEventListener('abort', cancel);
    work.then(
      (value) => (forget(), resolve(value)),
      (error: unknown) => (forget(), reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });
}

function sortKey({ task, folder = '' }: TaskInfo): string {
  return `${folder}\0${task}`;
}

function infoOf(paths: EditorPaths, task: vscode.Task): FoundTask {
  const folder = folderOf(paths, task);
  const command = commandOf(task);
  const problem = task.isBackground
    ? 'it runs in the background and does not end by itself: ask the user to start it'
    : undefined;
  return {
    task: nameOf(task),
    ...(folder === undefined ? {} : { folder }),
    ...(command === undefined ? {} : { command }),
    ...(task.detail === undefined ? {} : { detail: task.detail }),
    ...(task.group === undefined ? {} : { group: task.group.id }),
    ...(problem === undefined ? {} : { problem }),
    of: task,
  };
}

/** As VS Code's own pick lists it. */
function nameOf({ name, source }: vscode.Task): string {
  return source === '' || source === 'Workspace' || name.startsWith(`${source}: `)
    ? name
    : `${source}: ${name}`;
}

/** Only where there are several. */
function folderOf(paths: EditorPaths, { scope }: vscode.Task): string | undefined {
  return typeof scope === 'object' && paths.hasSeveral() ? paths.pathOf(scope.uri) : undefined;
}

function commandOf({ execution }: vscode.Task): string | undefined {
  if (execution instanceof vscode.ProcessExecution)
    return [execution.process, ...execution.args].map((word) => JSON.stringify(word)).join(' ');
  if (!(execution instanceof vscode.ShellExecution)) return undefined;
  const { commandLine, command, args } = execution;
  if (commandLine !== undefined) return commandLine;
  return [command, ...(args ?? [])]
    .map((word) => (typeof word === 'string' ? word : (word?.value ?? '')))
    .join(' ');
}

async function run(paths: EditorPaths, found: FoundTask, signal: AbortSignalLike): Promise<TaskRun> {
  const name = JSON.stringify(found.task);
  if (found.problem !== undefined) throw new ToolError(`${name} was not run: ${found.problem}`);
  const { exit, touched, how } = await runToEnd(found.of, signal);
  const problems = problemsIn(paths, touched);
  const instead =
    found.command === undefined ? '' : ` (run_command with ${JSON.stringify(found.command)} gives it)`;
  const note = `what it wrote is in its terminal in VS Code, where no tool reads it${instead}`;
  if (how === 'ended' && exit === 0) return { exit, problems, note };
  if (how === 'ended' && exit === undefined)
    return { problems, note: `it ended, and VS Code does not tell how; ${note}` };
  const words = how === 'ended' ? `exit code ${exit}` : howWords[how];
  throw new ToolError([`${words}; ${note}`, ...problemLines(problems)].join('\n'));
}

const howWords = {
  stopped: 'it had not ended and was ended',
  alive: 'it had not ended, and VS Code could not end it: it may still run',
} as const;

/** Problems that a failure tells, the worst first. */
const told = 20;

function problemLines(problems: readonly FileDiagnostic[]): readonly string[] {
  const lines = problems
    .slice(0, told)
    .map(({ path, line, column, severity, message }) => `${path}:${line}:${column} ${severity}: ${message}`);
  if (problems.length > told) lines.push(`and ${problems.length - told} more: get_diagnostics has all`);
  return lines.length === 0 ? [] : ['Problems in files that were reported on meanwhile:', ...lines];
}

/** What is said of the files of which something was said while it ran: by its problem matcher, or by somebody else. */
function problemsIn(paths: EditorPaths, touched: ReadonlySet<string>): readonly FileDiagnostic[] {
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => touched.has(uri.toString()))
    .flatMap(([uri, list]) => {
      const path = paths.pathOf(uri);
      return path === undefined ? [] : list.map((one) => diagnosticOf(path, one));
    })
    .sort((a, b) => rank(a) - rank(b));
}

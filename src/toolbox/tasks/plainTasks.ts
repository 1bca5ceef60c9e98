/** The tasks of a folder without an editor: the scripts of its `package.json`, and what its `.vscode/tasks.json` defines. */
import { homedir } from 'node:os';
import { isAbsolute, relative, sep } from 'node:path';
import type { AbortSignalLike, Workspace, WorkspaceResult } from '../../core/ports.ts';
import type { TaskInfo, TaskRun, TaskServices, WantedTask } from '../../core/services.ts';
import { commandWords } from '../commandResult.ts';
import type { Environment } from '../defineCommandTool.ts';
import { errorText } from '../errorText.ts';
import { runShown, type ShowCommand } from '../process/runShown.ts';
import { ToolError } from '../toolError.ts';
import { definedTasks } from './definedTasks.ts';
import { packageScripts } from './packageScripts.ts';
import { wantedTask } from './wantedTask.ts';

/** A task with what it takes to run it. */
export interface PlainTask extends TaskInfo {
  /** A line for the shell, or a program and its arguments; undefined where `problem` says why there is none. */
  readonly run?: string | readonly string[];
  /** Where, as its definition says; the top of the workspace without it. */
  readonly cwd?: string;
  readonly env?: Environment;
}

export interface PlainTaskPorts {
  /** All of a task's environment, before its own definition adds to it. */
  readonly env: Environment;
  /** Where people see tasks run. */
  readonly show?: ShowCommand | undefined;
}

export function createPlainTasks(workspace: Workspace, { env, show }: PlainTaskPorts): TaskServices {
  return {
    list: () => guarded(async () => ({ tasks: (await tasksOf(workspace, env)).map(shownTask) })),
    run: (wanted, signal) => guarded(() => run(workspace, wanted, { env, show }, signal)),
  };
}

async function guarded<T extends object>(work: () => Promise<T>): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    return { ok: false, error: errorText(error) };
  }
}

function shownTask({ run: _run, cwd: _cwd, env: _env, ...info }: PlainTask): TaskInfo {
  return info;
}

async function tasksOf(workspace: Workspace, env: Environment): Promise<readonly PlainTask[]> {
  const folder = workspace.folder();
  if (!folder.ok) throw new ToolError(folder.error);
  const variables = { workspaceFolder: folder.path, userHome: homedir(), env };
  const [manifest, definitions] = await Promise.all([
    workspace.read('package.json'),
    workspace.read('.vscode/tasks.json'),
  ]);
  return [
    ...(definitions.ok ? definedTasks(definitions.text, variables) : []),
    ...(manifest.ok ? packageScripts(manifest.text, await packageManager(workspace)) : []),
  ];
}

/** By the lock file, as editors guess it. */
const lockFiles: readonly (readonly [file: string, program: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

async function packageManager(workspace: Workspace): Promise<string> {
  const { signal } = new AbortController();
  const listed = await workspace.list('', { limit: 10_000, signal });
  const names = new Set(listed.ok ? listed.entries : []);
  return lockFiles.find(([file]) => names.has(file))?.[1] ?? 'npm';
}

async function run(
  workspace: Workspace,
  wanted: WantedTask,
  { env, show }: PlainTaskPorts,
  signal: AbortSignalLike,
): Promise<TaskRun> {
  const { run: command, problem, ...task } = wantedTask(await tasksOf(workspace, env), wanted);
  if (command === undefined)
    throw new ToolError(`${JSON.stringify(task.task)} was not run: ${problem ?? 'it has no command'}`);
  const cwd = await folderOf(workspace, task);
  const result = await runShown({ command, cwd, env: { ...env, ...task.env }, stdin: '', signal }, show);
  if (!result.started) throw new ToolError(result.error);
  const { end, stdout, stderr } = result;
  if (end.kind !== 'exit' || end.code !== 0) throw new ToolError(commandWords(result));
  return { exit: end.code, stdout: stdout.text, stderr: stderr.text };
}

async function folderOf(
  workspace: Workspace,
  { task, cwd }: Pick<PlainTask, 'task' | 'cwd'>,
): Promise<string> {
  const top = workspace.folder();
  if (!top.ok) throw new ToolError(top.error);
  if (cwd === undefined) return top.path;
  const inner = isAbsolute(cwd) ? relative(top.path, cwd).split(sep).join('/') : cwd;
  const place = inner === '' ? top : await workspace.folderAt(inner);
  if (!place.ok) throw new ToolError(`${JSON.stringify(task)} was not run: its folder: ${place.error}`);
  return place.path;
}

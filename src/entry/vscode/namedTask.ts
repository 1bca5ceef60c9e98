import { isRecord, parseJson } from '../../core/parseMessage.ts';
import type { AbortSignalLike, ToolCallRequest, Workspace } from '../../core/ports.ts';
import type { TaskInfo } from '../../core/services.ts';
import { tasksOf } from '../../toolbox/taskTools.ts';

/** The task that a call means, as it is defined now; undefined for other tools, and for a task that there is not. */
export async function namedTask(
  { name, arguments: given }: ToolCallRequest,
  workspace: Workspace,
  signal: AbortSignalLike,
): Promise<TaskInfo | undefined> {
  const input = parseJson(given);
  if (name !== 'run_task' || !isRecord(input) || typeof input['task'] !== 'string') return undefined;
  const { task, folder } = input;
  const found = await tasksOf(workspace, { env: {} }).list(signal);
  const named = found.ok ? found.tasks.filter((one) => one.task === task) : [];
  return named.find((one) => one.folder === folder) ?? (folder === undefined ? named[0] : undefined);
}

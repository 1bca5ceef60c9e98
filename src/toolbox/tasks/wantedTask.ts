import type { TaskInfo, WantedTask } from '../../core/services.ts';
import { nearestNames } from '../nearestNames.ts';
import { ToolError } from '../toolError.ts';

/** Names that an error lists. */
const listed = 20;

/** The one task of that name; throws with what there is where it is none or more than one. */
export function wantedTask<Task extends TaskInfo>(
  tasks: readonly Task[],
  { task, folder }: WantedTask,
): Task {
  const named = tasks.filter((one) => one.task === task && (folder === undefined || one.folder === folder));
  const [found, ...more] = named;
  if (found && more.length === 0) return found;
  const name = JSON.stringify(task);
  if (found) {
    const folders = [...new Set(named.map((one) => one.folder))];
    if (folders.length < named.length)
      throw new ToolError(`there are ${named.length} tasks ${name}: nothing was run`);
    throw new ToolError(`there is a task ${name} in several folders: say which: ${words(folders)}`);
  }
  if (tasks.length === 0) throw new ToolError('there are no tasks here; run_command runs a command');
  const names = tasks.map((one) => one.task);
  const near = nearestNames(task, names);
  const where = folder === undefined ? '' : ` in the folder ${JSON.stringify(folder)}`;
  const rest = names.length > listed ? `, and ${names.length - listed} more` : '';
  throw new ToolError(
    `there is no task ${name}${where}.${near.length > 0 ? ` Did you mean ${words(near)}?` : ''} There are: ${words(names.slice(0, listed))}${rest}`,
  );
}

function words(names: readonly (string | undefined)[]): string {
  return names.map((name) => JSON.stringify(name ?? '')).join(', ');
}

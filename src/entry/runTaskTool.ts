import { createRunTask } from '../toolbox/taskTools.ts';
import type { Tool } from '../toolbox/tool.ts';
import { commandEnvironment } from './secrets.ts';

/**
 * The tool `run_task` of agent files: the model runs a task that the workspace defines, with this process's environment
 * less what looks like a key. Its effects are `outside`: give the agent an `approve`.
 */
export function runTaskTool(): Tool {
  return createRunTask({ env: commandEnvironment(process.env) });
}

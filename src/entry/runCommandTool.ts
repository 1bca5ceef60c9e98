import { createRunCommand } from '../toolbox/runCommand.ts';
import type { Tool } from '../toolbox/tool.ts';
import { commandEnvironment } from './secrets.ts';

/**
 * The tool `run_command` of agent files: the model runs a line of the system's shell in the workspace, with this
 * process's environment less what looks like a key. Its effects are `outside`: give the agent an `approve`.
 */
export function runCommandTool(): Tool {
  return createRunCommand(commandEnvironment(process.env));
}

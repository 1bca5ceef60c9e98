import type { CommandToolConfig } from '../core/config.ts';
import { defineCommandTool } from '../toolbox/defineCommandTool.ts';
import type { Tool } from '../toolbox/tool.ts';
import { commandEnvironment } from './secrets.ts';

/**
 * A tool that is a command, as an agent file has them: arguments as JSON on its stdin, its result on its stdout. It runs
 * in the agent's workspace folder, with this process's environment less what looks like a key. Throws on a definition
 * that no provider would accept.
 */
export function commandTool(config: CommandToolConfig): Tool {
  return defineCommandTool(config, commandEnvironment(process.env));
}

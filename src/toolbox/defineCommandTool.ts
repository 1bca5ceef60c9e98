import type { CommandToolConfig } from '../core/config.ts';
import type { ToolContext, ToolSpec } from '../core/ports.ts';
import { commandData } from './commandResult.ts';
import { nameProblem } from './registerTools.ts';
import { processWindUpMs } from './process/runProcess.ts';
import { runShown, type ShowCommand } from './process/runShown.ts';
import { schemaChecker } from './schemaChecker.ts';
import { schemaProblem } from './schemaProblem.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './toolError.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes a tool of a command: it gets the arguments as one line of JSON on its stdin and runs in the workspace's folder;
 * its result is what it writes to stdout, a JSON value or text. Any other exit code than 0, or a signal, is a failure.
 * Throws on a definition that no provider would accept.
 *
 * @param env all of the command's environment
 * @param show where people see what it writes
 */
export function defineCommandTool(config: CommandToolConfig, env: Environment, show?: ShowCommand): Tool {
  const { name, description, parameters, effects, timeout } = config;
  const problem = nameProblem(name) ?? schemaProblem(parameters);
  if (problem) throw new Error(`the tool ${JSON.stringify(name)} can not be used: ${problem}`);
  const spec: ToolSpec = { name, description, parameters, effects, command: true };
  const check = schemaChecker(parameters);
  return {
    spec,
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    windUpMs: processWindUpMs,
    prepare(value) {
      const wrong = check(value);
      return wrong === undefined
        ? { ok: true, run: (context) => run(config, env, value, context, show) }
        : { ok: false, problem: wrong };
    },
  };
}

async function run(
  { command }: CommandToolConfig,
  env: Environment,
  input: unknown,
  { workspace, signal }: ToolContext,
  show: ShowCommand | undefined,
): Promise<unknown> {
  const folder = workspace.folder();
  if (!folder.ok) throw new ToolError(`nothing was run: ${folder.error}`);
  const stdin = `${JSON.stringify(input)}\n`;
  const result = await runShown({ command, cwd: folder.path, env, stdin, signal }, show);
  if (!result.started) throw new ToolError(result.error);
  return commandData(result);
}

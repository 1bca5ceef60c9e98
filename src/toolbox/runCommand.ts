import * as z from 'zod';
import { commandWords } from './commandResult.ts';
import type { Environment } from './defineCommandTool.ts';
import { defineTool } from './defineTool.ts';
import { processWindUpMs } from './process/runProcess.ts';
import { runShown, type ShowCommand } from './process/runShown.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './toolError.ts';

/** Seconds that a command may take, unless the call says otherwise, and at most. */
const usual = 60;
const longest = 600;

/**
 * The tool by which a model runs a command of its own making: in a folder of the workspace, with nothing on its stdin.
 *
 * @param env all of the command's environment
 * @param show where people see what it writes
 */
export function createRunCommand(env: Environment, show?: ShowCommand): Tool {
  return defineTool({
    name: 'run_command',
    description:
      "Runs a line of the system's shell in the workspace folder, to build, to test, to ask git. The exit code and both " +
      'streams come back when it has ended; any other code than 0 is a failure. Nothing answers its questions, and ' +
      'what it started ends with it: no servers, no watchers. To read or change files use the file tools.',
    effects: 'outside',
    command: true,
    input: z.strictObject({
      command: z.string().trim().min(1).max(8000),
      folder: z.string().optional().describe('Where, relative to the workspace; its top when absent'),
      timeout: z.number().positive().max(longest).optional().describe(`Seconds; ${usual} when absent`),
    }),
    timeout: ({ timeout = usual }) => timeout,
    windUpMs: processWindUpMs,
    run: async ({ command, folder = '' }, { workspace, signal }) => {
      const place = folder === '' ? workspace.folder() : await workspace.folderAt(folder);
      if (!place.ok) throw new ToolError(`nothing was run: ${place.error}`);
      const result = await runShown({ command, cwd: place.path, env, stdin: '', signal }, show);
      if (!result.started) throw new ToolError(result.error);
      const { end, stdout, stderr } = result;
      if (end.kind !== 'exit' || end.code !== 0) throw new ToolError(commandWords(result));
      return { exit: end.code, stdout: stdout.text, stderr: stderr.text };
    },
  });
}

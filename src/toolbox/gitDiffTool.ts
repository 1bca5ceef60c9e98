import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { processWindUpMs } from './process/runProcess.ts';
import { ToolError } from './toolError.ts';

/** Files whose lines are counted before the diff. */
const counted = 20;

export const gitDiffTool = defineTool({
  name: 'git_diff',
  description:
    'What changed in files that git knows, line by line: against the last commit (all), or only what is staged, or only ' +
    'what is not. Use it to check a change before it is called done. Untracked files have no diff (git_status names them, ' +
    'read_file reads them); of a binary file it only says that it differs.',
  effects: 'none',
  windUpMs: processWindUpMs,
  input: z.strictObject({
    path: z.string().min(1).optional().describe('A file or folder of the workspace; all of it when absent'),
    changes: z.enum(['all', 'staged', 'unstaged']).optional().describe('all when absent'),
  }),
  run: async ({ path, changes = 'all' }, { workspace, signal }) => {
    if (!workspace.git) throw new ToolError('there is no version control here that could be asked');
    const found = await workspace.git.diff({ path, changes }, signal);
    if (!found.ok) throw new ToolError(found.error);
    const { files, diff, more, note } = found;
    if (files.length === 0 && diff === '') return { files, diff, more, note: note ?? 'nothing has changed' };
    const rest = files.length > counted ? { further_files: files.length - counted } : {};
    return { files: files.slice(0, counted), ...rest, diff, more, ...(note === undefined ? {} : { note }) };
  },
});

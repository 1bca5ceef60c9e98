import * as z from 'zod';
import type { GitChange } from '../core/services.ts';
import { defineTool } from './defineTool.ts';
import { processWindUpMs } from './process/runProcess.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

export const gitStatusTool = defineTool({
  name: 'git_status',
  description:
    'The branch, and which files differ from the last commit: staged (what a commit would take), unstaged, untracked, in ' +
    'conflict. Use it to see what was changed; git_diff shows how. A folder that is untracked as a whole ends with /. ' +
    'Submodules are not looked into.',
  effects: 'none',
  windUpMs: processWindUpMs,
  input: z.strictObject({
    path: z.string().min(1).optional().describe('A file or folder of the workspace; all of it when absent'),
  }),
  run: async ({ path }, { workspace, signal }) => {
    if (!workspace.git) throw new ToolError('there is no version control here that could be asked');
    const found = await workspace.git.status(path, signal);
    if (!found.ok) throw new ToolError(found.error);
    let left = takeFitting(found.repositories.flatMap(({ changes }) => changes)).length;
    const repositories = found.repositories.map((one) => {
      const changes: readonly GitChange[] = one.changes.slice(0, left);
      left -= changes.length;
      const note = one.changes.length === 0 ? { clean: true } : {};
      return { ...one, ...note, changes, more: one.more || changes.length < one.changes.length };
    });
    return { repositories };
  },
});

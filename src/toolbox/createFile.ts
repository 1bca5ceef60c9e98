import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { ToolError } from './toolError.ts';

export const createFile = defineTool({
  name: 'create_file',
  description:
    'Makes a new text file in the workspace, with the folders that it needs. It never writes over a file that is there: ' +
    'for that use edit_file.',
  effects: 'workspace',
  input: z.strictObject({
    path: z.string().min(1).describe('Relative to the workspace, with /'),
    content: z.string(),
  }),
  run: async ({ path, content }, { workspace, files }) => {
    const done = await workspace.create(path, content);
    if (!done.ok) throw new ToolError(done.error);
    files.changed(done);
    return { path: done.path, created: true, ...(done.note ? { note: done.note } : {}) };
  },
});

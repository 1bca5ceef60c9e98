import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

const limit = 500;

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists what is directly in a folder of the workspace (folders end with /), or, with a glob, all files under it that ' +
    'match: *.ts at any depth, src/**/*.ts below src. Use it to find your way. It does not look into files: search_text ' +
    'does; `more` says that the list is not complete.',
  effects: 'none',
  input: z.strictObject({
    path: z.string().optional().describe('A folder relative to the workspace; the top when absent'),
    glob: z.string().min(1).optional().describe('Relative to path'),
  }),
  run: async ({ path = '', glob }, { workspace, signal }) => {
    const found = await workspace.list(path, { ...(glob === undefined ? {} : { glob }), limit, signal });
    if (!found.ok) throw new ToolError(found.error);
    const entries = takeFitting(found.entries);
    const note =
      entries.length > 0 ? {} : { note: glob === undefined ? 'the folder is empty' : 'no file matches' };
    return {
      path: path === '' ? '.' : path,
      entries,
      more: found.more || entries.length < found.entries.length,
      ...note,
    };
  },
});

import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

const limit = 100;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Finds the lines of the workspace files that contain a text (a query in lower case matches any case), or match a ' +
    'JavaScript regular expression when regex is true. Use it to find where something is said; to read around a match use ' +
    'read_file with its line. Ignored and binary files are left out; `more` says that there may be further matches.',
  effects: 'none',
  input: z.strictObject({
    query: z.string().min(1).max(1000),
    glob: z.string().min(1).optional().describe('Only files that match, for example *.md or src/**'),
    regex: z.boolean().optional(),
  }),
  run: async ({ query, glob, regex = false }, { workspace, signal }) => {
    const found = await workspace.search({
      query,
      ...(glob === undefined ? {} : { glob }),
      regex,
      limit,
      signal,
    });
    if (!found.ok) throw new ToolError(found.error);
    const matches = takeFitting(found.matches);
    if (matches.length === 0 && !found.more) return { matches, more: false, note: 'no line matches' };
    return { matches, more: found.more || matches.length < found.matches.length };
  },
});

import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { rawLines } from './lines.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace, or the lines start to end (from 1, inclusive). Use it when you need what a file ' +
    'says; to find out which file, use search_text or list_files first. A long answer stops early: `end` is the last line ' +
    'that you got of `total`, go on from end + 1.',
  effects: 'none',
  input: z.strictObject({
    path: z.string().describe('Relative to the workspace, with /'),
    start: z.int().min(1).optional(),
    end: z.int().min(1).optional(),
  }),
  run: async ({ path, start = 1, end }, { workspace, files }) => {
    if (end !== undefined && end < start) throw new ToolError(`end (${end}) is before start (${start})`);
    const file = await workspace.read(path);
    if (!file.ok) throw new ToolError(file.error);
    const lines = rawLines(file.text);
    const total = lines.length;
    if (start > Math.max(total, 1))
      throw new ToolError(`${file.path} has ${total} lines; start was ${start}`);
    const page = takeFitting(lines.slice(start - 1, end));
    const last = start - 1 + page.length;
    files.read(file.uri, file.text, [start, last], total);
    const note = file.note === undefined ? {} : { note: file.note };
    return { path: file.path, start, end: last, total, text: page.join(''), ...note };
  },
});

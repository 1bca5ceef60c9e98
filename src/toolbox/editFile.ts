import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { planEdit } from './edit/planEdit.ts';
import { ToolError } from './toolError.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Changes a text file of the workspace: replaces old_string, which must be there word for word and once, by new_string ' +
    '(replace_all: everywhere), or, with content, the whole text. Read the file first; give as many lines around the ' +
    'change as make old_string unique. Line ends stay as the file has them. For a file that is not there use create_file.',
  effects: 'workspace',
  input: z
    .strictObject({
      path: z.string().min(1).describe('Relative to the workspace, with /'),
      old_string: z.string().optional(),
      new_string: z.string().optional(),
      replace_all: z.boolean().optional(),
      content: z.string().optional().describe('The whole new text, instead of old_string and new_string'),
    })
    .refine(
      ({ old_string, new_string, content }) =>
        content === undefined
          ? old_string !== undefined && new_string !== undefined
          : old_string === undefined && new_string === undefined,
      'give old_string and new_string, or content alone',
    ),
  run: async (input, { workspace, files }) => {
    let lines: readonly [number, number] | undefined;
    let count = 1;
    const done = await workspace.edit(input.path, (file) => {
      const planned = planEdit(input, file.text, files.seen(file.uri));
      if (!planned.ok) return planned;
      ({ lines, count } = planned);
      files.changing(file.text);
      return planned;
    });
    if (!done.ok) throw new ToolError(done.error);
    files.changed(done);
    const { path, note } = done;
    return { path, replaced: count, ...(lines ? { lines: lines.join('–') } : {}), ...(note ? { note } : {}) };
  },
});

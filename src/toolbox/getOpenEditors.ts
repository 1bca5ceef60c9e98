import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { editorOf } from './editorOf.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

export const getOpenEditors = defineTool({
  name: 'get_open_editors',
  description:
    'The files that the user has open, which of them is in front, what is not saved, and what is selected. Use it when the ' +
    'user speaks of "this file" or "the selection".',
  effects: 'none',
  input: z.strictObject({}),
  run: (_, { workspace }) => {
    const found = editorOf(workspace).openEditors();
    if (!found.ok) throw new ToolError(found.error);
    const editors = takeFitting(found.editors);
    return { editors, more: editors.length < found.editors.length };
  },
});

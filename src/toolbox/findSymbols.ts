import * as z from 'zod';
import { codeOf } from './codeOf.ts';
import { defineTool } from './defineTool.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

export const findSymbols = defineTool({
  name: 'find_symbols',
  description:
    'Where functions, classes and other symbols are defined, as the language services know it: by a name or ' +
    'a part of it, or, with a path, in that file (all of them when name is absent). Lines and columns count from 1. When ' +
    'nobody answers that proves nothing: search_text finds text.',
  effects: 'none',
  timeout: 30,
  input: z
    .strictObject({
      name: z.string().min(1).max(200).optional(),
      path: z.string().min(1).optional().describe('A file of the workspace'),
    })
    .refine(({ name, path }) => name !== undefined || path !== undefined, 'give a name, a path, or both'),
  run: async ({ name = '', path }, { workspace, signal }) => {
    const found = await codeOf(workspace).symbols({ name, path }, signal);
    if (!found.ok) throw new ToolError(found.error);
    const symbols = takeFitting(found.symbols);
    return {
      symbols,
      more: symbols.length < found.symbols.length,
      ...(found.outside > 0 ? { outside_workspace: found.outside } : {}),
      ...(found.note === undefined ? {} : { note: found.note }),
    };
  },
});

import * as z from 'zod';
import { codeOf } from './codeOf.ts';
import { defineTool } from './defineTool.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  description:
    'Errors and warnings that the language services and linters have for a file, or for all. Use it after an edit: it waits ' +
    'until they are newer than the change; a note says when they may be older. It does not run tests: run_command does.',
  effects: 'none',
  timeout: 30,
  input: z.strictObject({
    path: z.string().min(1).optional().describe('A file of the workspace; all files when absent'),
  }),
  run: async ({ path }, { workspace, signal }) => {
    const found = await codeOf(workspace).diagnostics(path, signal);
    if (!found.ok) throw new ToolError(found.error);
    const diagnostics = takeFitting(found.diagnostics);
    return {
      diagnostics,
      more: diagnostics.length < found.diagnostics.length,
      ...(found.note === undefined ? {} : { note: found.note }),
    };
  },
});

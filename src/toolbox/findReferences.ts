import * as z from 'zod';
import type { Workspace } from '../core/ports.ts';
import type { CodePlace } from '../core/services.ts';
import { codeOf } from './codeOf.ts';
import { defineTool } from './defineTool.ts';
import { excerpt } from './excerpt.ts';
import { splitLines } from './lines.ts';
import { takeFitting } from './takeFitting.ts';
import { ToolError } from './toolError.ts';

/** More places than fit into an answer. */
const limit = 100;

export const findReferences = defineTool({
  name: 'find_references',
  description:
    'Where a symbol is used, its definition too, as the language services know it: more exact than ' +
    'search_text for names that mean several things. Name the line (from 1) on which the symbol stands, from find_symbols, ' +
    'search_text or read_file. When nobody answers that proves nothing: search_text finds text.',
  effects: 'none',
  timeout: 30,
  input: z.strictObject({
    path: z.string().min(1).describe('The file in which it stands'),
    line: z.int().min(1),
    symbol: z.string().min(1).max(200).describe('As it stands in that line'),
    column: z.int().min(1).optional().describe('From 1, where it stands there more than once'),
  }),
  run: async (target, { workspace, signal }) => {
    const found = await codeOf(workspace).references(target, signal);
    if (!found.ok) throw new ToolError(found.error);
    const references = takeFitting(await withText(workspace, found.references.slice(0, limit)));
    return {
      references,
      more: references.length < found.references.length,
      ...(found.outside > 0 ? { outside_workspace: found.outside } : {}),
      ...(found.note === undefined ? {} : { note: found.note }),
    };
  },
});

/** With the line that each stands in, as the workspace has it now. */
async function withText(workspace: Workspace, places: readonly CodePlace[]): Promise<readonly object[]> {
  const files = new Map<string, Promise<readonly string[]>>();
  const linesOf = (path: string) => {
    const known =
      files.get(path) ?? workspace.read(path).then((file) => (file.ok ? splitLines(file.text) : []));
    files.set(path, known);
    return known;
  };
  return Promise.all(
    places.map(async (place) => {
      const text = (await linesOf(place.path))[place.line - 1];
      return { ...place, ...(text === undefined ? {} : { text: excerpt(text, place.column - 1).trim() }) };
    }),
  );
}

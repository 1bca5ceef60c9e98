import * as z from 'zod';
import { defineTool } from '../../src/toolbox/defineTool.ts';

let dumped = 0;

/** Returns so many words. No result is like another: a run that repeats itself would be stopped. */
export const dump = defineTool({
  name: 'dump',
  description: 'Returns a text of so many words.',
  effects: 'none',
  input: z.object({ words: z.int() }),
  run: async ({ words }) => `${++dumped} ${'lorem '.repeat(words)}`,
});

/** What the index of runs holds on disk. */
import * as z from 'zod';

const entryShape = z.object({
  size: z.number(),
  mtime: z.number(),
  /** Null: the file is no journal with runs in it. */
  summary: z
    .object({
      session: z.string(),
      agent: z.string(),
      model: z.string(),
      runs: z.array(
        z.object({
          session: z.string(),
          run: z.number(),
          goal: z.string(),
          at: z.number(),
          outcome: z.string().exactOptional(),
          rounds: z.number(),
          tokens: z.number().exactOptional(),
          cost: z.number().exactOptional(),
          isPartly: z.literal(true).exactOptional(),
        }),
      ),
    })
    .nullable(),
});
export const indexShape = z.object({ v: z.literal(1), files: z.record(z.string(), entryShape) });

export type Entry = z.infer<typeof entryShape>;

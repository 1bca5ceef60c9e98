/** Ops as they come from outside: a client of the debug adapter, a panel. What they mean is for `apply` to decide. */
import * as z from 'zod';
import type { Scope } from '../core/events.ts';
import type { Op } from '../core/ops.ts';

const id = z.string().max(200);
const text = z.string().max(10_000_000);
const scope: z.ZodType<Scope> = z.enum(['history', 'pending', 'request', 'state']);

export const opSchema: z.ZodType<Op> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), target: id, scope, value: z.json() }),
  z.object({ kind: z.literal('insert'), target: id, scope, value: z.json(), behind: id.optional() }),
  z.object({ kind: z.literal('remove'), target: id, scope, also: z.array(id).max(100_000).optional() }),
  z.object({ kind: z.enum(['pin', 'unpin', 'drop', 'restore']), target: id }),
  z.object({ kind: z.literal('mock'), target: id, data: z.json() }),
  z.object({ kind: z.literal('skip'), target: id }),
  z.object({ kind: z.literal('reject'), target: id, reason: text }),
  z.object({ kind: z.literal('askAgain') }),
]);

import * as z from 'zod';
import type { Scope } from '../../core/events.ts';
import { readStopRule, type StopTarget } from '../../core/stopRules.ts';
import { type FromPanel, panelCommands } from '../../core/protocol.ts';
import { opSchema } from '../../debug/opSchema.ts';

const id = z.string().max(200);
const count = z.number().int().nonnegative();
const scope: z.ZodType<Scope> = z.enum(['history', 'pending', 'request', 'state']);
const selection = z.object({ run: count, round: count }).nullable();

const stopTarget: z.ZodType<StopTarget> = z.unknown().transform((value, context) => {
  const rule = readStopRule({ target: value });
  if (!rule) context.addIssue('no stop rule');
  return rule ? rule.target : z.NEVER;
});

const fromPanel: z.ZodType<FromPanel> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), session: id.nullable(), next: count, selection }),
  z.object({ type: z.literal('fetchPart'), session: id, part: id }),
  z.object({ type: z.literal('wire'), session: id, request: id, attempt: count }),
  z.object({ type: z.literal('find'), session: id, text: z.string().max(1000) }),
  z.object({
    type: z.literal('whatIf'),
    session: id,
    ask: z.object({ limit: count.max(100_000_000), policy: id, text: z.string().max(1000) }).nullable(),
  }),
  z.object({ type: z.literal('useBudget'), session: id, limit: count, policy: id }),
  z.object({
    type: z.literal('copy'),
    session: id,
    what: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('part'), part: id }),
      z.object({ kind: z.literal('body'), request: id, attempt: count }),
    ]),
  }),
  z.object({ type: z.literal('op'), session: id, op: opSchema }),
  z.object({ type: z.literal('go'), session: id, round: count.optional() }),
  z.object({
    type: z.literal('open'),
    session: id,
    what: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('body'), request: id, attempt: count }),
      z.object({ kind: z.literal('origin'), message: id }),
      z.object({ kind: z.literal('journal'), seq: count }),
      z.object({ kind: z.literal('tool'), name: z.string().max(1000) }),
      z.object({ kind: z.literal('change'), call: id }),
      z.object({ kind: z.literal('edit'), target: id, scope }),
    ]),
  }),
  z.object({ type: z.literal('select'), session: id, selection }),
  z.object({ type: z.literal('stopRule'), target: stopTarget, on: z.boolean() }),
  z.object({ type: z.literal('command'), command: z.enum(panelCommands) }),
]);

/** A message from a webview, or undefined when it is none of ours: what a page sends is not to be trusted. */
export function parseFromPanel(raw: unknown): FromPanel | undefined {
  const parsed = fromPanel.safeParse(raw);
  return parsed.success ? parsed.data : undefined;
}

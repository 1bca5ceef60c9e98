import type { JournalState } from '../core/journalState.ts';
import { apply, type Op } from '../core/ops.ts';
import { offering, type Refusal } from '../core/refusal.ts';
import { repairedArguments } from '../toolbox/repairedArguments.ts';

/** A refusal of arguments that are no JSON object, with the nearest text that is one as a suggestion. */
export function withRepairedArguments(state: JournalState, op: Op, refusal: Refusal): Refusal {
  if (refusal.rule !== 'bad-arguments' || refusal.offer) return refusal;
  const repaired = repairedOp(op);
  return repaired && apply(state, repaired).ok ? offering(refusal, repaired) : refusal;
}

function repairedOp(op: Op): Op | undefined {
  if (op.kind === 'set' && op.target.endsWith('/arguments') && typeof op.value === 'string') {
    const value = repairedArguments(op.value);
    return value === undefined ? undefined : { ...op, value };
  }
  if (op.kind !== 'insert' || !op.target.endsWith('/tool_calls')) return undefined;
  const { name, arguments: text } = op.value as { readonly name?: unknown; readonly arguments?: unknown };
  const value = typeof text === 'string' ? repairedArguments(text) : undefined;
  return value === undefined ? undefined : { ...op, value: { name, arguments: value } };
}

/** What the policy `summarize` would have folded into a summary, and how large that summary may be. */
import type { ContextConfig } from '../core/config.ts';
import type { MessageId } from '../core/messages.ts';
import { leavingOrder } from './policies.ts';
import { idsOf, type Unit } from './units.ts';

export interface FoldWish {
  /** Whole units, the oldest ones, in history order. */
  readonly ids: readonly MessageId[];
  /** Tokens of them. */
  readonly tokens: number;
}

type Budget = Pick<ContextConfig, 'max_tokens' | 'reserve'>;

/** Tokens of a request above which it is time to fold, below the limit so that there is room to do it in. */
export function foldTrigger({ max_tokens, reserve }: Budget): number {
  return Math.floor((max_tokens - reserve) * 0.85);
}

/** Tokens that a request has after folding: far enough below, so that not every round folds. */
export function foldTarget({ max_tokens, reserve }: Budget): number {
  return Math.floor((max_tokens - reserve) * 0.5);
}

/** Tokens that a summary may have. */
export function summaryCap({ max_tokens, reserve }: Budget): number {
  return Math.min(1024, Math.max(64, Math.floor((max_tokens - reserve) / 8)));
}

/** Undefined where there is no need, or where a summary would save nothing. */
export function foldWish(units: readonly Unit[], fixed: number, budget: Budget): FoldWish | undefined {
  let total = units.reduce((sum, unit) => sum + unit.tokens, fixed);
  if (total <= foldTrigger(budget)) return undefined;
  const summary = summaryCap(budget);
  const folded = new Set<string>();
  let tokens = 0;
  for (const unit of leavingOrder(units).toReversed()) {
    if (unit.newest || total + summary <= foldTarget(budget)) break;
    for (const { id } of unit.messages) folded.add(id);
    total -= unit.tokens;
    tokens += unit.tokens;
  }
  if (tokens <= summary) return undefined;
  return { ids: idsOf(units).filter((id) => folded.has(id)), tokens };
}

import { blockOf } from './blockOf.ts';
import type { ContextRow } from './contextView.ts';
import type { ContextPacked } from './events.ts';
import type { JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';
import { isRecord, parseJson } from './parseMessage.ts';

/** What leaves next if nothing changes, and after how much more. */
export interface NextToLeave {
  /** They leave together. */
  readonly ids: readonly MessageId[];
  readonly fate: 'dropped' | 'trimmed' | 'folded';
  /** Tokens that may come before, or messages where the policy counts those. */
  readonly more: number;
  readonly unit: 'tokens' | 'messages';
}

/** By the policies that come with the product; of one of the user's own nobody knows but it. */
export function nextToLeave(
  state: JournalState,
  { policy, limit, reserve, total }: ContextPacked,
  run: number,
  rows: readonly ContextRow[],
): NextToLeave | undefined {
  if (limit === undefined) return undefined;
  const goals = new Set(state.runs.map(({ goal }) => goal));
  const sent = rows.filter(({ fate }) => fate === 'kept' || fate === 'trimmed');
  const newest = new Set(blockOf(state, sent.at(-1)?.id ?? ''));
  const movable = sent.filter(({ id, pinned }) => !pinned && !newest.has(id));
  // A goal of an earlier run leaves last of its run.
  const first = movable.find(({ id }) => !goals.has(id)) ?? movable[0];
  const free = Math.max(0, limit - reserve - total);
  if (policy === 'blank-results') {
    const result = movable.find(
      ({ role, fate, tokens = 0 }) => role === 'tool' && fate === 'kept' && tokens > stubTokens,
    );
    if (result) return { ids: [result.id], fate: 'trimmed', more: free, unit: 'tokens' };
  }
  if (!first) return undefined;
  const block = new Set(blockOf(state, first.id));
  const ids = sent.filter(({ id }) => block.has(id)).map(({ id }) => id);
  switch (policy) {
    case 'drop-oldest':
    case 'blank-results':
      return { ids, fate: 'dropped', more: free, unit: 'tokens' };
    case 'summarize':
      return {
        ids,
        fate: 'folded',
        more: Math.max(0, Math.floor((limit - reserve) * 0.85) - total),
        unit: 'tokens',
      };
    case 'window':
      return {
        ids,
        fate: 'dropped',
        more: Math.max(0, windowOf(state, run) - sent.length),
        unit: 'messages',
      };
    default:
      return undefined;
  }
}

/** About what the line takes that stands for a blanked result: a shorter result is left as it is. */
const stubTokens = 40;

function windowOf(state: JournalState, run: number): number {
  const part = state.runs.find((one) => one.run === run)?.config;
  const config = parseJson(state.parts.get(part ?? '') ?? '');
  const window = isRecord(config) ? config['max_history'] : undefined;
  return typeof window === 'number' ? window : 20;
}

/**
 * What if the policy were `summarize`: what would be folded is arithmetic, the summary in its place is not. A model
 * would have to write it, so that only its size is assumed, and said to be.
 */
import type { JournalState } from '../core/journalState.ts';
import type { MessageId } from '../core/messages.ts';
import type { AssumedSummary } from '../core/whatIf.ts';
import { summaryCap } from './foldWish.ts';
import { pack, type Packed, type PackInput, type PackMessage } from './pack.ts';

export interface AssumedSummaries {
  /** Packs as the loop does with this policy: what is wished for is folded, and packed again. */
  pack(state: JournalState, input: PackInput): Packed;
  /** The size that the last summary was given; undefined while none was assumed. */
  readonly size: AssumedSummary | undefined;
}

/** Folds that may follow one another in one round: each folds what the one before left. */
const mostFolds = 4;

export function createAssumedSummaries(): AssumedSummaries {
  const made: PackMessage[] = [];
  const foldedInto = new Map<MessageId, MessageId>();
  /** The message that a summary stands before: the first of those that it stands for. */
  const summaryAt = new Map<MessageId, PackMessage>();
  let size: AssumedSummary | undefined;

  const withSummaries = (input: PackInput): PackInput => ({
    ...input,
    messages: input.messages.flatMap((message) => {
      const into = foldedInto.get(message.id);
      const own = into === undefined ? message : { ...message, foldedInto: into };
      const summary = summaryAt.get(message.id);
      return summary ? [folded(summary), own] : own;
    }),
  });
  const folded = (summary: PackMessage): PackMessage => {
    const into = foldedInto.get(summary.id);
    return into === undefined ? summary : { ...summary, foldedInto: into };
  };

  return {
    get size() {
      return size;
    },
    pack(state, input) {
      let packed = pack(withSummaries(input));
      for (let folds = 0; packed.fold && folds < mostFolds; folds++) {
        const { ids } = packed.fold;
        size = sizeOf(state, summaryCap({ max_tokens: input.limit, reserve: input.reserve }));
        const id = `assumed ${made.length + 1}`;
        // A summary of what a summary stood for stands where that one stood.
        const first = ids.find((one) => input.messages.some((message) => message.id === one));
        const old = input.messages.find((message) => message.id === first);
        if (!old) break;
        const summary: PackMessage = {
          id,
          role: 'user',
          run: old.run,
          tokens: size.tokens,
          hasCalls: false,
          added: true,
        };
        made.push(summary);
        for (const one of ids) foldedInto.set(one, id);
        summaryAt.set(old.id, summary);
        packed = pack(withSummaries(input));
      }
      return packed;
    },
  };
}

/** As large as those that this session's model wrote, on the mean; where it wrote none, the most that one may have. */
function sizeOf(state: JournalState, most: number): AssumedSummary {
  const known = [...state.messages.values()].flatMap(({ id, origin }) => {
    const tokens = origin.kind === 'summary' ? state.tokens.get(id) : undefined;
    return tokens === undefined ? [] : [tokens];
  });
  if (known.length === 0) return { tokens: most, by: 'most' };
  const mean = Math.round(known.reduce((sum, tokens) => sum + tokens, 0) / known.length);
  return { tokens: Math.min(most, mean), by: 'written' };
}

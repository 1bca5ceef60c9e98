/**
 * The repetition detector: pure. A model that makes a call again, having seen its answer, and gets the same
 * answer again is going round in circles; a single call, or a cycle of several (read, write, read, write).
 *
 * Counted is how often the newest call was asked for with the same signature and the same result, each time
 * at most five rounds after the time before (so that cycles of one to five rounds count). Other calls in
 * between do not reset the count, except progress: a call that changed something and was not made before.
 * Several equal calls in one reply count once, because the model has not seen an answer between them.
 */
import type { CallKey } from '../core/messages.ts';

export interface CallEntry {
  readonly key: CallKey;
  /** Of its `call.finished`. */
  readonly seq: number;
  readonly round: number;
  readonly name: string;
  /** Name and arguments, without what makes no difference. */
  readonly signature: string;
  readonly fingerprint: string;
  /** It succeeded and may have changed something beyond the session. */
  readonly changes: boolean;
}

export interface Repetition {
  /** How often, the newest included. */
  readonly count: number;
  /** What repeats: one period, in order. */
  readonly block: readonly CallEntry[];
  /** All calls that belong to the repetition, oldest first. */
  readonly calls: readonly CallEntry[];
}

/** Rounds of the longest cycle that is found. */
export const longestPeriod = 5;
/** From this repetition on, the result says so to the model. */
export const nudgeAt = 3;
/** At this repetition the run stops. */
export const stopAt = 4;
/** Rounds that have to be looked at: one more than a stop needs, to tell progress from a cycle. */
export const windowRounds = longestPeriod * (stopAt + 1);

/** How often the newest of these calls was made before with the same result. `entries`: oldest first. */
export function repetitionIn(entries: readonly CallEntry[]): Repetition {
  const newest = entries.at(-1);
  if (!newest) return { count: 0, block: [], calls: [] };
  const at = occurrences(entries, newest);
  const cycle = cycleOf(entries, at);
  if (cycle) return { count: at.length, block: cycle, calls: entries.slice(at[0]) };
  return { count: at.length, block: [newest], calls: at.map((index) => entries[index]!) };
}

/** Where the newest call occurs, oldest first, one index a round. */
function occurrences(entries: readonly CallEntry[], newest: CallEntry): number[] {
  const at = [entries.length - 1];
  let { round } = newest;
  for (let index = entries.length - 2; index >= 0; index--) {
    const entry = entries[index]!;
    if (round - entry.round > longestPeriod) break;
    if (isSame(entry, newest)) {
      if (entry.round !== round) at.unshift(index);
      round = entry.round;
    } else if (entry.changes && !entries.slice(0, index).some((before) => isSame(before, entry))) break;
  }
  return at;
}

/** What stands from one occurrence to the next, when it is the same each time; undefined when it is not. */
function cycleOf(entries: readonly CallEntry[], at: readonly number[]): readonly CallEntry[] | undefined {
  const blocks = at.slice(1).map((end, index) => entries.slice(at[index], end));
  const last = blocks.at(-1);
  const isCycle = blocks.every(
    (block) => block.length === last?.length && block.every((entry, index) => isSame(entry, last[index]!)),
  );
  return isCycle ? last : undefined;
}

function isSame(a: CallEntry, b: CallEntry): boolean {
  return a.signature === b.signature && a.fingerprint === b.fingerprint;
}

/** The block in words: `read_file → write_file`. */
export function blockWords(block: readonly CallEntry[]): string {
  return block.map(({ name }) => name).join(' → ');
}

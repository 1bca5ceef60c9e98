/**
 * Pairs among the messages that have neither an equal nor their call (`callPairs.ts`) on the other side, from the surest
 * sign to the weakest: the same words where all call ids are new; a similar text; the same place and role. Each looks at
 * one gap between messages that stayed, so that what stands around them speaks for a pair, too. From sure to weak, as
 * git finds renamed files: https://git-scm.com/docs/gitdiffcore
 */
import { createContentClasses } from './contentClasses.ts';
import { callsOf, hasCall, isAnswer, roleOf, textsOf, visitTexts } from './foreignMessage.ts';
import type { Basis } from './listDiff.ts';
import { type MatchOptions, matchSequences } from './matchSequences.ts';
import { createSimilarPairs, type SimilarPairs } from './similarPairs.ts';
import type { TextList } from './sketches.ts';

export interface Pair {
  readonly from: number;
  readonly to: number;
  readonly by: Basis;
}

/** Indexes into both lists of messages without a partner, ascending. */
export interface Unpaired {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A way to pair the messages of a gap; the pairs are ascending on both sides. */
export type Way = (gap: Unpaired) => readonly Pair[];

export type Messages = readonly unknown[];

/** The ways for what has neither an equal nor a call on the other side. */
export function waysInGap(
  before: Messages,
  after: Messages,
  open: Unpaired,
  areCallsRenamed: boolean,
  options: MatchOptions,
): readonly Way[] {
  const similarPairs = createSimilarPairs(textList(before), textList(after), open);
  const byWords =
    areCallsRenamed && saySome(before, after, open, similarPairs)
      ? waysByWords(before, after, open, options)
      : [];
  const isRenamed = byWords.length > 0;
  /** Messages of two different calls are two messages, whatever they say, as long as ids are to be trusted. */
  const mayPair = (from: number, to: number) =>
    roleOf(before[from]) === roleOf(after[to]) && (isRenamed || mayShareCall(before[from], after[to]));
  let hasFound = false;
  const bySimilarity: Way = (gap) => {
    const pairs = similarPairs.find(gap, mayPair).map(([from, to]) => ({ from, to, by: 'similar' as const }));
    hasFound ||= pairs.length > 0;
    return pairs;
  };
  return [
    ...byWords,
    bySimilarity,
    // The gaps between pairs that were found are smaller: in a small one each is compared with each.
    (gap) => (hasFound ? bySimilarity(gap) : []),
    (gap) => pairsByPlace(gap, mayPair),
  ];
}

function mayShareCall(old: unknown, now: unknown): boolean {
  if (!hasCall(old) || !hasCall(now)) return true;
  const known = new Set(callsOf(now));
  return callsOf(old).some((id) => known.has(id));
}

/** Whether a message with calls may say what one of the other side says. A no is sure, and the most of the time. */
function saySome(before: Messages, after: Messages, open: Unpaired, { mayBeEqual }: SimilarPairs): boolean {
  const from = open.from.filter((index) => hasCall(before[index]));
  const to = open.to.filter((index) => hasCall(after[index]));
  return mayBeEqual({ from, to });
}

/**
 * Messages with calls that say the same but for the ids: some agents give every call a new id each time they send
 * their history. Calls are often made with the same arguments, so those with equal results, too, come first. No
 * way where not one message says what another one said.
 */
function waysByWords(before: Messages, after: Messages, open: Unpaired, options: MatchOptions): Way[] {
  const classes = createContentClasses();
  const wordsOf = (messages: Messages, indexes: readonly number[]) => {
    const numbers = new Int32Array(messages.length).fill(-1);
    for (const index of indexes) {
      const message = messages[index];
      if (hasCall(message)) numbers[index] = classes.numberOf([roleOf(message), ...textsOf(message)]);
    }
    return numbers;
  };
  const old = wordsOf(before, open.from);
  const oldCount = classes.count;
  const now = wordsOf(after, open.to);
  // Old ones are numbered first.
  if (!now.some((number) => number >= 0 && number < oldCount)) return [];
  const blocks = createContentClasses();
  const blocksOf = (messages: Messages, numbers: Int32Array) =>
    numbers.map((number, index) => {
      if (number < 0) return -1;
      const neighbour = numbers[index + (isAnswer(messages[index]) ? -1 : 1)] ?? -1;
      return blocks.numberOf([number, neighbour]);
    });
  const [oldBlocks, newBlocks] = [blocksOf(before, old), blocksOf(after, now)];
  return [
    (gap) => pairsByNumber(gap, oldBlocks, newBlocks, blocks.count, options),
    (gap) => pairsByNumber(gap, old, now, classes.count, options),
  ];
}

function pairsByNumber(
  gap: Unpaired,
  old: Int32Array,
  now: Int32Array,
  classes: number,
  options: MatchOptions,
): Pair[] {
  const from = gap.from.filter((index) => old[index]! >= 0);
  const to = gap.to.filter((index) => now[index]! >= 0);
  const items = (open: readonly number[], numbers: Int32Array) =>
    Int32Array.from(open, (index) => numbers[index]!);
  const { partner } = matchSequences(items(from, old), items(to, now), classes, options);
  return from.flatMap((index, place) =>
    partner[place]! < 0 ? [] : { from: index, to: to[partner[place]!]!, by: 'content' as const },
  );
}

type MayPair = (from: number, to: number) => boolean;

const textList = (messages: Messages): TextList => ({
  count: messages.length,
  visitTexts: (index, visit) => visitTexts(messages[index], visit),
});

/** Messages on each side that are paired by their place alone. */
const mostByPlace = 4;

/** As many old as new ones, few, the same roles in the same order. */
function pairsByPlace({ from, to }: Unpaired, mayPair: MayPair): Pair[] {
  if (from.length !== to.length || from.length > mostByPlace) return [];
  const pairs = from.map((index, place) => ({ from: index, to: to[place]!, by: 'position' as const }));
  return pairs.every((pair) => mayPair(pair.from, pair.to)) ? pairs : [];
}

/**
 * Pairs among the messages that have no equal on the other side, from the surest sign to the weakest: the same
 * call (a result's call id, the call ids of an assistant message); the same words where all call ids are new; a
 * similar text; the same place and role. All but the first look at one gap between messages that stayed, so
 * that what stands around them speaks for a pair, too. From sure to weak, as git finds renamed files:
 * https://git-scm.com/docs/gitdiffcore
 */
import { createContentClasses } from './contentClasses.ts';
import { callsOf, hasCall, isAnswer, roleOf, textsOf, visitCalls } from './foreignMessage.ts';
import type { Basis } from './listDiff.ts';
import { type MatchOptions, matchSequences } from './matchSequences.ts';
import { createSimilarPairs } from './similarPairs.ts';

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

type Messages = readonly unknown[];

/** Pairs that share a call, where each list has that call once: some servers number anew in each reply. */
export function pairsByCall(before: Messages, after: Messages, open: Unpaired): Pair[] {
  return [true, false].flatMap((answers) => {
    const sideOf = (messages: Messages) => (index: number) => isAnswer(messages[index]) === answers;
    const side = { from: open.from.filter(sideOf(before)), to: open.to.filter(sideOf(after)) };
    const isOnce = (ids: ReadonlySet<string>, messages: Messages) => onceIn(messages, ids, answers);
    return pairsOnOneSide(before, after, side, isOnce);
  });
}

/** Among messages that all make calls, or all answer them. */
function pairsOnOneSide(
  before: Messages,
  after: Messages,
  { from, to }: Unpaired,
  idsOnceIn: (ids: ReadonlySet<string>, messages: Messages) => ReadonlySet<string>,
): Pair[] {
  const places = new Map<string, number>();
  for (const index of from) visitCalls(before[index], (id) => places.set(id, index));
  const shared = new Set<string>();
  for (const index of to) visitCalls(after[index], (id) => places.has(id) && shared.add(id));
  if (shared.size === 0) return [];
  const sure = idsOnceIn(idsOnceIn(shared, before), after);
  const taken = new Set<number>();
  const pairs: Pair[] = [];
  for (const index of to) {
    const id = callsOf(after[index]).find((one) => sure.has(one) && !taken.has(places.get(one)!));
    const old = id === undefined ? undefined : places.get(id)!;
    if (old === undefined || roleOf(before[old]) !== roleOf(after[index])) continue;
    taken.add(old);
    pairs.push({ from: old, to: index, by: 'call' });
  }
  return pairs;
}

/** Those of the ids that a list makes, or answers, exactly once. */
function onceIn(messages: Messages, ids: ReadonlySet<string>, answers: boolean): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const count = (id: string) => {
    if (ids.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  };
  for (const message of messages) if (isAnswer(message) === answers) visitCalls(message, count);
  return new Set([...counts].flatMap(([id, times]) => (times === 1 ? id : [])));
}

/** The ways for what has neither an equal nor a call on the other side; `partners` by new index, or -1. */
export function waysInGap(
  before: Messages,
  after: Messages,
  partners: Int32Array,
  open: Unpaired,
  options: MatchOptions,
): readonly Way[] {
  const byWords = areCallsOthers(before, after, partners) ? waysByWords(before, after, open, options) : [];
  const isRenamed = byWords.length > 0;
  /** Messages of two different calls are two messages, whatever they say, as long as ids are to be trusted. */
  const mayPair = (from: number, to: number) => {
    const [old, now] = [before[from], after[to]];
    if (roleOf(old) !== roleOf(now)) return false;
    const [oldCalls, newCalls] = [callsOf(old), callsOf(now)];
    if (oldCalls.length === 0 || newCalls.length === 0) return true;
    if (isRenamed) return true;
    const known = new Set(newCalls);
    return oldCalls.some((id) => known.has(id));
  };
  const similar = wayBySimilarity(before, after, open, mayPair);
  let hasFound = false;
  const bySimilarity: Way = (gap) => {
    const pairs = similar(gap);
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

/** Whether both lists have calls, and no id in common: where they share one, another id is another call. */
function areCallsOthers(before: Messages, after: Messages, partners: Int32Array): boolean {
  // Most often a call among the first messages that were kept.
  if (partners.some((from) => from >= 0 && hasCall(before[from]))) return false;
  const known = new Set<string>();
  for (const message of before) visitCalls(message, (id) => known.add(id));
  let shares = known.size === 0;
  for (const message of after) visitCalls(message, (id) => (shares ||= known.has(id)));
  return !shares;
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

function wayBySimilarity(before: Messages, after: Messages, open: Unpaired, mayPair: MayPair): Way {
  const listOf = (messages: Messages) => ({
    count: messages.length,
    textsOf: (index: number) => textsOf(messages[index]),
  });
  const similarPairs = createSimilarPairs(listOf(before), listOf(after), open);
  return (gap) => similarPairs(gap, mayPair).map(([from, to]) => ({ from, to, by: 'similar' }));
}

/** Messages on each side that are paired by their place alone. */
const mostByPlace = 4;

/** As many old as new ones, few, the same roles in the same order. */
function pairsByPlace({ from, to }: Unpaired, mayPair: MayPair): Pair[] {
  if (from.length !== to.length || from.length > mostByPlace) return [];
  const pairs = from.map((index, place) => ({ from: index, to: to[place]!, by: 'position' as const }));
  return pairs.every((pair) => mayPair(pair.from, pair.to)) ? pairs : [];
}

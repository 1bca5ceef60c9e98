/**
 * Pairs among the messages that have no equal on the other side, from the surest sign to the weakest: the same
 * call (a result's call id, the call ids of an assistant message); in one gap between messages that stayed, a
 * similar text; there, too, the same place and role, as long as the gap is small and has as many old as new.
 */
import { type ForeignList, foreignText, roleOf } from './foreignMessage.ts';
import type { Basis } from './listDiff.ts';
import { longestIncreasing } from './longestIncreasing.ts';
import { type TextSketches, textSketches } from './textSketches.ts';

export interface Pair {
  readonly from: number;
  readonly to: number;
  readonly by: Basis;
}

/** Indexes into both lists of messages without a partner. */
export interface Unpaired {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Pairs that share a call, where each list has that call once: some servers number anew in each reply. */
export function pairsByCall(before: ForeignList, after: ForeignList, unpaired: Unpaired): Pair[] {
  const open = new Map<string, number>();
  for (const from of unpaired.from) for (const id of before.callsOf(from)) open.set(id, from);
  const candidates =
    open.size === 0 ? [] : unpaired.to.filter((to) => after.callsOf(to).some((id) => open.has(id)));
  if (candidates.length === 0) return [];
  const [isOnceOld, isOnceNew] = [onceIn(before, open), onceIn(after, open)];
  const taken = new Set<number>();
  const pairs: Pair[] = [];
  for (const to of candidates) {
    const shared = after
      .callsOf(to)
      .find((id) => isOnceOld(id) && isOnceNew(id) && !taken.has(open.get(id)!));
    if (shared === undefined) continue;
    const from = open.get(shared)!;
    if (roleOf(before.messages[from]) !== roleOf(after.messages[to])) continue;
    taken.add(from);
    pairs.push({ from, to, by: 'call' });
  }
  return pairs;
}

/** Tells of those calls whether a list has them once. */
function onceIn(list: ForeignList, calls: ReadonlyMap<string, unknown>): (id: string) => boolean {
  const counts = new Map<string, number>();
  list.messages.forEach((_, index) => {
    for (const id of list.callsOf(index)) if (calls.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  });
  return (id) => counts.get(id) === 1;
}

/** The part of their words that two texts must share to be versions of one. */
const similarFrom = 0.4;

/**
 * Pairs by similar text within one gap, in order on both sides: messages of the same role that are no parts of
 * two calls.
 */
export function pairsBySimilarity(before: ForeignList, after: ForeignList, gap: Unpaired): Pair[] {
  if (gap.from.length === 0 || gap.to.length === 0) return [];
  const old = textSketches(gap.from.map((index) => foreignText(before.messages[index])));
  const now = textSketches(gap.to.map((index) => foreignText(after.messages[index])));
  const candidates = createCandidates(old, gap.from.length);
  const best: Pair[] = [];
  gap.to.forEach((to, place) => {
    let most = similarFrom;
    let from: number | undefined;
    for (const other of candidates(now.of(place))) {
      const value = now.likeness(place, old, other);
      if (value < most || !mayPair(before, gap.from[other]!, after, to)) continue;
      if (from === undefined || value > most) from = gap.from[other]!;
      most = value;
    }
    if (from !== undefined) best.push({ from, to, by: 'similar' });
  });
  return Array.from(longestIncreasing(best.map(({ from }) => from)), (index) => best[index]!);
}

/** In a gap this small each is compared with each. */
const fewToCompare = 8;
/** Hashes of a sketch that it is looked up by: texts that share half of their words share one of four with 94 %. */
const lookedUp = 4;
/** Texts that may share a word for it to tell them apart. */
const mostSharing = 8;

/** For a sketch the old texts that may be like it. */
function createCandidates(old: TextSketches, count: number): (sketch: Uint32Array) => Iterable<number> {
  if (count <= fewToCompare) return () => Array(count).keys();
  const byHash = new Map<number, number[]>();
  for (let place = 0; place < count; place++) {
    for (const hash of old.of(place).subarray(0, lookedUp)) {
      const sharing = byHash.get(hash);
      if (!sharing) byHash.set(hash, [place]);
      else if (sharing.length <= mostSharing) sharing.push(place);
    }
  }
  return (sketch) => {
    const places = new Set<number>();
    for (const hash of sketch.subarray(0, lookedUp)) {
      const sharing = byHash.get(hash) ?? [];
      if (sharing.length <= mostSharing) for (const place of sharing) places.add(place);
    }
    return places;
  };
}

/** Messages of two different calls are two messages, whatever they say. */
function mayPair(before: ForeignList, from: number, after: ForeignList, to: number): boolean {
  if (roleOf(before.messages[from]) !== roleOf(after.messages[to])) return false;
  const [old, now] = [before.callsOf(from), after.callsOf(to)];
  return old.length === 0 || now.length === 0 || old.some((id) => now.includes(id));
}

/** Messages on each side that are paired by their place alone. */
const mostByPlace = 4;

/** Pairs by place in a gap: as many old as new ones, few, the same roles in the same order. */
export function pairsByPlace(before: ForeignList, after: ForeignList, gap: Unpaired): Pair[] {
  const { from, to } = gap;
  if (from.length !== to.length || from.length > mostByPlace) return [];
  const pairs = from.map((index, place) => ({ from: index, to: to[place]!, by: 'position' as const }));
  return pairs.every((pair) => mayPair(before, pair.from, after, pair.to)) ? pairs : [];
}

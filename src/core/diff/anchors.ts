/**
 * Places where two sequences surely meet: runs of items that occur exactly once in each. Those in the same
 * order on both sides (the longest such chain) split one large comparison into many small ones, in near
 * linear time however different the two are. One item is enough where items are whole lines or messages; of
 * words it takes a few, or the only "therefore" of both texts would tie unrelated passages together.
 * Bram Cohen's patience diff, https://bramcohen.livejournal.com/73318.html
 */
import type { Box } from './matchShortest.ts';
import { longestIncreasing } from './longestIncreasing.ts';

/** Pairs [index in from, index in to] of items that are the same, ascending on both sides. */
export function anchors(
  from: Int32Array,
  to: Int32Array,
  box: Box,
  run: number,
): (readonly [number, number])[] {
  const here = listRuns(from, box.fromStart, box.fromEnd, run);
  const there = listRuns(to, box.toStart, box.toEnd, run);
  const starts: number[] = [];
  const partners: number[] = [];
  for (let at = box.fromStart; at + run <= box.fromEnd; at++) {
    if (here.once(from, at) !== at) continue;
    const partner = there.once(from, at);
    if (partner === undefined) continue;
    starts.push(at);
    partners.push(partner);
  }
  const pairs: (readonly [number, number])[] = [];
  for (const index of longestIncreasing(partners)) takeRun(pairs, starts[index]!, partners[index]!, run);
  return pairs;
}

interface Runs {
  /** Where the run of items that starts at `at` stands in this list; undefined when not exactly once. */
  once(items: Int32Array, at: number): number | undefined;
}

/** Hash places looked at for one run: a text made to collide costs anchors and not time. */
const mostProbes = 16;

/** A hash table over the runs of a stretch. Typed arrays: a Map takes several times as long. */
function listRuns(items: Int32Array, start: number, end: number, run: number): Runs {
  const size = 2 ** Math.ceil(Math.log2(2 * Math.max(1, end - start) + 1));
  /** One more than the start of the run that a place stands for; negative when the run came again. */
  const table = new Int32Array(size);
  const placeOf = (list: Int32Array, at: number): number | undefined => {
    let place = hashOf(list, at, run) & (size - 1);
    for (let probe = 0; probe < mostProbes; probe++) {
      const entry = Math.abs(table[place]!);
      if (entry === 0 || sameRun(items, entry - 1, list, at, run)) return place;
      place = (place + 1) & (size - 1);
    }
    return undefined;
  };
  for (let at = start; at + run <= end; at++) {
    const place = placeOf(items, at);
    if (place !== undefined) table[place] = table[place] === 0 ? at + 1 : -Math.abs(table[place]!);
  }
  return {
    once(list, at) {
      const place = placeOf(list, at);
      const entry = place === undefined ? 0 : table[place]!;
      return entry > 0 ? entry - 1 : undefined;
    },
  };
}

function hashOf(items: Int32Array, at: number, run: number): number {
  let hash = run;
  for (let index = at; index < at + run; index++) {
    hash = Math.imul(hash ^ items[index]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function sameRun(items: Int32Array, at: number, others: Int32Array, other: number, run: number): boolean {
  for (let index = 0; index < run; index++) if (items[at + index] !== others[other + index]) return false;
  return true;
}

/** Runs may overlap the ones before: only items behind both of the last pair are taken. */
function takeRun(pairs: (readonly [number, number])[], at: number, partner: number, run: number): void {
  for (let index = 0; index < run; index++) {
    const last = pairs.at(-1);
    if (last && (at + index <= last[0] || partner + index <= last[1])) continue;
    pairs.push([at + index, partner + index]);
  }
}

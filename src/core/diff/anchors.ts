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
  const { placeOf, places, starts } = listRuns(from, box.fromStart, box.fromEnd, run);
  /** By place, one more than the start of the only run in `to` that is the same; negative when there are several. */
  const others = new Int32Array(starts.length);
  for (let at = box.toStart; at + run <= box.toEnd; at++) {
    const place = placeOf(to, at);
    if (place >= 0) others[place] = others[place] === 0 ? at + 1 : -1;
  }
  const own: number[] = [];
  const partners: number[] = [];
  for (let index = 0; index < places.length; index++) {
    const place = places[index]!;
    if (place < 0 || starts[place]! < 0 || others[place]! <= 0) continue;
    own.push(box.fromStart + index);
    partners.push(others[place]! - 1);
  }
  const pairs: (readonly [number, number])[] = [];
  for (const index of longestIncreasing(partners)) takeRun(pairs, own[index]!, partners[index]!, run);
  return pairs;
}

/** A hash table over the runs of a stretch. Typed arrays: a Map takes several times as long. */
interface Runs {
  /** The place of the run that stands in a list at an index, -1 when the stretch does not have it. */
  readonly placeOf: (list: Int32Array, at: number) => number;
  /** The places of the runs of the stretch, in order. */
  readonly places: Int32Array;
  /** By place, one more than the start of the run; negative when the stretch has it several times. */
  readonly starts: Int32Array;
}

/** Places looked at for one run: a text made to collide costs anchors and not time. */
const mostProbes = 16;

function listRuns(items: Int32Array, start: number, end: number, run: number): Runs {
  const count = Math.max(0, end - start - run + 1);
  const starts = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
  const find = (list: Int32Array, at: number, isNew: boolean): number => {
    let place = hashOf(list, at, run) & (starts.length - 1);
    for (let probe = 0; probe < mostProbes; probe++) {
      const entry = Math.abs(starts[place]!);
      if (entry === 0) return isNew ? place : -1;
      if (sameRun(items, entry - 1, list, at, run)) return place;
      place = (place + 1) & (starts.length - 1);
    }
    return -1;
  };
  const places = new Int32Array(count);
  for (let index = 0; index < count; index++) {
    const place = find(items, start + index, true);
    places[index] = place;
    if (place >= 0) starts[place] = starts[place] === 0 ? start + index + 1 : -Math.abs(starts[place]!);
  }
  return { placeOf: (list, at) => find(list, at, false), places, starts };
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

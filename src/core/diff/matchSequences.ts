/**
 * Which items of two sequences are the same ones, in order: the heart of every difference here, of message
 * lists, of words, of JSON arrays. Items are numbers (classes: equal things, equal number). The plan:
 *
 * 1. What is the same at both ends, and what the other side has nowhere, needs no search.
 * 2. The shortest edit is looked for with a cap on the edits.
 * 3. Where that is too far, anchors split the stretch, and each gap between them is a new, smaller question.
 * 4. A stretch without anchors, or when the effort is spent, counts as replaced, and the answer as coarse.
 *
 * So the cost is near linear whatever the input. The same plan, in other words: git's xdiff,
 * https://github.com/git/git/tree/master/xdiff
 */
import { anchors } from './anchors.ts';
import { type Box, type Effort, matchShortest } from './matchShortest.ts';

export interface SequenceMatch {
  /** For each old item the index of the new one that it is, or -1; ascending where it is not -1. */
  readonly partner: Int32Array;
  /** A stretch was given up and counts as replaced. */
  readonly coarse: boolean;
}

export interface MatchOptions {
  /** Items in a row that make an anchor. */
  readonly run: number;
  /** Edits that one stretch is searched for. */
  readonly maxEdits: number;
  readonly effort: Effort;
}

/** `classes` is one more than the highest number in either sequence. */
export function matchSequences(
  from: Int32Array,
  to: Int32Array,
  classes: number,
  options: MatchOptions,
): SequenceMatch {
  const partner = new Int32Array(from.length).fill(-1);
  const old = shared(from, to, classes);
  const now = shared(to, from, classes);
  const inner = new Int32Array(old.items.length).fill(-1);
  const coarse = matchBoxes(old.items, now.items, inner, options);
  for (let index = 0; index < inner.length; index++) {
    if (inner[index]! >= 0) partner[old.places[index]!] = now.places[inner[index]!]!;
  }
  return { partner, coarse };
}

/** The items that the other side has too, and where they stand. */
function shared(
  items: Int32Array,
  other: Int32Array,
  classes: number,
): { items: Int32Array; places: Int32Array } {
  const isKnown = knownIn(other, classes);
  const places = new Int32Array(items.length);
  let count = 0;
  for (let index = 0; index < items.length; index++) if (isKnown(items[index]!)) places[count++] = index;
  const kept = places.subarray(0, count);
  return { items: kept.map((place) => items[place]!), places: kept };
}

function knownIn(items: Int32Array, classes: number): (item: number) => boolean {
  // Many short lists of one large numbering: a table of it for each would cost far more than they do.
  if (classes > 64 && classes > 16 * items.length) {
    const known = new Set(items);
    return (item) => known.has(item);
  }
  const known = new Uint8Array(classes);
  for (const item of items) known[item] = 1;
  return (item) => known[item] === 1;
}

/** Whether a stretch was given up. A list of open boxes and not a recursion: anchors may nest deeply. */
function matchBoxes(from: Int32Array, to: Int32Array, partner: Int32Array, options: MatchOptions): boolean {
  const open: Box[] = [{ fromStart: 0, fromEnd: from.length, toStart: 0, toEnd: to.length }];
  const isSame = (a: number, b: number) => from[a] === to[b];
  let coarse = false;
  for (let whole = open.pop(); whole; whole = open.pop()) {
    const box = matchEnds(from, to, whole, partner);
    if (box.fromStart === box.fromEnd || box.toStart === box.toEnd) continue;
    if (matchShortest(isSame, box, partner, options.maxEdits, options.effort)) continue;
    const size = box.fromEnd - box.fromStart + box.toEnd - box.toStart;
    options.effort.steps -= size;
    const pairs = options.effort.steps < 0 ? [] : anchors(from, to, box, options.run);
    if (pairs.length === 0) coarse = true;
    else for (const gap of gaps(box, pairs, partner)) open.push(gap);
  }
  return coarse;
}

/** Matches what is the same at both ends; the box between them. */
function matchEnds(from: Int32Array, to: Int32Array, box: Box, partner: Int32Array): Box {
  let { fromStart, fromEnd, toStart, toEnd } = box;
  while (fromStart < fromEnd && toStart < toEnd && from[fromStart] === to[toStart]) {
    partner[fromStart++] = toStart++;
  }
  while (fromEnd > fromStart && toEnd > toStart && from[fromEnd - 1] === to[toEnd - 1]) {
    partner[--fromEnd] = --toEnd;
  }
  return { fromStart, fromEnd, toStart, toEnd };
}

/** Matches the anchors; the boxes between them, as far as both sides have something there. */
function gaps(box: Box, pairs: readonly (readonly [number, number])[], partner: Int32Array): Box[] {
  const result: Box[] = [];
  let { fromStart, toStart } = box;
  const between = (fromEnd: number, toEnd: number) => {
    if (fromEnd > fromStart && toEnd > toStart) result.push({ fromStart, fromEnd, toStart, toEnd });
  };
  for (const [at, other] of pairs) {
    partner[at] = other;
    between(at, other);
    fromStart = at + 1;
    toStart = other + 1;
  }
  between(box.fromEnd, box.toEnd);
  return result;
}

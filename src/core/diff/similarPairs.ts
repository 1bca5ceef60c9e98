/**
 * Which texts are versions of one another. Of the hashes of a text's words the smallest few are its sketch, and
 * two texts share as large a part of their sketches as they share of their words; a text that was cut short
 * shares its start or its end instead. Of all pairs that are alike enough, those are taken that together are
 * most alike and stand in order on both sides.
 * Broder, On the resemblance and containment of documents, https://www.cs.princeton.edu/courses/archive/spring13/cos598C/broder97resemblance.pdf
 */
import { heaviestIncreasing } from './heaviestIncreasing.ts';

/** The part of its words that a text must share to be a version of another. */
const similarFrom = 0.4;
const sketchSize = 16;
/** UTF-16 units that are read: of one text at least and at most, and of all together between these. */
const fewestUnits = 64;
const mostUnits = 4_000;
const unitsOfAll = 1_000_000;

/** Texts by place, each in parts; read again when they are asked for again, and not all held at once. */
export interface TextList {
  readonly count: number;
  readonly textsOf: (place: number) => readonly string[];
}

/** Places in both lists of those that belong together, ascending on both sides. `mayPair` takes places. */
export type SimilarPairs = (
  before: TextList,
  after: TextList,
  mayPair: (from: number, to: number) => boolean,
) => (readonly [from: number, to: number])[];

/** What may still be read, in UTF-16 units: of each text for its sketch, and of all for their ends. */
interface Reading {
  readonly ofEach: number;
  ofEnds: number;
}

/** For so many texts in all, in as many calls as it takes: the work is bounded for all of them together. */
export function createSimilarPairs(count: number): SimilarPairs {
  const ofEach = Math.min(mostUnits, Math.max(fewestUnits, Math.floor(unitsOfAll / Math.max(1, count))));
  const reading = { ofEach, ofEnds: unitsOfAll };
  return (before, after, mayPair) => {
    const [old, now] = [sketchAll(before, ofEach), sketchAll(after, ofEach)];
    const candidatesOf = createCandidates(old, now);
    const from: number[] = [];
    const to: number[] = [];
    const weights: number[] = [];
    for (let place = 0; place < after.count; place++) {
      // From the highest to the lowest, so that no two of one new text can follow one another.
      for (const other of candidatesOf(place)) {
        if (!mayPair(other, place)) continue;
        const words = likeness(old, other, now, place);
        const weight =
          words < similarFrom && reading.ofEnds > 0
            ? sharedEnds(before.textsOf(other)[0], after.textsOf(place)[0], reading)
            : words;
        if (weight < similarFrom) continue;
        from.push(other);
        to.push(place);
        weights.push(weight);
      }
    }
    return heaviestIncreasing(from, weights).map((index) => [from[index]!, to[index]!]);
  };
}

/** The sketches of all texts, one behind the other: for each its smallest hashes, ascending, each once. */
interface Sketches {
  readonly hashes: Int32Array;
  readonly counts: Uint8Array;
}

function sketchAll({ count, textsOf }: TextList, units: number): Sketches {
  const hashes = new Int32Array(count * sketchSize);
  const counts = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const start = index * sketchSize;
    let left = units;
    let end = start;
    for (const text of textsOf(index)) {
      const read = Math.min(text.length, left);
      end = addWords(hashes, start, end, text, read);
      left -= read;
    }
    counts[index] = end - start;
  }
  return { hashes, counts };
}

/** Puts the words into the sketch `[start, end)`; where it ends then. Of unspaced scripts, pairs of units. */
function addWords(hashes: Int32Array, start: number, end: number, text: string, length: number): number {
  let hash = 0;
  let previous = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (isWordUnit(unit)) {
      hash = Math.imul(hash ^ unit, 0x01000193) ^ 0x5bd1e995;
      continue;
    }
    if (hash !== 0) end = insert(hashes, start, end, spread(hash));
    hash = 0;
    if (unit > 0x7f) end = insert(hashes, start, end, spread(Math.imul(previous, 0x1003f) ^ unit));
    previous = unit;
  }
  return hash === 0 ? end : insert(hashes, start, end, spread(hash));
}

/** ASCII letters, digits and the low line. */
function isWordUnit(unit: number): boolean {
  if (unit < 97) return (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95;
  return unit <= 122;
}

/** Spread over 30 bits: the smallest must be a fair choice, and V8 keeps so many without an object. */
function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 2;
}

function insert(hashes: Int32Array, start: number, end: number, hash: number): number {
  const isFull = end === start + sketchSize;
  if (isFull && hash >= hashes[end - 1]!) return end;
  let place = end;
  while (place > start && hashes[place - 1]! > hash) place--;
  if (place > start && hashes[place - 1] === hash) return end;
  for (let at = isFull ? end - 1 : end; at > place; at--) hashes[at] = hashes[at - 1]!;
  hashes[place] = hash;
  return isFull ? end : end + 1;
}

/** The part of the words of two texts that both have, from 0 to 1; 0 for texts without words. */
function likeness(old: Sketches, from: number, now: Sketches, to: number): number {
  let [i, j] = [from * sketchSize, to * sketchSize];
  const [oldEnd, newEnd] = [i + old.counts[from]!, j + now.counts[to]!];
  let shared = 0;
  let seen = 0;
  for (; seen < sketchSize && i < oldEnd && j < newEnd; seen++) {
    const [a, b] = [old.hashes[i]!, now.hashes[j]!];
    if (a === b) shared++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  const all = Math.min(sketchSize, seen + oldEnd - i + newEnd - j);
  return all === 0 ? 0 : shared / all;
}

/** UTF-16 units that a text must have for its ends to tell anything, and those of an end that are compared. */
const [shortest, mostAtEnd] = [32, 2_000];
/** The part of the shorter text that must be there. */
const sharedFrom = 0.6;
/** UTF-16 units that one look costs even where nothing is shared: two messages have to be taken apart for it. */
const perLook = 64;

/** The part of the shorter text that is the start and the end of the longer one: 1 where it was only cut. */
function sharedEnds(a = '', b = '', reading: Reading): number {
  const most = Math.min(a.length, b.length, mostAtEnd);
  reading.ofEnds -= perLook;
  if (most < shortest) return 0;
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (start + end < most && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  reading.ofEnds -= start + end;
  return start + end < sharedFrom * most ? 0 : (start + end) / most;
}

/** Pairs of texts that are all looked at. */
const fewToCompare = 1_024;
/** Hashes of a sketch that it is looked up by: texts that share half of their words share one of four with 94 %. */
const lookedUp = 4;
/** Texts that may share a word for it to tell them apart. */
const mostSharing = 8;

/** For a new text the old ones that may be like it, from the highest place to the lowest. */
function createCandidates(old: Sketches, now: Sketches): (place: number) => readonly number[] {
  const count = old.counts.length;
  if (count * now.counts.length <= fewToCompare) {
    const all = Array.from({ length: count }, (_, index) => count - 1 - index);
    return () => all;
  }
  const sharing = textsByHash(old);
  return (place) => {
    const start = place * sketchSize;
    const found: number[] = [];
    const shares: number[] = [];
    for (let at = start; at < start + Math.min(lookedUp, now.counts[place]!); at++) {
      const list = sharing.get(now.hashes[at]!);
      if (list === undefined || list.length > mostSharing) continue;
      for (const other of list) {
        const known = found.indexOf(other);
        if (known < 0) shares[found.push(other) - 1] = 1;
        else shares[known]!++;
      }
    }
    // Beside one that shares most of them, those that share a common word are not worth a look.
    const most = Math.max(...shares);
    return found.filter((_, index) => shares[index]! * 2 >= most).sort((a, b) => b - a);
  };
}

function textsByHash({ hashes, counts }: Sketches): ReadonlyMap<number, readonly number[]> {
  const sharing = new Map<number, number[]>();
  for (let place = 0; place < counts.length; place++) {
    const start = place * sketchSize;
    for (let at = start; at < start + Math.min(lookedUp, counts[place]!); at++) {
      const list = sharing.get(hashes[at]!);
      if (!list) sharing.set(hashes[at]!, [place]);
      else if (list.length <= mostSharing) list.push(place);
    }
  }
  return sharing;
}

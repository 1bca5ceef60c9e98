/**
 * Which texts are versions of one another: those that share many of their words, by sketches (`sketches.ts`); a text
 * that was cut short shares its start or its end instead. Where there are too many to compare each with each, those
 * are compared that have a rare word in common. Of all pairs that are alike enough, those are taken that together
 * are most alike and stand in order on both sides (`heaviestIncreasing.ts`).
 * Broder, On the resemblance and containment of documents, https://www.cs.princeton.edu/courses/archive/spring13/cos598C/broder97resemblance.pdf
 */
import { heaviestIncreasing } from './heaviestIncreasing.ts';
import {
  binBits,
  binCount,
  createSketches,
  empty,
  likeness,
  type Sketches,
  type TextList,
} from './sketches.ts';

/** The part of its words that a text must share to be a version of another. */
const similarFrom = 0.4;
/** UTF-16 units that are read: of one text at least and at most, and of all together between these. */
const fewestUnits = 64;
const mostUnits = 4_000;
const unitsOfAll = 1_000_000;

/** Texts that are looked at, by index, ascending. */
export interface Candidates {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Indexes of those that belong together, ascending on both sides. `mayPair` takes indexes. */
export type SimilarPairs = (
  among: Candidates,
  mayPair: (from: number, to: number) => boolean,
) => (readonly [from: number, to: number])[];

/** What may still be read of all texts for their ends, in UTF-16 units. */
interface Reading {
  units: number;
}

/** For as many calls as it takes with texts of `all`: the work is bounded for all of them together. */
export function createSimilarPairs(before: TextList, after: TextList, all: Candidates): SimilarPairs {
  const units = Math.floor(unitsOfAll / Math.max(1, all.from.length + all.to.length));
  const ofEach = Math.min(mostUnits, Math.max(fewestUnits, units));
  const old = createSketches(before, all.from.length, ofEach);
  const now = createSketches(after, all.to.length, ofEach);
  const ends: Reading = { units: unitsOfAll };
  return (among, mayPair) => {
    const alikeTo = createLookUp(old, now, among);
    const pairs = { from: [] as number[], to: [] as number[], weights: [] as number[] };
    for (const to of among.to) {
      // From the last to the first, so that no two of one new text can follow one another.
      for (const place of alikeTo(to)) {
        const from = among.from[place]!;
        if (!mayPair(from, to)) continue;
        let weight = likeness(old.bins, old.of(from), now.bins, now.of(to));
        if (weight < similarFrom && ends.units > 0)
          weight = sharedEnds(before.textsOf(from)[0], after.textsOf(to)[0], ends);
        if (weight < similarFrom) continue;
        pairs.from.push(from);
        pairs.to.push(to);
        pairs.weights.push(weight);
      }
    }
    return heaviestIncreasing(pairs.from, pairs.weights).map((at) => [pairs.from[at]!, pairs.to[at]!]);
  };
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
  reading.units -= perLook;
  if (most < shortest) return 0;
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (start + end < most && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  reading.units -= start + end;
  return start + end < sharedFrom * most ? 0 : (start + end) / most;
}

/** Pairs of texts that are all looked at. */
const fewToCompare = 1_024;
/** Words of a sketch that it is looked up by: texts that share half of their words share one of four with 94 %. */
const lookedUp = 4;
/** Texts that may share a word for it to tell them apart. */
const mostSharing = 8;

/** For a new text the old ones that may be like it, as places in `from`, from the last to the first. */
function createLookUp(
  old: Sketches,
  now: Sketches,
  { from, to }: Candidates,
): (index: number) => readonly number[] {
  if (from.length * to.length <= fewToCompare) {
    const all = Array.from(from, (_, place) => from.length - 1 - place);
    return () => all;
  }
  const sharing = createSharing(from.length * lookedUp);
  const words = new Int32Array(lookedUp);
  from.forEach((index, place) => {
    const count = wordsOf(old, index, words);
    for (let n = 0; n < count; n++) sharing.add(words[n]!, place);
  });
  const found: number[] = [];
  const shares: number[] = [];
  return (index) => {
    found.length = 0;
    let most = 0;
    const count = wordsOf(now, index, words);
    for (let n = 0; n < count; n++) {
      for (let entry = sharing.first(words[n]!); entry >= 0; entry = sharing.next(entry)) {
        const place = sharing.placeOf(entry);
        let known = found.indexOf(place);
        if (known < 0) shares[(known = found.push(place) - 1)] = 0;
        most = Math.max(most, ++shares[known]!);
      }
    }
    if (found.length < 2) return found;
    // Beside one that shares most of them, those that share a common word are not worth a look.
    return found.filter((_, at) => shares[at]! * 2 >= most).sort((a, b) => b - a);
  };
}

/** Writes the words by which a text is looked up, those of its first bins; how many there are. */
function wordsOf({ of, bins }: Sketches, index: number, words: Int32Array): number {
  const start = of(index);
  let count = 0;
  for (let at = start; at < start + binCount && count < lookedUp; at++)
    if (bins[at] !== empty) words[count++] = bins[at]!;
  return count;
}

/** The texts that have a word, in flat arrays: a map of lists would be ten thousands of small objects. */
interface Sharing {
  readonly add: (word: number, place: number) => void;
  /** An entry of a word, -1 when no text has it, or so many that it tells nothing. */
  readonly first: (word: number) => number;
  readonly next: (entry: number) => number;
  readonly placeOf: (entry: number) => number;
}

/** Slots looked at for one word: texts made to collide are not found, and cost no time. */
const mostProbes = 16;

function createSharing(most: number): Sharing {
  const places = new Int32Array(most);
  const nexts = new Int32Array(most);
  const size = 2 ** Math.ceil(Math.log2(2 * most));
  const words = new Int32Array(size);
  /** By slot: one more than the last entry of its word, 0 where the slot is free; and how many entries it has. */
  const heads = new Int32Array(size);
  const counts = new Uint8Array(size);
  let entries = 0;
  const slotOf = (word: number): number => {
    // The low bits are those of its bin, which most words here have in common.
    let slot = (word >>> binBits) & (size - 1);
    for (let probe = 0; probe < mostProbes; probe++) {
      if (heads[slot] === 0 || words[slot] === word) return slot;
      slot = (slot + 1) & (size - 1);
    }
    return -1;
  };
  return {
    add(word, place) {
      const slot = slotOf(word);
      if (slot < 0 || counts[slot]! > mostSharing) return;
      words[slot] = word;
      places[entries] = place;
      nexts[entries] = heads[slot]! - 1;
      heads[slot] = ++entries;
      counts[slot]!++;
    },
    first(word) {
      const slot = slotOf(word);
      return slot < 0 || counts[slot]! > mostSharing ? -1 : heads[slot]! - 1;
    },
    next: (entry) => nexts[entry]!,
    placeOf: (entry) => places[entry]!,
  };
}

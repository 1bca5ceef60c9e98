/**
 * Which texts are versions of one another: those that share many of their words, by sketches (`sketches.ts`); a text
 * that was cut short shares its start or its end instead. Where there are too many to compare each with each, those
 * are compared that have a rare word in common. Of all pairs that are alike enough, those are taken that together
 * are most alike and stand in order on both sides (`heaviestIncreasing.ts`).
 * Broder, On the resemblance and containment of documents, https://www.cs.princeton.edu/courses/archive/spring13/cos598C/broder97resemblance.pdf
 */
import { heaviestIncreasing } from './heaviestIncreasing.ts';
import { createSketches, haveEqual, likeness, type TextList } from './sketches.ts';
import { type Candidates, createWordLookUp } from './wordLookUp.ts';

/** The part of its words that a text must share to be a version of another. */
const similarFrom = 0.4;
/** UTF-16 units that are read: of one text at least and at most, and of all together between these. */
const fewestUnits = 64;
const mostUnits = 4_000;
const unitsOfAll = 1_000_000;

export interface SimilarPairs {
  /** Indexes of those that belong together, ascending on both sides. `mayPair` takes indexes. */
  readonly find: (
    among: Candidates,
    mayPair: (from: number, to: number) => boolean,
  ) => (readonly [from: number, to: number])[];
  /** Whether a new text may be the same as an old one; a no is sure, and is told without reading them again. */
  readonly mayBeEqual: (among: Candidates) => boolean;
}

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
  const find: SimilarPairs['find'] = (among, mayPair) => {
    const alikeTo = createWordLookUp(old, now, among);
    const pairs = { from: [] as number[], to: [] as number[], weights: [] as number[] };
    for (const to of among.to) {
      // From the last to the first, so that no two of one new text can follow one another.
      for (const place of alikeTo(to)) {
        const from = among.from[place]!;
        if (!mayPair(from, to)) continue;
        let weight = likeness(old.bins, old.of(from), now.bins, now.of(to));
        if (weight < similarFrom && ends.units > 0)
          weight = sharedEnds(firstText(before, from), firstText(after, to), ends);
        if (weight < similarFrom) continue;
        pairs.from.push(from);
        pairs.to.push(to);
        pairs.weights.push(weight);
      }
    }
    return heaviestIncreasing(pairs.from, pairs.weights).map((at) => [pairs.from[at]!, pairs.to[at]!]);
  };
  return { find, mayBeEqual: ({ from, to }) => haveEqual(old, from, now, to) };
}

function firstText({ visitTexts }: TextList, index: number): string | undefined {
  let first: string | undefined;
  visitTexts(index, (text) => (first ??= text));
  return first;
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

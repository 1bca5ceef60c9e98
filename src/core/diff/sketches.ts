/**
 * Sketches of texts, by which two of them are compared without being read again. The hashes of a text's words are
 * dealt into a few bins, and of each bin the smallest stays: the part of the bins in which two texts agree is the
 * part of their words that they share, as nearly as so few bins can tell.
 * Li, Owen, Zhang, One Permutation Hashing, https://arxiv.org/abs/1208.1259
 */

import { createHashChains, none } from './hashChains.ts';

/** Texts by index, each in parts. */
export interface TextList {
  readonly count: number;
  readonly visitTexts: (index: number, visit: (text: string) => void) => void;
}

export interface Sketches {
  /** Where the sketch of a text begins in `bins`; it is made when it is first asked for. */
  readonly of: (index: number) => number;
  /** Of all sketches, `binCount` each: the smallest hash (below `empty`) of the words in a bin, or `empty`. */
  readonly bins: Int32Array;
}

/** The low bits of a hash are the number of its bin. */
export const binBits = 4;
export const binCount = 1 << binBits;
export const empty = 2 ** 30;

/** For at most so many of the texts; `units`: UTF-16 units that are read of each. */
export function createSketches({ count, visitTexts }: TextList, most: number, units: number): Sketches {
  const bins = new Int32Array(most * binCount).fill(empty);
  const starts = new Int32Array(count).fill(-1);
  let made = 0;
  let [start, left] = [0, units];
  const addText = (text: string) => {
    const read = Math.min(text.length, left);
    addWords(bins, start, text, read);
    left -= read;
  };
  const make = (index: number): number => {
    start = made++ * binCount;
    left = units;
    visitTexts(index, addText);
    return (starts[index] = start);
  };
  return { of: (index) => (starts[index]! < 0 ? make(index) : starts[index]!), bins };
}

/** The part of the words of two texts that both have, from 0 to 1; 0 for texts without words. */
export function likeness(old: Int32Array, from: number, now: Int32Array, to: number): number {
  let seen = 0;
  let shared = 0;
  for (let bin = 0; bin < binCount; bin++) {
    const word = old[from + bin]!;
    const isShared = word === now[to + bin];
    if (isShared && word === empty) continue;
    seen++;
    if (isShared) shared++;
  }
  return seen === 0 ? 0 : shared / seen;
}

/** Whether one of the texts of each list has the sketch of one of the other. */
export function haveEqual(
  old: Sketches,
  from: readonly number[],
  now: Sketches,
  to: readonly number[],
): boolean {
  const chains = createHashChains();
  let [bins, start] = [old.bins, 0];
  const isSketch = (other: number): boolean => {
    for (let bin = 0; bin < binCount; bin++) if (old.bins[other + bin] !== bins[start + bin]) return false;
    return true;
  };
  for (const index of from) {
    start = old.of(index);
    const hash = hashOf(bins, start);
    if (chains.find(hash, isSketch) === none) chains.add(hash, start);
  }
  bins = now.bins;
  return to.some((index) => {
    start = now.of(index);
    // Too many others under one hash, made to collide: it may be.
    return chains.find(hashOf(bins, start), isSketch) !== none;
  });
}

function hashOf(bins: Int32Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + binCount; at++)
    hash = Math.imul(hash ^ bins[at]!, 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 13)) & 0x3fff_ffff;
}

/** Deals the words of a text into the bins that begin at `start`. Of unspaced scripts, pairs of units. */
function addWords(bins: Int32Array, start: number, text: string, length: number): void {
  let hash = 0;
  let previous = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (isWordUnit(unit)) {
      hash = Math.imul(hash ^ unit, 0x01000193) ^ 0x5bd1e995;
      continue;
    }
    if (hash !== 0) addWord(bins, start, hash);
    hash = 0;
    if (unit > 0x7f) addWord(bins, start, Math.imul(previous, 0x1003f) ^ unit);
    previous = unit;
  }
  if (hash !== 0) addWord(bins, start, hash);
}

function addWord(bins: Int32Array, start: number, hash: number): void {
  const word = spread(hash);
  const bin = start + (word & (binCount - 1));
  if (word < bins[bin]!) bins[bin] = word;
}

/** ASCII letters, digits and the low line. */
function isWordUnit(unit: number): boolean {
  if (unit < 97) return (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95;
  return unit <= 122;
}

/**
 * Spread over 30 bits, after the finaliser of MurmurHash3 (https://github.com/aappleby/smhasher): bin and smallest
 * must be a fair choice, and V8 keeps so many bits without an object.
 */
function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 2;
}

/**
 * Sketches of texts, by which two of them are compared without being read again. The hashes of a text's words are
 * dealt into a few bins, and of each bin the smallest stays: the part of the bins in which two texts agree is the
 * part of their words that they share, as nearly as so few bins can tell.
 * Li, Owen, Zhang, One Permutation Hashing, https://arxiv.org/abs/1208.1259
 */

/** Texts by index, each in parts. */
export interface TextList {
  readonly count: number;
  readonly textsOf: (index: number) => readonly string[];
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
export function createSketches({ count, textsOf }: TextList, most: number, units: number): Sketches {
  const bins = new Int32Array(most * binCount);
  const starts = new Int32Array(count).fill(-1);
  let made = 0;
  const make = (index: number): number => {
    const start = made++ * binCount;
    bins.fill(empty, start, start + binCount);
    let left = units;
    for (const text of textsOf(index)) {
      const read = Math.min(text.length, left);
      addWords(bins, start, text, read);
      left -= read;
    }
    return (starts[index] = start);
  };
  return { of: (index) => (starts[index]! < 0 ? make(index) : starts[index]!), bins };
}

/** The part of the words of two texts that both have, from 0 to 1; 0 for texts without words. */
export function likeness(old: Int32Array, from: number, now: Int32Array, to: number): number {
  let seen = 0;
  let shared = 0;
  for (let bin = 0; bin < binCount; bin++) {
    const [a, b] = [old[from + bin]!, now[to + bin]!];
    if (a === empty && b === empty) continue;
    seen++;
    if (a === b) shared++;
  }
  return seen === 0 ? 0 : shared / seen;
}

/** Deals the words of a text into the bins that begin at `start`. Of unspaced scripts, pairs of units. */
function addWords(bins: Int32Array, start: number, text: string, length: number): void {
  const add = (hash: number) => {
    const bin = start + (hash & (binCount - 1));
    if (hash < bins[bin]!) bins[bin] = hash;
  };
  let hash = 0;
  let previous = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (isWordUnit(unit)) {
      hash = Math.imul(hash ^ unit, 0x01000193) ^ 0x5bd1e995;
      continue;
    }
    if (hash !== 0) add(spread(hash));
    hash = 0;
    if (unit > 0x7f) add(spread(Math.imul(previous, 0x1003f) ^ unit));
    previous = unit;
  }
  if (hash !== 0) add(spread(hash));
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

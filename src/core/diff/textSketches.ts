/**
 * How alike two texts are, without comparing them: of the hashes of a text's words the smallest few are its
 * sketch, and two texts share as large a part of their sketches as they share of their words.
 * Broder, On the resemblance and containment of documents, https://www.cs.princeton.edu/courses/archive/spring13/cos598C/broder97resemblance.pdf
 */

export interface TextSketches {
  /** The smallest hashes of the words of text number `index`, ascending, each once. */
  of(index: number): Uint32Array;
  /** The part of the words of two texts that both have, from 0 to 1; 0 for texts without words. */
  likeness(index: number, others: TextSketches, other: number): number;
}

const sketchSize = 16;
/** UTF-16 units that are read: of one text at least and at most, and of all together between these. */
const fewestUnits = 128;
const mostUnits = 4_000;
const unitsOfAll = 2_000_000;

export function textSketches(texts: readonly string[]): TextSketches {
  const units = Math.min(mostUnits, Math.max(fewestUnits, unitsOfAll / texts.length));
  const hashes = new Uint32Array(texts.length * sketchSize);
  const ends = texts.map((text, index) => {
    const start = index * sketchSize;
    return start + sketch(text, Math.min(text.length, units), hashes.subarray(start, start + sketchSize));
  });
  const of = (index: number) => hashes.subarray(index * sketchSize, ends[index]);
  return { of, likeness: (index, others, other) => likeness(of(index), others.of(other)) };
}

/**
 * Fills `smallest`; how many there are. Words are runs of ASCII letters and digits; of other scripts, pairs of
 * neighbouring units.
 */
function sketch(text: string, length: number, smallest: Uint32Array): number {
  let count = 0;
  let hash = 0;
  let previous = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (isWordUnit(unit)) {
      hash = Math.imul(hash ^ unit, 0x01000193) ^ 0x5bd1e995;
      continue;
    }
    if (hash !== 0) count = insert(smallest, count, spread(hash));
    hash = 0;
    if (unit > 0x7f) count = insert(smallest, count, spread(Math.imul(previous, 0x1003f) ^ unit));
    previous = unit;
  }
  return hash === 0 ? count : insert(smallest, count, spread(hash));
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95
  );
}

/** Spread over all bits: the smallest must be a fair choice. */
function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** How many hashes there are with this one. */
function insert(smallest: Uint32Array, count: number, hash: number): number {
  if (count === sketchSize && hash >= smallest[sketchSize - 1]!) return count;
  let place = count;
  while (place > 0 && smallest[place - 1]! > hash) place--;
  if (place > 0 && smallest[place - 1] === hash) return count;
  for (let at = Math.min(count, sketchSize - 1); at > place; at--) smallest[at] = smallest[at - 1]!;
  smallest[place] = hash;
  return Math.min(count + 1, sketchSize);
}

function likeness(a: Uint32Array, b: Uint32Array): number {
  let shared = 0;
  let seen = 0;
  for (let i = 0, j = 0; seen < sketchSize && (i < a.length || j < b.length); seen++) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      shared++;
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && a[i]! < b[j]!)) i++;
    else j++;
  }
  return seen === 0 ? 0 : shared / seen;
}

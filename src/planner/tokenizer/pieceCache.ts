/**
 * Pieces that were merged lately, with the number of their tokens: texts are made of few different pieces, and
 * merging one costs some twenty times as much as comparing it. Two-way set-associative
 * (https://en.wikipedia.org/wiki/CPU_cache#Two-way_set_associative_cache): a piece may stand in two places, the
 * newer one first, and what comes in pushes the older one out. Fixed memory, nothing to clean up. Pieces are
 * read and compared four bytes at a time, which saves the branches of a loop over bytes.
 */

/** Numbers of an entry: `length | tokens << 8`, then the bytes of the piece, filled up with 0. Length 0 is free. */
const entrySize = 8;
const setSize = 2 * entrySize;
const setBits = 13;

/** Longer pieces are not kept. */
export const cachedPiece = 4 * (entrySize - 1);

export interface PieceCache {
  /**
   * The tokens of a piece of 1 to `cachedPiece` bytes, 0 when they are not known. `view` is read up to three
   * bytes behind the piece.
   */
  find(view: DataView, from: number, length: number): number;
  /** Keeps the piece that was looked for last. */
  keep(tokens: number): void;
}

export function createPieceCache(): PieceCache {
  const entries = new Int32Array(setSize << setBits);
  /** The piece that was looked for, as an entry; and where its set begins. */
  const asked = new Int32Array(entrySize);
  let set = 0;
  const isAt = (entry: number, length: number, words: number) => {
    if ((entries[entry]! & 0xff) !== length) return false;
    for (let word = 1; word <= words; word++) if (entries[entry + word] !== asked[word]) return false;
    return true;
  };
  return {
    find(view, from, length) {
      const words = (length + 3) >> 2;
      let hash = length;
      for (let word = 1; word <= words; word++) asked[word] = view.getInt32(from + 4 * word - 4, true);
      asked[words]! &= -1 >>> (8 * (4 * words - length));
      for (let word = 1; word <= words; word++) hash = mix(hash ^ asked[word]!);
      set = (hash >>> (32 - setBits)) * setSize;
      if (isAt(set, length, words)) return entries[set]! >> 8;
      if (isAt(set + entrySize, length, words)) return entries[set + entrySize]! >> 8;
      asked[0] = length;
      return 0;
    },
    keep(tokens) {
      entries.copyWithin(set + entrySize, set, set + entrySize);
      entries.set(asked, set);
      entries[set]! |= tokens << 8;
    },
  };
}

/** After the finaliser of MurmurHash3 (https://github.com/aappleby/smhasher). */
function mix(hash: number): number {
  const once = Math.imul(hash, 0x9e3779b1);
  return Math.imul(once ^ (once >>> 15), 0x85ebca6b);
}

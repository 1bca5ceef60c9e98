/**
 * Pieces that were merged lately, with the number of their tokens: texts are made of few different pieces, and
 * merging one costs some twenty times as much as finding it. Set-associative, four ways
 * (https://en.wikipedia.org/wiki/CPU_cache#Associativity): a piece may stand in four places, the newest first, and
 * what comes in pushes the oldest out. Fixed memory, nothing to clean up.
 *
 * An entry is the piece itself, closed by `endByte` and filled up with 0, so that no hash is trusted and no length
 * is kept; its last byte has the tokens. Pieces are read four bytes at a time.
 */
import { endByte } from './charKind.ts';

const ways = 4;
const tokensShift = 24;
const tokensMask = 0xff << tokensShift;

/** What may be read behind a piece, in bytes. */
export const readAhead = 4;

export interface PieceCache {
  /** Bytes of the longest piece that it holds. */
  readonly longest: number;
  /** The tokens of a piece of up to `longest` bytes, 0 when they are not known. */
  find(view: DataView, from: number, length: number): number;
  /** Keeps the piece that was looked for last; its tokens are fewer than 256. */
  keep(tokens: number): void;
}

/** Holds `4 << setBits` pieces, each in `words` numbers of four bytes. Four words make a set one cache line. */
export function createPieceCache(words: number, setBits: number): PieceCache {
  const setSize = ways * words;
  const last = words - 1;
  const entries = new Int32Array(setSize << setBits);
  /** The piece that was looked for, as an entry without tokens; and where its set begins. */
  const asked = new Int32Array(words);
  let set = 0;
  const ask = (view: DataView, from: number, length: number) => {
    const closing = length >> 2;
    let hash = 0;
    for (let word = 0; word < closing; word++) {
      const four = view.getInt32(from + 4 * word, true);
      asked[word] = four;
      hash = mix(hash ^ four);
    }
    const closingBits = 8 * (length & 3);
    const rest = view.getInt32(from + 4 * closing, true) & ((1 << closingBits) - 1);
    const closed = rest | (endByte << closingBits);
    asked[closing] = closed;
    for (let word = closing + 1; word < words; word++) asked[word] = 0;
    set = (mix(hash ^ closed) >>> (32 - setBits)) * setSize;
  };
  const isAt = (entry: number) => {
    for (let word = 0; word < last; word++) if (entries[entry + word] !== asked[word]) return false;
    return (entries[entry + last]! & ~tokensMask) === asked[last];
  };
  return {
    // The last byte is for the tokens, the one before it may have to close the piece.
    longest: 4 * words - 2,
    find(view, from, length) {
      ask(view, from, length);
      for (let entry = set; entry < set + setSize; entry += words) {
        if (isAt(entry)) return entries[entry + last]! >>> tokensShift;
      }
      return 0;
    },
    keep(tokens) {
      entries.copyWithin(set + words, set, set + setSize - words);
      entries.set(asked, set);
      entries[set + last]! |= tokens << tokensShift;
    },
  };
}

/** After the finaliser of MurmurHash3 (https://github.com/aappleby/smhasher). */
function mix(hash: number): number {
  const once = Math.imul(hash, 0x9e3779b1);
  return Math.imul(once ^ (once >>> 15), 0x85ebca6b);
}

/**
 * A vocabulary as one hash table: from two tokens that stand side by side to the token that they form.
 *
 * The classical table goes from the bytes of a token to its rank. This one is smaller and quicker to ask, and it is
 * enough: two neighbours that form a token have swallowed nothing beyond its bytes, and nothing of its bytes went
 * elsewhere, so they came about by the same merges as in the token alone, and those always end with the same two
 * halves. Whether a whole piece is a token need not be asked at all: merging its bytes ends with that token.
 *
 * The table lies in the data file as it is asked, so loading one is reading a file. The entries of a bucket stand in
 * a row. A bucket's number says what the entry leaves out of its key (quotienting: Knuth, The Art of Computer
 * Programming 6.4, exercise 13; https://en.wikipedia.org/wiki/Quotient_filter), so five bytes hold both halves and
 * the rank in full, and no answer rests on a hash.
 */
export interface Vocabulary {
  /** Rank of a single byte. */
  readonly byteRanks: Uint8Array;
  /** Number of the first entry of each bucket, and one more for the end; buckets are a power of two. */
  readonly starts: Int32Array;
  /** By entry: `left | right / buckets << 18 | rank << 21`, of whose rank the lowest 11 bits find room. */
  readonly keys: Int32Array;
  /** By entry: the other bits of its rank. */
  readonly highRanks: Uint8Array;
}

/** Stands for "no such token"; all ranks are below. */
export const unranked = (1 << 18) - 1;

/** Rank of the token that two tokens form side by side, or `unranked`. */
export type FindPair = (left: number, right: number) => number;

const rightShift = 18;
const rankShift = 21;
const keyMask = (1 << rankShift) - 1;

export function createFindPair({ starts, keys, highRanks }: Vocabulary): FindPair {
  const bucketMask = starts.length - 2;
  const bucketBits = 32 - Math.clz32(bucketMask);
  return (left, right) => {
    const bucket = (right & bucketMask) ^ scattered(left, bucketBits);
    const key = left | ((right >> bucketBits) << rightShift);
    for (let at = starts[bucket]!, end = starts[bucket + 1]!; at < end; at++) {
      const entry = keys[at]!;
      if ((entry & keyMask) === key) return (entry >>> rankShift) | (highRanks[at]! << (32 - rankShift));
    }
    return unranked;
  };
}

/** Fibonacci hashing, https://en.wikipedia.org/wiki/Hash_function#Fibonacci_hashing. `generate.mjs` does the same. */
function scattered(left: number, bits: number): number {
  return Math.imul(left, 0x9e3779b1) >>> (32 - bits);
}

/** Rank of the token that two bytes form, or `unranked`. Half of all questions are of this kind, so answers are kept. */
export function createFindBytePair({ byteRanks }: Vocabulary, findPair: FindPair): FindPair {
  /** By two bytes: the answer + 1, 0 where it was not asked for yet. */
  const known = new Int32Array(1 << 16);
  return (left, right) => {
    const at = (left << 8) | right;
    const answer = known[at]!;
    if (answer > 0) return answer - 1;
    const rank = findPair(byteRanks[left]!, byteRanks[right]!);
    known[at] = rank + 1;
    return rank;
  };
}

const [singles, headerBytes] = [256, 8];

/** Views of `data` as `generate.mjs` writes it: how many buckets and entries, then the fields in their order. */
export function readVocabulary({ buffer, byteOffset }: Uint8Array): Vocabulary {
  const [buckets = 0, entries = 0] = new Int32Array(buffer, byteOffset, 2);
  const starts = new Int32Array(buffer, byteOffset + headerBytes, buckets + 1);
  const keys = new Int32Array(buffer, starts.byteOffset + starts.byteLength, entries);
  const highRanks = new Uint8Array(buffer, keys.byteOffset + keys.byteLength, entries);
  const byteRanks = new Uint8Array(buffer, highRanks.byteOffset + entries, singles);
  return { byteRanks, starts, keys, highRanks };
}

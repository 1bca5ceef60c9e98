/**
 * A vocabulary as one hash table: from two tokens that stand side by side to the token that they form.
 *
 * The classical table goes from the bytes of a token to its rank. This one is smaller, quicker to make (no
 * texts are built) and quicker to ask, and it is enough: two neighbours that form a token have swallowed
 * nothing beyond its bytes, and nothing of its bytes went elsewhere, so they came about by the same merges as
 * in the token alone, and those always end with the same two halves. Whether a whole piece is a token need not
 * be asked at all: merging its bytes ends with that token.
 *
 * Open addressing with linear probing (https://en.wikipedia.org/wiki/Linear_probing). An entry is two numbers
 * that hold both halves and the rank in full, so no answer rests on a hash. The memory is shared: a worker
 * gets it without a copy.
 */
export interface Vocabulary {
  /** Rank of a single byte. */
  readonly byteRanks: Int32Array;
  /** By two bytes (`left << 8 | right`) that form a token: its rank + 1; 0 where they form none. */
  readonly bytePairs: Int32Array;
  /** Entry n at 2n and 2n + 1: `left | right << 18` and `rank + 1 | (right >> 14) << 18`; 0 and 0 are free. */
  readonly pairs: Int32Array;
}

/** Stands for "no such token"; all ranks are below. */
export const unranked = (1 << 18) - 1;

/** Rank of the token that two tokens form side by side, or `unranked`. */
export type FindPair = (left: number, right: number) => number;

export function createFindPair({ pairs }: Vocabulary): FindPair {
  const mask = pairs.length - 1;
  const lineMask = mask & -lineNumbers;
  return (left, right) => {
    const key = left | (right << 18);
    for (let at = placeOf(left, right) & lineMask; ; at = (at + 2) & mask) {
      const entry = pairs[at + 1]!;
      if (entry === 0) return unranked;
      if (pairs[at] === key && entry >>> 18 === right >>> 14) return (entry & unranked) - 1;
    }
  };
}

/**
 * Numbers of a cache line of 64 bytes. Probing begins at the start of a line: reading on in it costs next to
 * nothing, so the table can be three quarters full, which halves what must be written when it is made.
 */
const lineNumbers = 16;

/** Spread over all bits (after the finaliser of MurmurHash3, https://github.com/aappleby/smhasher). */
function placeOf(left: number, right: number): number {
  const mixed = Math.imul(Math.imul(left, 0x9e3779b1) + right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Rank of the token that two bytes form, or `unranked`: the same as of their two tokens, found sooner. */
export function rankOfBytePair(bytePairs: Int32Array, left: number, right: number): number {
  return (bytePairs[(left << 8) | right]! - 1) & unranked;
}

const singles = 256;
const planes = 5;
/** Pairs that are entered at a stretch: a few milliseconds of work, while others may be waiting. */
const stretch = 1 << 15;

/** `data` as `generate.mjs` writes it: 256 bytes by rank, then five planes of halves. */
export async function readVocabulary(data: Uint8Array): Promise<Vocabulary> {
  const byteRanks = sharedInts(singles);
  for (let rank = 0; rank < singles; rank++) byteRanks[data[rank]!] = rank;
  const merges = (data.length - singles) / planes;
  // A power of two that leaves at least a fifth of the entries free.
  const pairs = sharedInts(2 * 2 ** Math.ceil(Math.log2(merges * 1.25)));
  const vocabulary = { byteRanks, bytePairs: sharedInts(singles * singles), pairs };
  for (let from = singles; from < singles + merges; from += stretch) {
    enter(vocabulary, data, from, Math.min(from + stretch, singles + merges));
    await new Promise((resume) => setImmediate(resume));
  }
  return vocabulary;
}

/** Enters the pairs that form the ranks from `from` to before `to`. */
function enter({ bytePairs, pairs }: Vocabulary, data: Uint8Array, from: number, to: number): void {
  const merges = (data.length - singles) / planes;
  const mask = pairs.length - 1;
  const lineMask = mask & -lineNumbers;
  for (let rank = from; rank < to; rank++) {
    const high = data[rank + 4 * merges]!;
    const left = data[rank]! | (data[rank + merges]! << 8) | ((high & 15) << 16);
    const right = data[rank + 2 * merges]! | (data[rank + 3 * merges]! << 8) | ((high >> 4) << 16);
    let at = placeOf(left, right) & lineMask;
    while (pairs[at + 1] !== 0) at = (at + 2) & mask;
    pairs[at] = left | (right << 18);
    pairs[at + 1] = (rank + 1) | ((right >>> 14) << 18);
    if (left < singles && right < singles) bytePairs[(data[left]! << 8) | data[right]!] = rank + 1;
  }
}

function sharedInts(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Byte-pair encoding of a short piece: as long as two neighbours form a token, the pair of the lowest rank
 * (the leftmost of equals) becomes one. Finding it by looking at all pairs is quadratic, and for short pieces
 * quicker than any order kept. Source: `_byte_pair_merge` of https://github.com/openai/tiktoken.
 */
import { type FindPair, unranked } from './vocabulary.ts';

/** Bytes up to which looking at all pairs is quicker than `mergeLong` (measured). */
export const shortPiece = 192;

const parts = new Int32Array(shortPiece);
/** Rank of the union of a part with the next one. */
const unions = new Int32Array(shortPiece);

/** How many tokens the piece has; at least 1 byte, at most `shortPiece`. */
export function mergeShort(
  bytes: Uint8Array,
  from: number,
  to: number,
  byteRanks: Uint8Array,
  findBytePair: FindPair,
  findPair: FindPair,
): number {
  let last = to - from - 1;
  for (let index = 0; index <= last; index++) parts[index] = byteRanks[bytes[from + index]!]!;
  for (let index = 0; index < last; index++) {
    unions[index] = findBytePair(bytes[from + index]!, bytes[from + index + 1]!);
  }
  for (;;) {
    let rank = unranked;
    let at = 0;
    for (let index = 0; index < last; index++) {
      if (unions[index]! < rank) {
        rank = unions[index]!;
        at = index;
      }
    }
    if (rank === unranked) return last + 1;
    last--;
    for (let index = at + 1; index <= last; index++) {
      parts[index] = parts[index + 1]!;
      unions[index] = unions[index + 1]!;
    }
    parts[at] = rank;
    if (at > 0) unions[at - 1] = findPair(parts[at - 1]!, rank);
    if (at < last) unions[at] = findPair(rank, parts[at + 1]!);
  }
}

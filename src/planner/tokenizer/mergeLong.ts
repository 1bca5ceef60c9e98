/**
 * Byte-pair encoding of a long piece in time that hardly grows faster than its length: the same merges as
 * `mergeShort` makes, but taken rank by rank from a queue that is kept, where published tokenizers look at all
 * pairs again after each merge, which takes them minutes for a piece of a megabyte. A token's rank is above
 * those of its halves, so what a merge makes possible always comes later in the order of ranks.
 * Parts are a doubly linked list over the places of their first bytes, as in SentencePiece's encoder
 * (https://github.com/google/sentencepiece/blob/master/src/bpe_model.cc).
 */
import { createRankBuckets } from './rankBuckets.ts';
import { type FindPair, unranked } from './vocabulary.ts';

/** How many tokens the piece has. */
export function mergeLong(
  bytes: Uint8Array,
  from: number,
  to: number,
  byteRanks: Uint8Array,
  findPair: FindPair,
): number {
  const length = to - from;
  const parts = new Int32Array(length);
  const nexts = new Int32Array(length);
  const befores = new Int32Array(length);
  /** Where a part could be joined with the next one, by the rank of the union. */
  const unions = createRankBuckets(length);
  const offer = (place: number) => {
    const next = nexts[place]!;
    unions.add(place, next < length ? findPair(parts[place]!, parts[next]!) : unranked);
  };
  const merge = (place: number, rank: number) => {
    const gone = nexts[place]!;
    const next = nexts[gone]!;
    const before = befores[place]!;
    unions.remove(place);
    unions.remove(gone);
    parts[place] = rank;
    nexts[place] = next;
    if (next < length) befores[next] = place;
    offer(place);
    if (before < 0) return;
    unions.remove(before);
    offer(before);
  };

  for (let place = length - 1; place >= 0; place--) {
    parts[place] = byteRanks[bytes[from + place]!]!;
    nexts[place] = place + 1;
    befores[place] = place - 1;
    offer(place);
  }
  let count = length;
  for (let rank = unions.next(); rank !== unranked; rank = unions.next()) {
    const places = unions.placesOf(rank);
    // Only unions of two equal parts can overlap; of those, the leftmost goes first.
    if (places.length > 1 && parts[places[0]!] === parts[nexts[places[0]!]!]) places.sort();
    for (const place of places) {
      if (unions.rankOf(place) !== rank) continue;
      merge(place, rank);
      count--;
    }
  }
  return count;
}

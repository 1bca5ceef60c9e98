/**
 * Places that wait by rank, to be taken rank by rank. The places of a rank form a doubly linked list, and a bit
 * says that a rank has one; taking them is one walk over the bits, because nothing is ever added below the
 * rank that is being taken. This is a bucket queue for a monotone order (https://en.wikipedia.org/wiki/Bucket_queue):
 * no comparison, and no number is moved about.
 */
import { unranked } from './vocabulary.ts';

const none = -1;

/** First place of each rank's list, and a bit for each rank that may have one: empty but while a piece is merged. */
let firsts: Int32Array | undefined;
const marks = new Int32Array((unranked + 1) / 32);

export interface RankBuckets {
  /** The place, which must not be waiting, waits under the rank; `unranked` means that it does not. */
  add(place: number, rank: number): void;
  remove(place: number): void;
  /** Under which rank a place waits, or `unranked`. */
  rankOf(place: number): number;
  /** The next rank that has places, from the lowest on, or `unranked`. Ranks below it are no longer added. */
  next(): number;
  /** All places of a rank, in no order; the array is overwritten by the next call. */
  placesOf(rank: number): Int32Array;
}

/**
 * For places below `size`. Only one at a time, and it must be used to its end: until `next()` is `unranked`. So all
 * memory is asked for here, before anything waits.
 */
export function createRankBuckets(size: number): RankBuckets {
  const heads = (firsts ??= new Int32Array(unranked).fill(none));
  const ranks = new Int32Array(size).fill(unranked);
  const afters = new Int32Array(size);
  const befores = new Int32Array(size);
  const places = new Int32Array(size);
  let word = 0;
  return {
    add(place, rank) {
      ranks[place] = rank;
      if (rank === unranked) return;
      const head = heads[rank]!;
      if (head !== none) befores[head] = place;
      afters[place] = head;
      befores[place] = none;
      heads[rank] = place;
      marks[rank >> 5]! |= 1 << (rank & 31);
    },
    remove(place) {
      const rank = ranks[place]!;
      if (rank === unranked) return;
      ranks[place] = unranked;
      const before = befores[place]!;
      const after = afters[place]!;
      if (before === none) heads[rank] = after;
      else afters[before] = after;
      if (after !== none) befores[after] = before;
    },
    rankOf: (place) => ranks[place]!,
    next() {
      while (word < marks.length && marks[word] === 0) word++;
      if (word === marks.length) return unranked;
      const bit = marks[word]! & -marks[word]!;
      marks[word]! ^= bit;
      return word * 32 + 31 - Math.clz32(bit);
    },
    placesOf(rank) {
      let count = 0;
      for (let place = heads[rank]!; place !== none; place = afters[place]!) {
        places[count++] = place;
      }
      return places.subarray(0, count);
    },
  };
}

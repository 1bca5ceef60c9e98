/**
 * Numbers by hash, for whoever knows how to compare what they stand for. In flat arrays, one chain of entries a
 * bucket: a map of lists would be tens of thousands of small objects. What was made to collide is given up after a
 * few looks, so hostile input costs time that grows with its size and no faster.
 * https://en.wikipedia.org/wiki/Hash_table#Separate_chaining
 */
export interface HashChains {
  /** The number under this hash that is the one; `none`, or `full` when too many others were looked at. */
  find(hash: number, isIt: (number: number) => boolean): number;
  add(hash: number, number: number): void;
}

export const none = -1;
/** As many candidates as are compared, and none of them was it. */
export const full = -2;

/** Candidates compared for one hash: beyond, equal values may get two numbers. */
const mostCandidates = 8;
/** Entries of one bucket that are looked at, of whatever hash. */
const mostInBucket = 64;

export function createHashChains(): HashChains {
  const [hashes, numbers, nexts]: [number[], number[], number[]] = [[], [], []];
  let heads = new Int32Array(256).fill(none);
  const link = (entry: number) => {
    const bucket = hashes[entry]! & (heads.length - 1);
    nexts[entry] = heads[bucket]!;
    heads[bucket] = entry;
  };
  return {
    find(hash, isIt) {
      let left = mostCandidates;
      let entry = heads[hash & (heads.length - 1)]!;
      for (let seen = 0; entry >= 0; entry = nexts[entry]!, seen++) {
        if (seen >= mostInBucket) return full;
        if (hashes[entry] !== hash) continue;
        if (isIt(numbers[entry]!)) return numbers[entry]!;
        if (--left === 0) return full;
      }
      return none;
    },
    add(hash, number) {
      hashes.push(hash);
      numbers.push(number);
      if (hashes.length <= heads.length) link(hashes.length - 1);
      else {
        heads = new Int32Array(heads.length * 4).fill(none);
        for (let entry = 0; entry < hashes.length; entry++) link(entry);
      }
    },
  };
}

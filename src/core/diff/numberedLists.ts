/**
 * Equal lists of numbers, equal number: a hash table whose entries are compared to the end, so no answer rests on a
 * hash. All lists lie one behind the other in one array: an array or a string for each would cost more than the rest.
 * https://en.wikipedia.org/wiki/Hash_table#Separate_chaining
 */
import { createHashChains } from './hashChains.ts';

export interface NumberedLists {
  /**
   * The number of the first `length` items of a list (integers below 2^53): the one that an equal list was given, else
   * `next`. Lists that were made to collide may be given another.
   */
  numberOf(list: Float64Array, length: number, next: number): number;
}

export function createNumberedLists(): NumberedLists {
  let items = new Float64Array(1024);
  /** By number of the entry: where its list ends, and the number that it was given. */
  const ends: number[] = [];
  const given: number[] = [];
  const chains = createHashChains();
  /** What is asked for, where `isList` finds it: a closure for each question would cost more than the answer. */
  let list: Float64Array = items;
  let length = 0;
  const isList = (entry: number): boolean => {
    const start = entry === 0 ? 0 : ends[entry - 1]!;
    if (ends[entry]! - start !== length) return false;
    for (let index = 0; index < length; index++) if (items[start + index] !== list[index]) return false;
    return true;
  };
  return {
    numberOf(asked, askedLength, next) {
      [list, length] = [asked, askedLength];
      const hash = hashOf(list, length);
      const known = chains.find(hash, isList);
      if (known >= 0) return given[known]!;
      const start = ends.at(-1) ?? 0;
      if (start + length > items.length) {
        const larger = new Float64Array(2 * (start + length));
        larger.set(items);
        items = larger;
      }
      items.set(list.subarray(0, length), start);
      chains.add(hash, ends.push(start + length) - 1);
      given.push(next);
      return next;
    },
  };
}

function hashOf(list: Float64Array, length: number): number {
  let hash = length;
  for (let index = 0; index < length; index++) {
    const item = list[index]!;
    hash = Math.imul(hash ^ (item | 0), 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ ((item / 2 ** 26) | 0), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return hash & 0x3fff_ffff;
}

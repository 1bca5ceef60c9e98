/**
 * Which items stayed where they were when others moved: of all ways to say it, the one by which the fewest moved.
 * Those that stay are a longest increasing subsequence (`longestIncreasing.ts`): the fewest moves that sort a list.
 * https://en.wikipedia.org/wiki/Longest_increasing_subsequence
 */
import { longestIncreasing } from './longestIncreasing.ts';

/**
 * `partners` has for each new item the index of its old one, or -1. 1 for each new item that stayed in place,
 * 0 for those that moved or are new; undefined when none moved, which is told at a glance.
 */
export function inPlace(partners: Int32Array): Uint8Array | undefined {
  if (isInOrder(partners)) return undefined;
  const paired: number[] = [];
  for (let to = 0; to < partners.length; to++) if (partners[to]! >= 0) paired.push(to);
  const stayed = new Uint8Array(partners.length);
  for (const index of longestIncreasing(paired.map((to) => partners[to]!))) stayed[paired[index]!] = 1;
  return stayed;
}

function isInOrder(partners: Int32Array): boolean {
  let last = -1;
  for (let to = 0; to < partners.length; to++) {
    const from = partners[to]!;
    if (from < 0) continue;
    if (from < last) return false;
    last = from;
  }
  return true;
}

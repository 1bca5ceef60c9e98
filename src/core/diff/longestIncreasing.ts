/**
 * The longest increasing subsequence by patience sorting: values are dealt onto piles, each on the leftmost
 * pile whose top is not smaller; every card remembers the top of the pile before, and reading back from the
 * last pile gives the answer. O(n log n). https://en.wikipedia.org/wiki/Patience_sorting
 */

/** Positions, ascending, of a longest strictly increasing subsequence of the values. */
export function longestIncreasing(values: ArrayLike<number>): Int32Array {
  const tops = new Int32Array(values.length);
  const previous = new Int32Array(values.length);
  let piles = 0;
  for (let index = 0; index < values.length; index++) {
    const pile = pileFor(values, tops, piles, values[index]!);
    previous[index] = pile === 0 ? -1 : tops[pile - 1]!;
    tops[pile] = index;
    if (pile === piles) piles++;
  }
  const result = new Int32Array(piles);
  for (
    let at = piles === 0 ? -1 : tops[piles - 1]!, pile = piles - 1;
    pile >= 0;
    at = previous[at]!, pile--
  ) {
    result[pile] = at;
  }
  return result;
}

/** The first pile whose top is not smaller than the value. */
function pileFor(values: ArrayLike<number>, tops: Int32Array, piles: number, value: number): number {
  // Most often values come in order and go onto a new pile.
  if (piles === 0 || values[tops[piles - 1]!]! < value) return piles;
  let low = 0;
  let high = piles - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[tops[middle]!]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

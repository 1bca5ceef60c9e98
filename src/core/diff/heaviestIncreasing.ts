/**
 * The strictly increasing subsequence of the greatest weight. For each value in turn: what is the heaviest chain
 * that ends below it? A tree of prefix maxima answers in logarithmic time, so O(n log n) in all.
 * Fenwick, A new data structure for cumulative frequency tables, https://doi.org/10.1002/spe.4380240306
 */

/** Positions, ascending. Values are integers from 0, weights above 0; of equal weights the earlier one is taken. */
export function heaviestIncreasing(values: readonly number[], weights: readonly number[]): number[] {
  const highest = values.reduce((most, value) => Math.max(most, value), -1);
  /** By value + 1: the position at which the heaviest chain of the values that this node stands for ends, or -1. */
  const tree = new Int32Array(highest + 2).fill(-1);
  const sums = new Float64Array(values.length);
  const previous = new Int32Array(values.length);
  let best = -1;
  for (let position = 0; position < values.length; position++) {
    const value = values[position]!;
    let below = -1;
    for (let node = value; node > 0; node -= node & -node) below = heavier(sums, below, tree[node]!);
    previous[position] = below;
    sums[position] = weights[position]! + (below < 0 ? 0 : sums[below]!);
    for (let node = value + 1; node < tree.length; node += node & -node)
      tree[node] = heavier(sums, tree[node]!, position);
    best = heavier(sums, best, position);
  }
  const chain: number[] = [];
  for (let at = best; at >= 0; at = previous[at]!) chain.push(at);
  return chain.reverse();
}

function heavier(sums: Float64Array, a: number, b: number): number {
  if (a < 0) return b;
  return b < 0 || sums[b]! <= sums[a]! ? a : b;
}

/**
 * Pairs of messages that are equal but for the ids of their calls: some agents give every call a new id each time
 * they send their history. Where the two lists share one id the ids are stable, and another id is another call.
 * Calls are often made with the same arguments, so those with equal results, too, come first.
 */
import { createContentClasses } from './contentClasses.ts';
import { type ForeignList, withoutCallIds } from './foreignMessage.ts';
import type { Pair, Unpaired } from './foreignPairs.ts';
import { type MatchOptions, matchSequences } from './matchSequences.ts';

/** Ways to pair the messages of a gap, the surer one first; none where the lists share a call or have none. */
export function renamedCalls(
  before: ForeignList,
  after: ForeignList,
  options: MatchOptions,
): ((gap: Unpaired) => Pair[])[] {
  const known = new Set(before.calls.flat());
  if (known.size === 0 || after.calls.some((ids) => ids.some((id) => known.has(id)))) return [];
  const numbers = createContentClasses();
  const bareOf = (list: ForeignList) =>
    list.calls.map((ids, index) =>
      ids.length === 0 ? -1 : numbers.numberOf(withoutCallIds(list.messages[index])),
    );
  const [old, now] = [bareOf(before), bareOf(after)];
  const blocks = new Map<number, number>();
  const blockOf = (list: ForeignList, bare: readonly number[]) =>
    bare.map((number, index) => {
      if (number < 0) return -1;
      const other = bare[list.isResult[index] ? index - 1 : index + 1] ?? -1;
      const key = number * (numbers.count + 1) + other + 1;
      if (!blocks.has(key)) blocks.set(key, blocks.size);
      return blocks.get(key)!;
    });
  const [oldBlocks, newBlocks] = [blockOf(before, old), blockOf(after, now)];
  return [
    (gap) => pairsOf(gap, oldBlocks, newBlocks, blocks.size, options),
    (gap) => pairsOf(gap, old, now, numbers.count, options),
  ];
}

function pairsOf(
  gap: Unpaired,
  old: readonly number[],
  now: readonly number[],
  classes: number,
  options: MatchOptions,
): Pair[] {
  const from = gap.from.filter((index) => old[index]! >= 0);
  const to = gap.to.filter((index) => now[index]! >= 0);
  const items = (open: readonly number[], numbers: readonly number[]) =>
    Int32Array.from(open, (index) => numbers[index]!);
  const { partner } = matchSequences(items(from, old), items(to, now), classes, options);
  return from.flatMap((index, place) =>
    partner[place]! < 0 ? [] : { from: index, to: to[partner[place]!]!, by: 'content' as const },
  );
}

/**
 * Pairs of messages that say the same but for the ids of their calls: some agents give every call a new id each time
 * they send their history. Where the two lists share one id the ids are stable, and another id is another call.
 * Calls are often made with the same arguments, so those with equal results, too, come first.
 */
import { type ForeignList, roleOf, saidWithoutIds } from './foreignMessage.ts';
import type { Pair, Unpaired } from './foreignPairs.ts';
import { type MatchOptions, matchSequences } from './matchSequences.ts';

/**
 * Ways to pair the messages of a gap, the surer one first; none where the lists share a call or have none.
 * `partners` has for each new message the index of its old one, or -1.
 */
export function renamedCalls(
  before: ForeignList,
  after: ForeignList,
  partners: Int32Array,
  options: MatchOptions,
): ((gap: Unpaired) => Pair[])[] {
  if (!isRenamed(before, after, partners)) return [];
  const numbers = new Map<string, number>();
  const numberOf = (said: string) => {
    const known = numbers.get(said) ?? numbers.size;
    if (known === numbers.size) numbers.set(said, known);
    return known;
  };
  const bareOf = (list: ForeignList) =>
    list.messages.map((message, index) =>
      list.callsOf(index).length === 0 ? -1 : numberOf(saidWithoutIds(message)),
    );
  const [old, now] = [bareOf(before), bareOf(after)];
  const blocks = new Map<number, number>();
  const blockOf = (list: ForeignList, bare: readonly number[]) =>
    bare.map((number, index) => {
      if (number < 0) return -1;
      const isResult = roleOf(list.messages[index]) === 'tool';
      const other = bare[isResult ? index - 1 : index + 1] ?? -1;
      const key = number * (numbers.size + 1) + other + 1;
      if (!blocks.has(key)) blocks.set(key, blocks.size);
      return blocks.get(key)!;
    });
  const [oldBlocks, newBlocks] = [blockOf(before, old), blockOf(after, now)];
  return [
    (gap) => pairsOf(gap, oldBlocks, newBlocks, blocks.size, options),
    (gap) => pairsOf(gap, old, now, numbers.size, options),
  ];
}

function isRenamed(before: ForeignList, after: ForeignList, partners: Int32Array): boolean {
  // Most often a call among the first messages that were kept.
  if (partners.some((from) => from >= 0 && before.callsOf(from).length > 0)) return false;
  const known = new Set(before.messages.flatMap((_, index) => before.callsOf(index)));
  return (
    known.size > 0 && !after.messages.some((_, index) => after.callsOf(index).some((id) => known.has(id)))
  );
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

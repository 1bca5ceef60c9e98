/**
 * The difference of two lists whose items have ids, as the messages of our own runs have: nothing is compared
 * but ids, and an item's content only by its own name. Both lists are walked side by side; where they part, both
 * are read on in step until one meets what the other has passed. So beside one look at each id the cost is that
 * of the changes. What was passed on both sides under the same id has moved.
 * The walk is the one of Heckel, A technique for isolating differences between files,
 * https://dl.acm.org/doi/10.1145/359460.359467, for lists whose "lines" are all unique.
 */
import { type ListDiff, listSteps } from './listDiff.ts';

export interface Identity<Item> {
  readonly idOf: (item: Item) => unknown;
  /** Whether two items of the same id have the same content. */
  readonly isSame: (before: Item, after: Item) => boolean;
}

/** Exact whatever the lists hold; of an id that a list has several times, any may be the pair. */
export function idDiff<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { idOf, isSame }: Identity<Item>,
): ListDiff<Item> {
  const of = new Int32Array(after.length).fill(-1);
  const passedOld = new Map<unknown, number>();
  const passedNew: number[] = [];
  let from = 0;
  let to = 0;
  while (from < before.length || to < after.length) {
    if (from < before.length && to < after.length && idOf(before[from]!) === idOf(after[to]!)) {
      of[to++] = from++;
      continue;
    }
    const [fromEnd, toEnd] = meeting(before, after, idOf, from, to);
    for (; from < fromEnd; from++) passedOld.set(idOf(before[from]!), from);
    for (; to < toEnd; to++) passedNew.push(to);
  }
  for (const index of passedNew) {
    const id = idOf(after[index]!);
    const old = passedOld.get(id);
    if (old === undefined) continue;
    of[index] = old;
    passedOld.delete(id);
  }
  const isEdited = (index: number) => !isSame(before[of[index]!]!, after[index]!);
  return {
    steps: listSteps(after, before.length, { of, basisOf: () => 'identity', isEdited }),
    coarse: false,
  };
}

/** The nearest places ahead where both lists stand at the same id; their ends where there are none. */
function meeting<Item>(
  before: readonly Item[],
  after: readonly Item[],
  idOf: (item: Item) => unknown,
  from: number,
  to: number,
): readonly [from: number, to: number] {
  const seenOld = new Map<unknown, number>();
  const seenNew = new Map<unknown, number>();
  for (let step = 0; from + step < before.length || to + step < after.length; step++) {
    if (to + step < after.length) {
      const id = idOf(after[to + step]!);
      const known = seenOld.get(id);
      if (known !== undefined) return [known, to + step];
      if (!seenNew.has(id)) seenNew.set(id, to + step);
    }
    if (from + step < before.length) {
      const id = idOf(before[from + step]!);
      const known = seenNew.get(id);
      if (known !== undefined) return [from + step, known];
      if (!seenOld.has(id)) seenOld.set(id, from + step);
    }
  }
  return [before.length, after.length];
}

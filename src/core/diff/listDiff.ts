/**
 * A difference of two lists as steps in the order of the new one: what stays costs one step a run, so a
 * difference is as long as what changed. It holds the items it brings in and points at the ones it keeps, so
 * that the old list and the difference give the new list (`applyListDiff`): an edit script, with moves.
 * Tichy, The String-to-String Correction Problem with Block Moves, https://dl.acm.org/doi/10.1145/357401.357404
 */
import { inPlace } from './inPlace.ts';
import { mergedRuns } from './mergedOrder.ts';

/**
 * What an old and a new item were taken for the same by: it is the very same (object or id), its content is
 * equal (an edited one says the same but for the ids of its calls), it belongs to the same call, its text is similar, or
 * it stands in the same place with the same role.
 */
export type Basis = 'identity' | 'content' | 'call' | 'similar' | 'position';

/** `from` and `to` are indexes into the old and the new list. */
export type ListStep<Item> =
  | {
      readonly kind: 'kept';
      readonly from: number;
      readonly to: number;
      readonly count: number;
      readonly by: Basis;
    }
  /** The same one with another content. */
  | {
      readonly kind: 'edited';
      readonly from: number;
      readonly to: number;
      readonly by: Basis;
      readonly item: Item;
    }
  /** The same one elsewhere; `item` where its content is another, too. */
  | {
      readonly kind: 'moved';
      readonly from: number;
      readonly to: number;
      readonly by: Basis;
      readonly item?: Item;
    }
  | { readonly kind: 'removed'; readonly from: number; readonly count: number }
  | { readonly kind: 'added'; readonly to: number; readonly items: readonly Item[] };

export interface ListDiff<Item> {
  readonly steps: readonly ListStep<Item>[];
  /** The lists were too different to be searched in full: equal items may count as moved, or as another. */
  readonly coarse: boolean;
}

/** The new list, from the old one and the difference. */
export function applyListDiff<Item>(old: readonly Item[], diff: ListDiff<Item>): Item[] {
  const result: Item[] = [];
  for (const step of diff.steps) {
    switch (step.kind) {
      case 'kept':
        for (let index = step.from; index < step.from + step.count; index++) result.push(old[index]!);
        break;
      case 'edited':
        result.push(step.item);
        break;
      case 'moved':
        result.push(step.item ?? old[step.from]!);
        break;
      case 'added':
        for (const item of step.items) result.push(item);
        break;
      case 'removed':
    }
  }
  return result;
}

/** What is known of each new item: the index of its old one, or -1, and of those with one what decided it. */
export interface Partners {
  readonly of: Int32Array;
  readonly basisOf: (to: number) => Basis;
  /** The content is another. */
  readonly isEdited: (to: number) => boolean;
}

/** The steps for partners in any order; of those that cross, the fewest count as moved. */
export function listSteps<Item>(
  now: readonly Item[],
  oldCount: number,
  partners: Partners,
): ListStep<Item>[] {
  const stayed = inPlace(partners.of);
  const steps: ListStep<Item>[] = [];
  mergedRuns(oldCount, partners.of, (from, to, count) => {
    if (to === undefined) steps.push({ kind: 'removed', from: from!, count });
    else if (from === undefined) steps.push({ kind: 'added', to, items: now.slice(to, to + count) });
    else addPaired(steps, now, partners, stayed, from, to, count);
  });
  return steps;
}

/** Pairs in a row: those of one basis that stayed as they are make one step, each other one its own. */
function addPaired<Item>(
  steps: ListStep<Item>[],
  now: readonly Item[],
  { basisOf, isEdited }: Partners,
  stayed: Uint8Array | undefined,
  from: number,
  to: number,
  count: number,
): void {
  const isKept = (index: number) => (!stayed || stayed[to + index] === 1) && !isEdited(to + index);
  for (let index = 0; index < count;) {
    const by = basisOf(to + index);
    const places = { from: from + index, to: to + index, by };
    const item = now[to + index]!;
    if (isKept(index)) {
      let end = index + 1;
      while (end < count && basisOf(to + end) === by && isKept(end)) end++;
      steps.push({ kind: 'kept', from: places.from, to: places.to, count: end - index, by });
      index = end;
      continue;
    }
    if (!stayed || stayed[to + index] === 1) steps.push({ kind: 'edited', ...places, item });
    else steps.push({ kind: 'moved', ...places, ...(isEdited(to + index) ? { item } : {}) });
    index++;
  }
}

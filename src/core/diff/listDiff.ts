/**
 * A difference of two lists as steps in the order of the new one: what stays costs one step a run, so a
 * difference is as long as what changed. It holds the items it brings in and points at the ones it keeps, so
 * that the old list and the difference give the new list (`applyListDiff`): an edit script, with moves.
 * Tichy, The String-to-String Correction Problem with Block Moves, https://dl.acm.org/doi/10.1145/357401.357404
 */
import { longestIncreasing } from './longestIncreasing.ts';
import { mergedOrder } from './mergedOrder.ts';

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
  const inPlace = inPlaceOnly(partners.of);
  const steps: ListStep<Item>[] = [];
  mergedOrder(oldCount, partners.of, (from, to) => {
    if (to === undefined) addRemoved(steps, from!);
    else if (from === undefined) addAdded(steps, to, now[to]!);
    else {
      const by = partners.basisOf(to);
      const isEdited = partners.isEdited(to);
      if (inPlace && !inPlace[to])
        steps.push({ kind: 'moved', from, to, by, ...(isEdited ? { item: now[to]! } : {}) });
      else if (isEdited) steps.push({ kind: 'edited', from, to, by, item: now[to]! });
      else addKept(steps, from, to, by);
    }
  });
  return steps;
}

/** 1 for each new item whose partners are in order among themselves; undefined when all are. */
function inPlaceOnly(of: Int32Array): Uint8Array | undefined {
  if (isInOrder(of)) return undefined;
  const paired: number[] = [];
  for (let to = 0; to < of.length; to++) if (of[to]! >= 0) paired.push(to);
  const inPlace = new Uint8Array(of.length);
  for (const index of longestIncreasing(paired.map((to) => of[to]!))) inPlace[paired[index]!] = 1;
  return inPlace;
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

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function addRemoved<Item>(steps: ListStep<Item>[], from: number): void {
  const last = steps.at(-1);
  if (last?.kind === 'removed' && last.from + last.count === from) (last as Mutable<typeof last>).count++;
  else steps.push({ kind: 'removed', from, count: 1 });
}

function addAdded<Item>(steps: ListStep<Item>[], to: number, item: Item): void {
  const last = steps.at(-1);
  if (last?.kind === 'added') (last.items as Item[]).push(item);
  else steps.push({ kind: 'added', to, items: [item] });
}

function addKept<Item>(steps: ListStep<Item>[], from: number, to: number, by: Basis): void {
  const last = steps.at(-1);
  const isNext =
    last?.kind === 'kept' && last.by === by && last.from + last.count === from && last.to + last.count === to;
  if (isNext) (last as Mutable<typeof last>).count++;
  else steps.push({ kind: 'kept', from, to, count: 1, by });
}

/**
 * Which elements of two JSON arrays belong together: equal ones in order first; in each gap between them, as
 * many old as new ones are pairs by place, else objects that agree in half of their members: no key is asked to
 * be an id, as https://github.com/benjamine/jsondiffpatch/blob/master/docs/arrays.md would have it.
 */
import type { Effort } from './matchShortest.ts';
import type { JsonClasses } from './jsonClasses.ts';
import type { JsonNode } from './jsonText.ts';
import { matchSequences } from './matchSequences.ts';

export interface ItemPairs {
  /** For each new element the index of its old one, or -1; ascending where it is not -1. */
  readonly ofNew: Int32Array;
  readonly coarse: boolean;
}

interface Shared {
  readonly classes: JsonClasses;
  readonly budget: Effort;
}

const maxEdits = 500;
/** Pairs of elements that are looked at for likeness in one gap. */
const mostLooks = 400;

export function pairItems(shared: Shared, from: JsonNode, to: JsonNode): ItemPairs {
  const [old, now] = [valueNumbers(from), valueNumbers(to)];
  const options = { run: 1, maxEdits, effort: shared.budget };
  const { partner, coarse } = matchSequences(old, now, shared.classes.count, options);
  const ofNew = new Int32Array(now.length).fill(-1);
  partner.forEach((place, index) => {
    if (place >= 0) ofNew[place] = index;
  });
  const isWhole = pairGaps(shared, from, to, partner, ofNew);
  return { ofNew, coarse: coarse || !isWhole || shared.budget.steps < 0 };
}

function valueNumbers({ parts }: JsonNode): Int32Array {
  const numbers = new Int32Array(parts.length);
  for (let index = 0; index < parts.length; index++) numbers[index] = parts[index]!.valueNumber;
  return numbers;
}

/** Walks the gaps between the pairs that were found; whether all of them were looked at. */
function pairGaps(
  shared: Shared,
  from: JsonNode,
  to: JsonNode,
  ofOld: Int32Array,
  ofNew: Int32Array,
): boolean {
  let isWhole = true;
  for (let old = 0, now = 0; old < ofOld.length || now < ofNew.length; old++, now++) {
    const [start, first] = [old, now];
    while (old < ofOld.length && ofOld[old]! < 0) old++;
    while (now < ofNew.length && ofNew[now]! < 0) now++;
    if (!pairGap(shared, from, to, ofNew, { start, end: old }, { start: first, end: now })) isWhole = false;
  }
  return isWhole;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function pairGap(
  shared: Shared,
  from: JsonNode,
  to: JsonNode,
  ofNew: Int32Array,
  old: Stretch,
  now: Stretch,
): boolean {
  const [oldCount, newCount] = [old.end - old.start, now.end - now.start];
  if (oldCount === newCount) {
    for (let index = 0; index < oldCount; index++) ofNew[now.start + index] = old.start + index;
    return true;
  }
  if (oldCount * newCount > mostLooks) return !hasObject(from, old) || !hasObject(to, now);
  let next = old.start;
  for (let index = now.start; index < now.end; index++) {
    for (let candidate = next; candidate < old.end; candidate++) {
      if (!areAlike(shared, from.parts[candidate]!, to.parts[index]!)) continue;
      ofNew[index] = candidate;
      next = candidate + 1;
      break;
    }
  }
  return true;
}

/** Only objects can be alike without being equal. */
function hasObject(array: JsonNode, { start, end }: Stretch): boolean {
  for (let index = start; index < end; index++) if (array.parts[index]!.kind === 'object') return true;
  return false;
}

/** Objects that agree in at least half of the members of the larger one. */
function areAlike(shared: Shared, from: JsonNode, to: JsonNode): boolean {
  if (from.kind !== 'object' || to.kind !== 'object' || shared.budget.steps < 0) return false;
  shared.budget.steps -= 4 * (from.parts.length + to.parts.length);
  const values = new Map(from.parts.map(({ key, valueNumber }) => [key, valueNumber]));
  const agreeing = to.parts.filter(({ key, valueNumber }) => values.get(key) === valueNumber);
  return agreeing.length * 2 >= Math.max(from.parts.length, to.parts.length) && agreeing.length > 0;
}

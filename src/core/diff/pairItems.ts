/**
 * Which elements of two JSON arrays belong together: equal ones in order first; in each gap between them, as
 * many old as new ones are pairs by place, else objects that agree in half of their members: no key is asked to
 * be an id, as https://github.com/benjamine/jsondiffpatch/blob/master/docs/arrays.md would have it.
 */
import type { Effort } from './matchShortest.ts';
import type { JsonClasses } from './jsonClasses.ts';
import type { JsonArray, JsonNode } from './jsonText.ts';
import { matchSequences } from './matchSequences.ts';

export interface ItemPairs {
  /** For each new element the index of its old one, or -1; ascending where it is not -1. */
  readonly ofNew: Int32Array;
  readonly coarse: boolean;
}

interface Texts {
  readonly before: string;
  readonly after: string;
  readonly classes: JsonClasses;
  readonly budget: Effort;
}

const maxEdits = 500;
/** Pairs of elements that are looked at for likeness in one gap. */
const mostLooks = 400;

export function pairItems(texts: Texts, from: JsonArray, to: JsonArray): ItemPairs {
  const numbers = (text: string, array: JsonArray) =>
    Int32Array.from(array.items, (item) => texts.classes.numberOf(text, item));
  const [old, now] = [numbers(texts.before, from), numbers(texts.after, to)];
  const options = { run: 1, maxEdits, effort: texts.budget };
  const { partner, coarse } = matchSequences(old, now, texts.classes.count, options);
  const ofNew = new Int32Array(now.length).fill(-1);
  partner.forEach((place, index) => {
    if (place >= 0) ofNew[place] = index;
  });
  const isWhole = pairGaps(texts, from, to, partner, ofNew);
  return { ofNew, coarse: coarse || !isWhole || texts.budget.steps < 0 };
}

/** Walks the gaps between the pairs that were found; whether all of them were looked at. */
function pairGaps(
  texts: Texts,
  from: JsonArray,
  to: JsonArray,
  ofOld: Int32Array,
  ofNew: Int32Array,
): boolean {
  let isWhole = true;
  for (let old = 0, now = 0; old < ofOld.length || now < ofNew.length; old++, now++) {
    const [start, first] = [old, now];
    while (old < ofOld.length && ofOld[old]! < 0) old++;
    while (now < ofNew.length && ofNew[now]! < 0) now++;
    if (!pairGap(texts, from, to, ofNew, { start, end: old }, { start: first, end: now })) isWhole = false;
  }
  return isWhole;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function pairGap(
  texts: Texts,
  from: JsonArray,
  to: JsonArray,
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
      if (!areAlike(texts, from.items[candidate]!, to.items[index]!)) continue;
      ofNew[index] = candidate;
      next = candidate + 1;
      break;
    }
  }
  return true;
}

/** Only objects can be alike without being equal. */
function hasObject(array: JsonArray, { start, end }: Stretch): boolean {
  for (let index = start; index < end; index++) if (array.items[index]!.kind === 'object') return true;
  return false;
}

/** Objects that agree in at least half of the members of the larger one. */
function areAlike(texts: Texts, from: JsonNode, to: JsonNode): boolean {
  if (from.kind !== 'object' || to.kind !== 'object' || texts.budget.steps < 0) return false;
  texts.budget.steps -= 4 * (from.members.length + to.members.length);
  const values = new Map(
    from.members.map(({ key, value }) => [key, texts.classes.numberOf(texts.before, value)]),
  );
  const agreeing = to.members.filter(
    ({ key, value }) => values.get(key) === texts.classes.numberOf(texts.after, value),
  );
  return agreeing.length * 2 >= Math.max(from.members.length, to.members.length) && agreeing.length > 0;
}

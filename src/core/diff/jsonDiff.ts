/**
 * Differences of two JSON texts by what they mean: objects by key, whatever the order; arrays by equal elements
 * (`matchSequences.ts`); strings by words. What is shown is the new text as it stands, with what went quoted
 * from the old one where it stood, so nothing is re-rendered. Reading `same` and `removed` gives JSON of the
 * old value (its keys maybe in another order), reading `same` and `added` gives the new text to the letter.
 * What equal means is that of https://www.rfc-editor.org/rfc/rfc8259: members have no order, elements have one.
 */
import { type DiffPiece, push } from './pieces.ts';
import { createJsonClasses, type JsonClasses, scalarName } from './jsonClasses.ts';
import { type JsonArray, type JsonNode, type JsonObject, readJsonText } from './jsonText.ts';
import { mergedOrder } from './mergedOrder.ts';
import { pairItems } from './pairItems.ts';
import { createWordBudget, type WordBudget, wordDiff, type WordDiff } from './wordDiff.ts';

/** What is compared by key, of both texts: UTF-16 units, values with their keys. */
const [mostUnits, mostValues] = [1_000_000, 60_000];

/** Undefined when one of the texts is not a JSON object or array; `too large` when they are too much to be read as such. */
export function jsonDiff(
  before: string,
  after: string,
  budget = createWordBudget(),
): WordDiff | 'too large' | undefined {
  if (!looksLikeJson(before) || !looksLikeJson(after)) return undefined;
  if (before.length + after.length > mostUnits) return 'too large';
  const limit = { values: mostValues };
  const from = readJsonText(before, limit);
  const to = from && readJsonText(after, limit);
  if (!from || !to) return limit.values < 0 ? 'too large' : undefined;
  const work: Work = {
    before,
    after,
    pieces: [],
    classes: createJsonClasses(),
    budget,
    coarse: false,
  };
  push(work.pieces, 'same', after.slice(0, to.start));
  compareValues(work, from, to);
  push(work.pieces, 'same', after.slice(to.end));
  return { pieces: work.pieces, coarse: work.coarse };
}

const looksLikeJson = (text: string) => /^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text.slice(-100));

interface Work {
  readonly before: string;
  readonly after: string;
  readonly pieces: DiffPiece[];
  readonly classes: JsonClasses;
  readonly budget: WordBudget;
  coarse: boolean;
}

const oldText = (work: Work, { start, end }: { start: number; end: number }) => work.before.slice(start, end);
const newText = (work: Work, { start, end }: { start: number; end: number }) => work.after.slice(start, end);

/** Steps of a budget that a pair of values takes that are not the same text, a member of it, and a pair of strings. */
const [valueSteps, memberSteps, stringSteps] = [60, 30, 1_000];

function compareValues(work: Work, from: JsonNode, to: JsonNode): void {
  const [old, now] = [oldText(work, from), newText(work, to)];
  if (old === now) push(work.pieces, 'same', now);
  else if (!canAfford(work, from, to)) {
    work.coarse = true;
    replace(work, old, now);
  } else if (from.kind === 'object' && to.kind === 'object') compareObjects(work, from, to);
  else if (from.kind === 'array' && to.kind === 'array') compareArrays(work, from, to);
  else if (from.kind === 'string' && to.kind === 'string') compareStrings(work, old, now);
  else if (isSameScalar(from, to, old, now)) push(work.pieces, 'same', now);
  else replace(work, old, now);
}

function replace(work: Work, old: string, now: string): void {
  push(work.pieces, 'removed', old);
  push(work.pieces, 'added', now);
}

/** Charges a pair before it is looked into: thousands of small ones cost as much as a few that are very different. */
function canAfford({ budget }: Work, from: JsonNode, to: JsonNode): boolean {
  if (budget.steps < 0) return false;
  budget.steps -= valueSteps;
  if (from.kind === 'string' && to.kind === 'string') budget.steps -= stringSteps;
  if (from.kind === 'object' && to.kind === 'object')
    budget.steps -= memberSteps * (from.members.length + to.members.length);
  return true;
}

function isSameScalar(from: JsonNode, to: JsonNode, old: string, now: string): boolean {
  if (from.kind !== 'number' || to.kind !== 'number') return false;
  return scalarName(old, 'number') === scalarName(now, 'number');
}

function compareObjects(work: Work, from: JsonObject, to: JsonObject): void {
  const places = new Map(from.members.map((member, index) => [member.key, index]));
  const partners = to.members.map((member) => places.get(member.key) ?? -1);
  const side = (object: JsonObject) => ({
    ...object,
    parts: object.members.map(({ start, value }) => ({ start, end: value.end, value })),
  });
  writeEntries(work, side(from), side(to), partners);
}

function compareArrays(work: Work, from: JsonArray, to: JsonArray): void {
  const partners = pairItems(work, from, to);
  if (partners.coarse) work.coarse = true;
  const side = (array: JsonArray) => ({
    ...array,
    parts: array.items.map((value) => ({ start: value.start, end: value.end, value })),
  });
  writeEntries(work, side(from), side(to), partners.ofNew);
}

interface Side {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly { readonly start: number; readonly end: number; readonly value: JsonNode }[];
}

/** Writes brackets, separators and entries, so that each reading has the commas it needs. */
function writeEntries(work: Work, from: Side, to: Side, partners: ArrayLike<number>): void {
  const { pieces } = work;
  push(pieces, 'same', work.after.slice(to.start, to.start + 1));
  let oldBegun = false;
  mergedOrder(from.parts.length, partners, (old, now) => {
    if (now === undefined) {
      const lead = leadOf(work.before, from, old!).replace(',', '');
      push(pieces, 'removed', `${oldBegun ? ',' : ''}${lead}${oldText(work, from.parts[old!]!)}`);
      oldBegun = true;
      return;
    }
    const part = to.parts[now]!;
    const lead = leadOf(work.after, to, now);
    if (old === undefined) {
      push(pieces, 'added', lead + newText(work, part));
      return;
    }
    const newBegun = now > 0;
    if (oldBegun && !newBegun) push(pieces, 'removed', ',');
    push(pieces, newBegun && !oldBegun ? 'added' : 'same', lead);
    push(pieces, 'same', work.after.slice(part.start, part.value.start));
    compareValues(work, from.parts[old]!.value, part.value);
    oldBegun = true;
  });
  push(pieces, 'same', work.after.slice(to.parts.at(-1)?.end ?? to.start + 1, to.end));
}

/** What stands before a part: its comma, unless it is the first, and space. */
function leadOf(text: string, side: Side, index: number): string {
  return text.slice(side.parts[index - 1]?.end ?? side.start + 1, side.parts[index]!.start);
}

/** By the words that the strings say; shown as they are written, and no escape is cut. */
function compareStrings(work: Work, old: string, now: string): void {
  const diff = wordDiff(JSON.parse(old) as string, JSON.parse(now) as string, work.budget);
  if (diff.coarse) work.coarse = true;
  push(work.pieces, 'same', '"');
  let oldAt = 1;
  let newAt = 1;
  for (const { kind, text } of diff.pieces) {
    const oldEnd = kind === 'added' ? oldAt : writtenEnd(old, oldAt, text.length);
    const newEnd = kind === 'removed' ? newAt : writtenEnd(now, newAt, text.length);
    push(work.pieces, kind, kind === 'removed' ? old.slice(oldAt, oldEnd) : now.slice(newAt, newEnd));
    oldAt = oldEnd;
    newAt = newEnd;
  }
  push(work.pieces, 'same', '"');
}

/** Where so many UTF-16 units of a string end as they are written, escapes and all. */
function writtenEnd(literal: string, start: number, units: number): number {
  let at = start;
  for (let count = 0; count < units; count++) {
    if (literal[at] !== '\\') at++;
    else at += literal[at + 1] === 'u' ? 6 : 2;
  }
  return at;
}

/**
 * Differences of two JSON texts by what they mean: objects by key, whatever the order; arrays by equal elements
 * (`matchSequences.ts`); strings by words. What is shown is the new text as it stands, with what went quoted
 * from the old one where it stood, so nothing is re-rendered. Reading `same` and `removed` gives JSON of the
 * old value (its keys maybe in another order), reading `same` and `added` gives the new text to the letter.
 * What equal means is that of https://www.rfc-editor.org/rfc/rfc8259: members have no order, elements have one.
 */
import { type DiffPiece, push } from './pieces.ts';
import { createJsonClasses, type JsonClasses } from './jsonClasses.ts';
import { type JsonNode, readJsonText } from './jsonText.ts';
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
  const classes = createJsonClasses();
  const reading = { values: mostValues, classes };
  const from = readJsonText(before, reading);
  const to = from && readJsonText(after, reading);
  if (!from || !to) return reading.values < 0 ? 'too large' : undefined;
  const places = new Int32Array(classes.keyCount).fill(-1);
  const work: Work = { before, after, pieces: [], classes, places, budget, coarse: false };
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
  /** By the number of a key, its place among the members that are just looked at; else -1. */
  readonly places: Int32Array;
  readonly budget: WordBudget;
  coarse: boolean;
}

const oldText = (work: Work, { start, end }: { start: number; end: number }) => work.before.slice(start, end);
const newText = (work: Work, { start, end }: { start: number; end: number }) => work.after.slice(start, end);

/** Steps of a budget that a pair of values takes that are not the same text, a member of it, and a pair of strings. */
const [valueSteps, memberSteps, stringSteps] = [60, 30, 1_000];

function compareValues(work: Work, from: JsonNode, to: JsonNode): void {
  const now = newText(work, to);
  if (from.valueNumber === to.valueNumber) return push(work.pieces, 'same', now);
  const old = oldText(work, from);
  if (!canAfford(work, from, to)) {
    work.coarse = true;
    replace(work, old, now);
  } else if (from.kind === 'object' && to.kind === 'object') compareObjects(work, from, to);
  else if (from.kind === 'array' && to.kind === 'array') compareArrays(work, from, to);
  else if (from.kind === 'string' && to.kind === 'string') compareStrings(work, old, now);
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
    budget.steps -= memberSteps * (from.parts.length + to.parts.length);
  return true;
}

function compareObjects(work: Work, from: JsonNode, to: JsonNode): void {
  const { places } = work;
  from.parts.forEach(({ key }, index) => (places[key] = index));
  const partners = to.parts.map(({ key }) => places[key]!);
  for (const { key } of from.parts) places[key] = -1;
  writeParts(work, from, to, partners);
}

function compareArrays(work: Work, from: JsonNode, to: JsonNode): void {
  const partners = pairItems(work, from, to);
  if (partners.coarse) work.coarse = true;
  writeParts(work, from, to, partners.ofNew);
}

/** Writes brackets, separators and parts, so that each reading has the commas it needs. */
function writeParts(work: Work, from: JsonNode, to: JsonNode, partners: ArrayLike<number>): void {
  const { before, after, pieces } = work;
  push(pieces, 'same', after.slice(to.start, to.start + 1));
  let oldBegun = false;
  mergedOrder(from.parts.length, partners, (old, now) => {
    if (now === undefined) {
      const lead = leadOf(before, from, old!).replace(',', '');
      push(pieces, 'removed', `${oldBegun ? ',' : ''}${lead}${partOf(before, from, old!)}`);
      oldBegun = true;
      return;
    }
    const lead = leadOf(after, to, now);
    if (old === undefined) {
      push(pieces, 'added', lead + partOf(after, to, now));
      return;
    }
    const newBegun = now > 0;
    if (oldBegun && !newBegun) push(pieces, 'removed', ',');
    push(pieces, newBegun && !oldBegun ? 'added' : 'same', lead);
    const part = to.parts[now]!;
    push(pieces, 'same', after.slice(part.partStart, part.start));
    compareValues(work, from.parts[old]!, part);
    oldBegun = true;
  });
  push(pieces, 'same', after.slice(to.parts.at(-1)?.end ?? to.start + 1, to.end));
}

/** A part with its key. */
function partOf(text: string, { parts }: JsonNode, index: number): string {
  return text.slice(parts[index]!.partStart, parts[index]!.end);
}

/** What stands before a part: its comma, unless it is the first, and space. */
function leadOf(text: string, { start, parts }: JsonNode, index: number): string {
  return text.slice(parts[index - 1]?.end ?? start + 1, parts[index]!.partStart);
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

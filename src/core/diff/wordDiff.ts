/**
 * Differences of two texts by words, for reading inline. Scripts without spaces go by character; what a reader
 * sees as one character is never cut (`words.ts`). What both ends share is set aside first, large texts are
 * tied together by chunks (`textChunks.ts`), and what lies between is compared word by word
 * (`matchSequences.ts`). Work is counted, not timed: text that is too large or too different is marked as
 * replaced, and the answer says that it is coarse. Words and not lines, as `git diff --word-diff` has them: what
 * changed in a message is often one word of a long line. https://git-scm.com/docs/git-diff
 */
import type { Effort } from './matchShortest.ts';
import { createSameSpans, type DiffPiece, piecesOf, type SameSpans, type SpanEnds } from './pieces.ts';
import { matchSequences } from './matchSequences.ts';
import { sameChunks } from './textChunks.ts';
import { createNumbering, isSureCut, wordNumbers } from './words.ts';

export interface WordDiff {
  /** `same` and `removed` in order are the old text, `same` and `added` the new one. */
  readonly pieces: readonly DiffPiece[];
  /** A part was too large or too different to compare by words: it counts as replaced. */
  readonly coarse: boolean;
}

/** UTF-16 units of both texts from which on they are first compared by chunks, and those that are at all. */
const fewForChunks = 8_000;
const mostForChunks = 2_500_000;
/** UTF-16 units of both texts that are compared by words, all stretches together. */
const mostForWords = 400_000;
const maxSteps = 1_500_000;
/** UTF-16 units that are read for chunks in the time of a step. */
const unitsPerStep = 2;
/** Steps that a piece of text takes which is not plain. */
const patternSteps = 8;
/** Edits that one stretch is searched for, and words in a row that tie two stretches together. */
const maxEdits = 500;
const anchorWords = 6;

/** What may still be done, in all comparisons that share it. */
export interface WordBudget extends Effort {
  /** UTF-16 units that may be read word by word. */
  units: number;
}

export function createWordBudget(): WordBudget {
  return { steps: maxSteps, units: mostForWords };
}

/** One comparison: its texts and what was found. */
interface Comparison {
  readonly before: string;
  readonly after: string;
  readonly spans: SameSpans;
  readonly budget: WordBudget;
  coarse: boolean;
}

/**
 * Never throws; bounded, 100 ms being far for any input. Many comparisons that are one for the reader share a
 * budget, which bounds them all together.
 */
export function wordDiff(before: string, after: string, budget = createWordBudget()): WordDiff {
  if (before === after)
    return { pieces: before === '' ? [] : [{ kind: 'same', text: before }], coarse: false };
  const comparison = { before, after, spans: createSameSpans(), budget, coarse: false };
  const ends = { fromStart: 0, fromEnd: before.length, toStart: 0, toEnd: after.length };
  compareEnds(comparison, ends, compareInner);
  return { pieces: piecesOf(before, after, comparison.spans.list), coarse: comparison.coarse };
}

type Compare = (comparison: Comparison, ends: SpanEnds) => void;

/** Sets the common ends of two stretches aside and compares what lies between. */
function compareEnds(comparison: Comparison, ends: SpanEnds, between: Compare): void {
  const { before, after, spans } = comparison;
  const start = commonStart(before, after, ends);
  const [fromStart, toStart] = [ends.fromStart + start, ends.toStart + start];
  const end = commonEnd(before, after, { ...ends, fromStart, toStart });
  const [fromEnd, toEnd] = [ends.fromEnd - end, ends.toEnd - end];
  spans.add(ends.fromStart, ends.toStart, start);
  if (fromStart < fromEnd && toStart < toEnd) between(comparison, { fromStart, fromEnd, toStart, toEnd });
  spans.add(fromEnd, toEnd, end);
}

function commonStart(before: string, after: string, ends: SpanEnds): number {
  const { fromStart, toStart } = ends;
  const most = Math.min(ends.fromEnd - fromStart, ends.toEnd - toStart);
  let length = 0;
  while (length < most && before.charCodeAt(fromStart + length) === after.charCodeAt(toStart + length))
    length++;
  const isCut = () => isSureCut(before, fromStart + length) && isSureCut(after, toStart + length);
  while (length > 0 && !isCut()) length--;
  return length;
}

function commonEnd(before: string, after: string, ends: SpanEnds): number {
  const { fromEnd, toEnd } = ends;
  const most = Math.min(fromEnd - ends.fromStart, toEnd - ends.toStart);
  let length = 0;
  while (length < most && before.charCodeAt(fromEnd - 1 - length) === after.charCodeAt(toEnd - 1 - length))
    length++;
  const isCut = () => isSureCut(before, fromEnd - length) && isSureCut(after, toEnd - length);
  while (length > 0 && !isCut()) length--;
  return length;
}

function sizeOf(ends: SpanEnds): number {
  return ends.fromEnd - ends.fromStart + ends.toEnd - ends.toStart;
}

function compareInner(comparison: Comparison, ends: SpanEnds): void {
  const size = sizeOf(ends);
  const { before, after, spans } = comparison;
  const isChunked = size >= fewForChunks && size <= mostForChunks;
  if (isChunked) comparison.budget.steps -= size / unitsPerStep;
  const tied = isChunked ? sameChunks(before, after, ends) : [];
  let { fromStart, toStart } = ends;
  for (const { from, to, length } of tied) {
    if (from > fromStart && to > toStart)
      compareEnds(comparison, { fromStart, fromEnd: from, toStart, toEnd: to }, compareWords);
    spans.add(from, to, length);
    fromStart = from + length;
    toStart = to + length;
  }
  compareEnds(comparison, { ...ends, fromStart, toStart }, compareWords);
}

function compareWords(comparison: Comparison, ends: SpanEnds): void {
  comparison.budget.units -= sizeOf(ends);
  if (comparison.budget.units < 0) {
    comparison.coarse = true;
    return;
  }
  const numbering = createNumbering();
  const old = wordNumbers(comparison.before, ends.fromStart, ends.fromEnd, numbering);
  const now = wordNumbers(comparison.after, ends.toStart, ends.toEnd, numbering);
  comparison.budget.steps -= patternSteps * numbering.byPattern;
  const options = { run: anchorWords, maxEdits, effort: comparison.budget };
  const { partner, coarse } = matchSequences(old.items, now.items, numbering.count, options);
  if (coarse) comparison.coarse = true;
  for (let index = 0; index < partner.length; index++) {
    if (partner[index]! < 0) continue;
    const from = old.starts[index]!;
    comparison.spans.add(from, now.starts[partner[index]!]!, old.starts[index + 1]! - from);
  }
}

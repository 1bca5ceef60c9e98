export interface CapParts {
  readonly head: string;
  /** Says what is left out. */
  readonly gap: string;
  readonly tail: string;
}

/**
 * Shortens a text to `limit` characters (code points): head and tail stay, and the gap says what is left
 * out. Never cuts inside a surrogate pair, and inside a grapheme (flag, family, accent) only when one is
 * longer than the window that is looked at. The result is well-formed Unicode.
 */
export function capText(text: string, limit: number): string {
  const { head, gap, tail } = capParts(text, limit);
  return head + gap + tail;
}

/** The same in its parts; `gap` and `tail` are empty when nothing is left out. */
export function capParts(text: string, limit: number): CapParts {
  const whole = text.toWellFormed();
  // A code point is at most two units: most texts need no counting.
  if (whole.length <= limit) return { head: whole, gap: '', tail: '' };
  const total = countCodePoints(whole);
  if (total <= limit) return { head: whole, gap: '', tail: '' };
  return capEnds({ first: whole, last: whole, total }, limit);
}

/** A text of which the two ends are there. */
export interface TextEnds {
  readonly first: string;
  readonly last: string;
  /** Characters of the whole; unknown where the text was too short to say it. */
  readonly total: number | undefined;
}

/** Shortens what was shortened before: there is one gap, and it says what is left out of the whole. */
export function capEnds({ first, last, total }: TextEnds, limit: number): CapParts {
  if (total === undefined) return barely(first, limit);
  const room = limit - gapWords(total, total).length;
  if (room < 2) return barely(first, limit);
  const head = first.slice(0, boundaryBefore(first, indexOfCodePoint(first, Math.ceil((room * 2) / 3))));
  const tail = last.slice(boundaryAfter(last, indexFromEnd(last, Math.floor(room / 3))));
  const left = total - countCodePoints(head) - countCodePoints(tail);
  return { head, gap: gapWords(left, total), tail };
}

/** The ends of a shortened text, by the number of characters before its gap; undefined when no gap is there. */
export function endsAt(text: string, before: number): TextEnds | undefined {
  const at = indexOfCodePoint(text, before);
  const first = text.slice(0, at);
  const rest = text.slice(at);
  if (rest === '…') return { first, last: '', total: undefined };
  const [gap, total] = gapPattern.exec(rest) ?? [];
  if (gap === undefined) return undefined;
  return { first, last: rest.slice(gap.length), total: Number(total?.replaceAll(',', '')) };
}

const gapPattern = /^… \[[\d,]+ of ([\d,]+) characters left out\] …/;

/** The head of a text, at most `limit` code points, with `…` for the rest. */
function barely(text: string, limit: number): CapParts {
  if (limit <= 0) return { head: '', gap: '', tail: '' };
  const head = text.slice(0, boundaryBefore(text, indexOfCodePoint(text, limit - 1)));
  return { head, gap: '…', tail: '' };
}

function gapWords(left: number, total: number): string {
  const [some, all] = [left, total].map((count) => count.toLocaleString('en-US'));
  return `… [${some} of ${all} characters left out] …`;
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    count++;
    if (startsPair(text, i)) i++;
  }
  return count;
}

/** Only for well-formed text: a high surrogate is always followed by a low one. */
function startsPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function indexOfCodePoint(text: string, count: number): number {
  let index = 0;
  for (let n = 0; n < count && index < text.length; n++) index += startsPair(text, index) ? 2 : 1;
  return index;
}

function indexFromEnd(text: string, count: number): number {
  let index = text.length;
  for (let n = 0; n < count && index > 0; n++) index -= index > 1 && startsPair(text, index - 2) ? 2 : 1;
  return index;
}

/** Made for the first cut: it loads tables, which takes longer than all else of the module that uses this one. */
let graphemes: Intl.Segmenter | undefined;
/** Units on either side of a cut that are segmented: longer than any sensible grapheme. */
const windowUnits = 256;

/** The grapheme around a cut, in indices of the text; undefined when the cut is between two. */
function graphemeAt(text: string, index: number): { start: number; end: number } | undefined {
  let from = Math.max(0, index - windowUnits);
  if (from > 0 && startsPair(text, from - 1)) from--;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const found = graphemes.segment(text.slice(from, index + windowUnits)).containing(index - from);
  if (!found || found.index === index - from) return undefined;
  return { start: from + found.index, end: from + found.index + found.segment.length };
}

function boundaryBefore(text: string, index: number): number {
  const grapheme = graphemeAt(text, index);
  // One that fills the whole window has no boundary near: cutting it is better than keeping nothing.
  return grapheme && index - grapheme.start < windowUnits ? grapheme.start : index;
}

function boundaryAfter(text: string, index: number): number {
  const grapheme = graphemeAt(text, index);
  return grapheme && grapheme.end - index < windowUnits ? grapheme.end : index;
}

/** The code points from index `from` up to (not including) `to`. */
export function sliceCodePoints(text: string, from: number, to: number): string {
  const start = indexOfCodePoint(text, from);
  const rest = text.slice(start);
  return rest.slice(0, indexOfCodePoint(rest, to - from));
}

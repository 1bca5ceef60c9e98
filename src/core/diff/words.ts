/**
 * A text cut into what people compare: words, runs of spaces, single signs; in scripts that write without
 * spaces, single characters. A piece is never less than what a reader sees as one character.
 *
 * By one regular expression over Unicode's own properties, and not by Intl.Segmenter: V8's takes seconds for
 * 100 kB. Where the rule for characters needs context it errs on the side of longer pieces.
 * Unicode Text Segmentation, https://www.unicode.org/reports/tr29/#Grapheme_Cluster_Boundary_Rules
 */

/** What goes on with the character before: marks, joiners, tags, skin tones, Thai and Lao vowel signs. */
const extending = String.raw`\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200c\u200d\u0e33\u0eb3`;
/** A joiner also takes the picture behind it along. */
const extended = String.raw`(?:\u200d\p{Extended_Pictographic}|[${extending}])*`;
/** What goes on with the character behind: signs that stand before a number or a letter (Arabic, Kaithi, …). */
const prepending = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}`;
const prepended = `[${prepending}]*`;
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const word = String.raw`(?:(?![${unspaced}${prepending}])[\p{L}\p{N}_]${extended})+`;

const pattern = new RegExp(
  [
    String.raw`${prepended}(?:[${unspaced}]${extended}|${word}|(?:\p{Regional_Indicator}{2}|\p{Regional_Indicator})${extended})`,
    String.raw`${prepended}\r\n`,
    String.raw`${prepended}[^\S\r\n]+${extended}`,
    String.raw`${prepended}[^]${extended}`,
  ].join('|'),
  'uy',
);

/** The pieces; joined they are the text. */
export function words(text: string): string[] {
  const { starts } = wordNumbers(text, 0, text.length, createNumbering());
  return Array.from({ length: starts.length - 1 }, (_, index) =>
    text.slice(starts[index], starts[index + 1]),
  );
}

/** Pieces as numbers: the same piece, the same number, in all texts that share a numbering. */
export interface Numbering {
  readonly words: Map<string, number>;
  readonly units: Map<number, number>;
  count: number;
  /** Pieces that were read by the pattern, which takes many times as long as a plain one. */
  byPattern: number;
}

export function createNumbering(): Numbering {
  return { words: new Map(), units: new Map(), count: 0, byPattern: 0 };
}

export interface WordNumbers {
  readonly items: Int32Array;
  /** Where each piece starts in the text, and where the last one ends. */
  readonly starts: Int32Array;
}

/** The pieces of a stretch of a text that starts and ends where pieces do. */
export function wordNumbers(text: string, start: number, end: number, numbering: Numbering): WordNumbers {
  const items = new Int32Array(end - start);
  const starts = new Int32Array(end - start + 1);
  let count = 0;
  for (let at = start; at < end; count++) {
    const next = Math.min(wordEnd(text, at, numbering), end);
    items[count] =
      next === at + 1
        ? numberOfUnit(numbering, text.charCodeAt(at))
        : numberOfWord(numbering, text.slice(at, next));
    starts[count] = at;
    at = next;
  }
  starts[count] = end;
  return { items: items.subarray(0, count), starts: starts.subarray(0, count + 1) };
}

function numberOfUnit(numbering: Numbering, unit: number): number {
  const known = numbering.units.get(unit);
  if (known !== undefined) return known;
  numbering.units.set(unit, numbering.count);
  return numbering.count++;
}

function numberOfWord(numbering: Numbering, word: string): number {
  const known = numbering.words.get(word);
  if (known !== undefined) return known;
  numbering.words.set(word, numbering.count);
  return numbering.count++;
}

/** Plain characters are read without the pattern, as long as nothing but plain ones stand beside them. */
function wordEnd(text: string, start: number, numbering: Numbering): number {
  const kind = kindOf(text.charCodeAt(start));
  let at = start + 1;
  if (kind === letter || kind === space) while (kindOf(text.charCodeAt(at)) === kind) at++;
  if (kind !== unknown && (at >= text.length || kindOf(text.charCodeAt(at)) !== unknown)) return at;
  numbering.byPattern++;
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/**
 * Whether a piece surely begins at this place, judged by the two units beside it: only plain ASCII and common
 * Chinese and Japanese are judged, anything else is a no. Where it says yes, a text can be cut without reading
 * the rest of it.
 */
export function isSureCut(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const before = kindOf(text.charCodeAt(at - 1));
  const after = kindOf(text.charCodeAt(at));
  return before !== unknown && after !== unknown && (before !== after || before === single);
}

const unknown = 0;
const letter = 1;
const space = 2;
const single = 3;

/** Kinds of the plain units; a table, because every unit of every text is looked up. */
const kinds = new Uint8Array(0x10000);
kinds.fill(single, 0, 0x80);
for (const [first, last] of ['09', 'AZ', '__', 'az'])
  kinds.fill(letter, first!.charCodeAt(0), last!.charCodeAt(0) + 1);
for (const unit of [0x09, 0x0b, 0x0c, 0x20]) kinds[unit] = space;
// A carriage return may stand with the line feed behind it.
kinds[0x0d] = unknown;
kinds.fill(single, 0x4e00, 0xa000); // Han
kinds.fill(single, 0x3041, 0x3097); // Hiragana
kinds.fill(single, 0x30a1, 0x30fb); // Katakana
for (const sign of '、。「」，！？：；') kinds[sign.charCodeAt(0)] = single;

/** Behind the end there is nothing, as NaN: an index that no table has, so unknown. */
function kindOf(unit: number): number {
  return kinds[unit] ?? unknown;
}

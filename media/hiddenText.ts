/**
 * Text that models and tools wrote can hold characters that a reader does not see, or that make the rest
 * read as something else: controls, bidi overrides, zero-width characters, tag letters. They are told apart
 * here and shown as marks.
 */

export interface TextRun {
  readonly text: string;
  /** The run is hidden characters and `text` is what to show for them. */
  readonly hidden: boolean;
}

// Everything that is not seen: what Unicode says is to be ignored where it is not known (soft hyphen, bidi marks and
// controls, zero-width characters, fillers, invisible operators, variation selectors, tags), C0 without tab and line
// feed, DEL and C1, line and paragraph separators, annotations, the empty braille pattern; and marks piled up so high
// that they would cover other lines. The joiners and selectors that scripts and emoji need are let through by `isNeeded`.
const hidden =
  /(?<=[\p{Mn}\p{Me}]{6})[\p{Mn}\p{Me}]+|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb\u{13430}-\u{1343f}]|\p{Default_Ignorable_Code_Point}|\p{Surrogate}/gu;

/** Scripts that are written with joiners and non-joiners. */
const joining =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Khmer}\p{Script=Mongolian}\p{M}]$/u;
const pictographic = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;
/** Digits too: keycaps are a digit, a selector and a frame. */
const selectable = /\p{Emoji}$/u;
const ideograph = /\p{Script=Han}$/u;

/** Hidden characters in a row that each have a mark of their own. */
const mostInRow = 16;

/** The text in runs; joined, with hidden characters in place of their marks, they are the text. */
export function textRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  let from = 0;
  let skipped = 0;
  let inRow = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index < skipped || isNeeded(text, match.index, match[0])) continue;
    if (match.index > from) runs.push({ text: text.slice(from, match.index), hidden: false });
    // One mark for the same character again and again, and for many in a row: each would be an element of its own.
    skipped = match.index + match[0].length;
    while (text.startsWith(match[0], skipped)) skipped += match[0].length;
    const mark = { text: markOf(text.slice(match.index, skipped)), hidden: true };
    inRow = runs.at(-1)?.hidden === true && from === match.index ? inRow + 1 : 0;
    const last = inRow < mostInRow ? undefined : runs.pop();
    runs.push(last ? { ...last, text: `${last.text} ${mark.text}` } : mark);
    from = skipped;
  }
  if (from < text.length) runs.push({ text: text.slice(from), hidden: false });
  return runs;
}

/** Hidden characters as marks, in one string: for attributes and announcements. */
export function plainText(text: string): string {
  return textRuns(text)
    .map((run) => run.text)
    .join('');
}

function isNeeded(text: string, at: number, character: string): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0d) return text[at + 1] === '\n';
  if (code === 0xfe0e || code === 0xfe0f) return selectable.test(before);
  if (code === 0x200d) return pictographic.test(before) || joining.test(before);
  if (code >= 0xe0100 && code <= 0xe01ef) return ideograph.test(before);
  return (code === 0x200c || (code >= 0x180b && code <= 0x180f)) && joining.test(before);
}

/** A control picture where there is one, else the code point; of several how many they are. */
function markOf(characters: string): string {
  const code = characters.codePointAt(0) ?? 0;
  const count = Array.from(characters).length;
  if (count > 1) return `U+${code.toString(16).toUpperCase().padStart(4, '0')} ×${count}`;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Text for somebody who decides by it: nothing in it is unseen, or seen as something else. Joiners and selectors that
 * emoji need are shown too: one that is taken apart hides nothing.
 */

// Controls but tab and line feed, soft hyphens, bidi marks and controls, zero-width characters, line and paragraph
// separators, fillers, selectors, tags, blanks other than the one of the keyboard, and half surrogate pairs.
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** Blanks in a row from which on they could push what follows out of sight. */
const many = / {8,}/g;

export function exactText(text: string): string {
  return text.replace(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `\\u{${code.toString(16)}}`;
  });
}

/** The same in lines that can be read without scrolling to the side; \u21aa begins what goes on a line. */
export function exactLines(text: string): string {
  return exactText(text)
    .split('\n')
    .map((line) => line.match(/.{1,60}/gsu)?.join('\n\u21aa ') ?? '')
    .join('\n');
}

/** The same in one line: a line break in a command is a further command, and is shown as what it is. */
export function exactLine(text: string): string {
  return exactText(text)
    .replaceAll('\n', '\u240a')
    .replaceAll('\t', '\u2409')
    .replace(many, ({ length }) => ` \u2420\u00d7${length} `);
}

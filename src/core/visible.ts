/**
 * Control characters made visible: `ESC[2J` in a tool's output would clear the console, a bidi override
 * would make text read as something else. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `\\u{${code.toString(16)}}`;
  });
}

/** The same within JSON text, where it stays the value that it was: `\u202e` instead of the character. */
export function visibleJson(text: string): string {
  return text.replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// C0 without tab and newline, DEL and C1, bidi marks and controls, zero-width characters, the byte order mark.
// The zero-width joiner (200d) stays: emoji and several scripts need it.

const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Finds the JSON objects and arrays of a text that is not one value: pretty-printed one after the other, or among prose. */

export interface FoundValue {
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/**
 * The outermost objects and arrays, in order, each as its text, which need not be valid JSON inside. What is not closed
 * is not given. Yields undefined now and then while it passes a long stretch without one. Linear in the text.
 */
export function* jsonValues(text: string): Generator<FoundValue | undefined, void> {
  let depth = 0;
  let start = 0;
  let line = 1;
  let startLine = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === newline) {
      line++;
      if (line % patience === 0) yield undefined;
    } else if (code === quote && depth > 0) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) {
      if (depth++ === 0) [start, startLine] = [at, line];
    } else if ((code === closeBrace || code === closeBracket) && depth > 0 && --depth === 0)
      yield { text: text.slice(start, at + 1), line: startLine };
  }
}

/** Lines between two turns of others. */
const patience = 2000;
const [newline, quote, openBrace, closeBrace, openBracket, closeBracket] = [...'\n"{}[]'].map((one) =>
  one.charCodeAt(0),
);

/** Where the string ends that begins here; a line end ends one that is not closed: JSON has none in a string. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') return at;
    else if (character === '\n') return at - 1;
  }
  return text.length;
}

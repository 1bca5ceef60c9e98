/**
 * Where cl100k_base cuts a text before it looks for tokens, by hand instead of by regular expression (see
 * `splitO200k.ts`). Its words know no case, and marks are symbols; its alternatives are quoted from
 * https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py.
 */
import { type CharAt, digit, lengthShift, lineEnd, lower, mark, other, uncased, upper } from './charKind.ts';
import { contractionEnd } from './contraction.ts';
import { digitsEnd, runEnd, spacesEnd } from './splitRuns.ts';

const letter = upper | lower | uncased;
const symbol = other | mark;

/** The end of the piece that begins at `at` (before the end of the text). */
export function cl100kPieceEnd(bytes: Uint8Array, at: number, charAt: CharAt): number {
  const char = charAt(bytes, at);
  const next = at + (char >> lengthShift);
  if ((char & letter) !== 0) return runEnd(bytes, next, letter, charAt);
  if ((char & digit) !== 0) return digitsEnd(bytes, next, charAt);
  if ((char & lineEnd) !== 0) return spacesEnd(bytes, at, charAt);
  const afterContraction = contractionEnd(bytes, at);
  if (afterContraction > at) return afterContraction;
  // A symbol or a space opens the word behind it; else it is of a run of symbols, or white space.
  const afterWord = runEnd(bytes, next, letter, charAt);
  if (afterWord > next) return afterWord;
  const opensSymbols = bytes[at] === 0x20 && (charAt(bytes, next) & symbol) !== 0;
  return (char & symbol) !== 0 || opensSymbols
    ? symbolsEnd(bytes, next, charAt)
    : spacesEnd(bytes, at, charAt);
}

/** `[^\s\p{L}\p{N}]*[\r\n]*` */
function symbolsEnd(bytes: Uint8Array, from: number, charAt: CharAt): number {
  let at = runEnd(bytes, from, symbol, charAt);
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return at;
}

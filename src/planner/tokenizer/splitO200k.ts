/**
 * Where o200k_base cuts a text before it looks for tokens, by hand instead of by regular expression: one look
 * at each character, nothing to backtrack. The pattern is the one that tiktoken has
 * (https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py); its alternatives are quoted.
 */
import {
  asciiKinds,
  type CharAt,
  digit,
  lengthShift,
  lineEnd,
  lower,
  mark,
  other,
  uncased,
  upper,
} from './charKind.ts';
import { contractionEnd } from './contraction.ts';
import { digitsEnd, runEnd, spacesEnd } from './splitRuns.ts';

/** The end of the piece that begins at `at` (before the end of the text). */
export function o200kPieceEnd(bytes: Uint8Array, at: number, charAt: CharAt): number {
  const char = charAt(bytes, at);
  if ((char & (upper | lower | uncased | mark)) !== 0) return wordEnd(bytes, at, charAt);
  const next = at + (char >> lengthShift);
  if ((char & digit) !== 0) return digitsEnd(bytes, next, charAt);
  if ((char & lineEnd) !== 0) return spacesEnd(bytes, at, charAt);
  // A symbol or a space opens the word behind it; else it is of a run of symbols, or white space.
  const afterWord = wordEnd(bytes, next, charAt);
  if (afterWord > next) return afterWord;
  const opensSymbols = bytes[at] === 0x20 && (charAt(bytes, next) & other) !== 0;
  return (char & other) !== 0 || opensSymbols
    ? symbolsEnd(bytes, next, charAt)
    : spacesEnd(bytes, at, charAt);
}

/**
 * `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:…)?` and then
 * `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:…)?`; `from` where there is no such word.
 * Uncased characters and marks are in both sets: where no lower case follows the first run, the first
 * alternative gives back capitals until the last of those is its second run; the second alternative is left
 * with words of nothing but capitals.
 */
function wordEnd(bytes: Uint8Array, from: number, charAt: CharAt): number {
  if (asciiKinds[bytes[from]!] === lower) return lowerEnd(bytes, from + 1, charAt);
  let at = from;
  let afterUncased = from;
  let char = charAt(bytes, at);
  for (; (char & (upper | uncased | mark)) !== 0; char = charAt(bytes, at)) {
    at += char >> lengthShift;
    if ((char & upper) === 0) afterUncased = at;
  }
  if ((char & lower) !== 0) return lowerEnd(bytes, at, charAt);
  if (afterUncased > from) return contractionEnd(bytes, afterUncased);
  return at > from ? contractionEnd(bytes, at) : from;
}

function lowerEnd(bytes: Uint8Array, from: number, charAt: CharAt): number {
  return contractionEnd(bytes, runEnd(bytes, from, lower | uncased | mark, charAt));
}

/** `[^\s\p{L}\p{N}]*[\r\n/]*` */
function symbolsEnd(bytes: Uint8Array, from: number, charAt: CharAt): number {
  let at = runEnd(bytes, from, other | mark, charAt);
  while (bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x2f) at++;
  return at;
}

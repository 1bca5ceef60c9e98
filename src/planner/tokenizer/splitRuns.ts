/**
 * The runs that the split patterns of both encodings share: digits, white space, and any characters of some kinds.
 * https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
 */
import { asciiKinds, type CharAt, digit, end, lengthShift, lineEnd, space } from './charKind.ts';

/** The end of a run of characters whose kind is one of `kinds` (bits); `from` when there is none. */
export function runEnd(bytes: Uint8Array, from: number, kinds: number, charAt: CharAt): number {
  let at = from;
  for (;;) {
    // Steps of one byte do not wait for what was read, so a run of ASCII costs little more than its bytes.
    while ((asciiKinds[bytes[at]!]! & kinds) !== 0) at++;
    const char = charAt(bytes, at);
    if ((char & kinds) === 0) return at;
    at += char >> lengthShift;
  }
}

/** `\p{N}{1,3}`, of which one character is read already and ends at `at`. */
export function digitsEnd(bytes: Uint8Array, at: number, charAt: CharAt): number {
  const second = charAt(bytes, at);
  if ((second & digit) === 0) return at;
  const third = charAt(bytes, at + (second >> lengthShift));
  return at + (second >> lengthShift) + ((third & digit) === 0 ? 0 : third >> lengthShift);
}

/**
 * `\s*[\r\n]+|\s+(?!\S)|\s+` at a white-space character: up to the last line end of the run; without one, the
 * run without its last character, which goes to the word behind it; all of it where nothing stands behind.
 */
export function spacesEnd(bytes: Uint8Array, from: number, charAt: CharAt): number {
  let at = from;
  let last = from;
  let afterLineEnd = from;
  let char = charAt(bytes, at);
  for (; (char & (space | lineEnd)) !== 0; char = charAt(bytes, at)) {
    last = at;
    at += char >> lengthShift;
    if ((char & lineEnd) !== 0) afterLineEnd = at;
  }
  if (afterLineEnd > from) return afterLineEnd;
  return (char & end) !== 0 || last === from ? at : last;
}

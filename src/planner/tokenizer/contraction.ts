/**
 * English contractions as the split patterns have them: `(?i:'s|'t|'re|'ve|'m|'ll|'d)`.
 * https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
 */

const apostrophe = 0x27;

/**
 * The end of a contraction that begins here, else `at`. Case does not matter, and in Unicode's case folding
 * the long s (U+017F, bytes C5 BF) is an s too.
 */
export function contractionEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== apostrophe) return at;
  const first = bytes[at + 1]!;
  switch (first | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return at + 2;
    case 0x6c: // l
      return (bytes[at + 2]! | 0x20) === 0x6c ? at + 3 : at;
    case 0x72: // r
    case 0x76: // v
      return (bytes[at + 2]! | 0x20) === 0x65 ? at + 3 : at;
    default:
      return first === 0xc5 && bytes[at + 2] === 0xbf ? at + 3 : at;
  }
}

/**
 * What kind of character stands at a place of UTF-8 text. A kind is all that the split patterns of the
 * encodings ask of a character; kinds are bits, so that "one of these" is one comparison. The table is in two
 * stages (block number, then kind): https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-5/#G25564
 */

/** None of the others: symbols, punctuation, controls, what is not assigned. Values as `generate.mjs` has them. */
export const other = 1;
/** Lu, Lt */
export const upper = 2;
/** Ll */
export const lower = 4;
/** Lm, Lo */
export const uncased = 8;
/** M */
export const mark = 16;
/** N */
export const digit = 32;
/** CR and LF */
export const lineEnd = 64;
/** White_Space but for CR and LF; without U+FEFF, with U+0085 */
export const space = 128;
/** The place after the text, where `endByte` stands: a byte that no UTF-8 text has. */
export const end = 256;

export const endByte = 0xff;

/**
 * The character at a place of valid UTF-8 that is closed by `endByte`, as `kind | length in bytes << 9`.
 * The place must be the first byte of a character, or the end, which has length 0.
 */
export type CharAt = (bytes: Uint8Array, place: number) => number;

export const lengthShift = 9;

/** Kinds of ASCII characters by byte, 0 for all other bytes: what a loop over plain text asks first. */
export const asciiKinds = new Uint8Array(256);
for (let byte = 0; byte < 128; byte++) asciiKinds[byte] = asciiKind(String.fromCharCode(byte));

function asciiKind(character: string): number {
  if (/[A-Z]/.test(character)) return upper;
  if (/[a-z]/.test(character)) return lower;
  if (/[0-9]/.test(character)) return digit;
  if (/[\r\n]/.test(character)) return lineEnd;
  return /\s/.test(character) ? space : other;
}

const blockBits = 7;
const blockSize = 1 << blockBits;
const blockCount = 0x110000 / blockSize;

/** `classes` is the content of `classes.bin`. */
export function createCharAt(classes: Uint8Array): CharAt {
  const index = classes.subarray(0, blockCount);
  const blocks = classes.subarray(blockCount);
  const single = singleByteChars();
  return (bytes, place) => {
    const lead = bytes[place]!;
    const known = single[lead]!;
    if (known !== 0) return known;
    const codePoint = decode(bytes, place, lead);
    const kind = blocks[(index[codePoint >> blockBits]! << blockBits) | (codePoint & (blockSize - 1))]!;
    return kind | ((lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4) << lengthShift);
  };
}

/** By first byte: the whole answer for ASCII and the end, 0 where further bytes decide. */
function singleByteChars(): Int32Array {
  const single = Int32Array.from(asciiKinds, (kind) => (kind === 0 ? 0 : kind | (1 << lengthShift)));
  single[endByte] = end;
  return single;
}

function decode(bytes: Uint8Array, place: number, lead: number): number {
  const second = bytes[place + 1]! & 63;
  if (lead < 0xe0) return ((lead & 31) << 6) | second;
  const third = bytes[place + 2]! & 63;
  if (lead < 0xf0) return ((lead & 15) << 12) | (second << 6) | third;
  return ((lead & 7) << 18) | (second << 12) | (third << 6) | (bytes[place + 3]! & 63);
}

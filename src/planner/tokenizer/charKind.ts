/**
 * What kind of character stands at a place of UTF-8 text. A kind is all that the split patterns of the
 * encodings ask of a character. The table is in two stages (block number, then kind), as Unicode's own
 * annotated implementations do: https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-5/#G25564
 */

/** Numbers, and not a union of strings: they are compared once per character. Written by `generate.mjs`. */
export const other = 0;
/** Lu, Lt */
export const upper = 1;
/** Ll */
export const lower = 2;
/** Lm, Lo */
export const uncased = 3;
/** M */
export const mark = 4;
/** N */
export const digit = 5;
/** CR and LF */
export const lineEnd = 6;
/** White_Space but for CR and LF; without U+FEFF, with U+0085 */
export const space = 7;
/** The place after the text: the byte `endByte`, which is in no UTF-8 text. */
export const end = 8;

export const endByte = 0xff;

/** The character at a place, as `kind | length in bytes << 4`. The place must be the first byte of one. */
export type CharAt = (place: number) => number;

const blockBits = 7;
const blockCount = 0x110000 >> blockBits;

/** `bytes` is valid UTF-8 and then `endByte`; `classes` the content of `classes.bin`. */
export function createCharAt(bytes: Uint8Array, classes: Uint8Array): CharAt {
  const index = classes.subarray(0, blockCount);
  const blocks = classes.subarray(blockCount);
  const single = singleByteChars(classes);
  return (place) => {
    const lead = bytes[place]!;
    const known = single[lead]!;
    if (known !== 0) return known;
    const codePoint = decode(bytes, place, lead);
    const kind = blocks[(index[codePoint >> blockBits]! << blockBits) | (codePoint & 127)]!;
    return kind | (lead < 0xe0 ? 0x20 : lead < 0xf0 ? 0x30 : 0x40);
  };
}

/** By first byte: the whole answer for ASCII and the end, 0 where further bytes decide. */
function singleByteChars(classes: Uint8Array): Uint8Array {
  const single = new Uint8Array(256);
  const firstBlock = blockCount + (classes[0]! << blockBits);
  for (let byte = 0; byte < 128; byte++) single[byte] = classes[firstBlock + byte]! | 0x10;
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

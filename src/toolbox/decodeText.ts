import type { DecodedText, TextFormat } from './fileTree.ts';

const marks: readonly (readonly [encoding: TextFormat['encoding'], bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Bytes as text, when they are UTF-8 without NUL, or UTF-16 that says so by its byte order mark; the mark is taken off.
 * What would not come out as the same bytes again is no text.
 */
export function decodeText(bytes: Uint8Array): DecodedText | { readonly kind: 'binary' } {
  const mark = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const format: TextFormat = { encoding: mark?.[0] ?? 'utf-8', mark: mark !== undefined };
  if (format.encoding === 'utf-8' && bytes.includes(0)) return { kind: 'binary' };
  try {
    const body = bytes.subarray(mark?.[1].length ?? 0);
    return { kind: 'text', text: decode(body, format.encoding), format };
  } catch {
    return { kind: 'binary' };
  }
}

/** UTF-16BE by way of LE: not every Node knows it. */
function decode(body: Uint8Array, encoding: TextFormat['encoding']): string {
  const isBig = encoding === 'utf-16be';
  if (isBig && body.length % 2 === 1) throw new RangeError('half a unit at the end');
  const bytes = isBig ? Buffer.from(body).swap16() : body;
  const label = isBig ? 'utf-16le' : encoding;
  return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The bytes of a text in a file's format. */
export function encodeText(text: string, { encoding, mark }: TextFormat): Uint8Array {
  const whole = mark ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(whole, 'utf8');
  const bytes = Buffer.from(whole, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** A text as the journal keeps it: with the mark, so that the file could be made again. */
export function markedText(text: string, { mark }: TextFormat): string {
  return mark ? `\ufeff${text}` : text;
}

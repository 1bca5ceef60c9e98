import type { Notes } from './readReplyNotes.ts';

/** UTF-8 in pieces to text: one decoder for the whole reply, whatever the boundaries. */
export interface ByteText {
  /** The text that these bytes complete. */
  feed(bytes: Uint8Array): string;
  /** The end: a character that was cut is reported and not replaced. */
  end(): void;
  /** Everything so far, as text. */
  readonly raw: string;
  readonly bytes: number;
}

export function createByteText(notes: Notes): ByteText {
  const decoder = new TextDecoder('utf-8');
  const kept: Uint8Array[] = [];
  let raw = '';
  let bytes = 0;
  return {
    feed(piece) {
      kept.push(piece);
      bytes += piece.byteLength;
      const text = decoder.decode(piece, { stream: true });
      raw += text;
      return text;
    },
    end() {
      const cut = decoder.decode() !== '';
      if (cut)
        notes.add(
          'cut-character',
          'the bytes end inside a character of UTF-8; its first bytes were left out',
        );
      if (raw.includes('\uFFFD') && !isUtf8(kept, cut)) {
        notes.add('invalid-utf8', 'the bytes are not all UTF-8; what could not be read shows as U+FFFD');
      }
    },
    get raw() {
      return raw;
    },
    get bytes() {
      return bytes;
    },
  };
}

/** U+FFFD in the text is the server's own when the bytes decode without an error. */
function isUtf8(pieces: readonly Uint8Array[], cut: boolean): boolean {
  const strict = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const piece of pieces) strict.decode(piece, { stream: true });
    if (!cut) strict.decode();
    return true;
  } catch {
    return false;
  }
}

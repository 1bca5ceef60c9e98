/**
 * Counts tokens as tiktoken's `encode_ordinary` does (special tokens are text like any other): the text as
 * UTF-8, cut into pieces by the encoding's pattern; a piece that is a token is one, any other is merged from
 * its bytes. Half surrogate pairs count as U+FFFD, which is what a request carries for them.
 * https://github.com/openai/tiktoken/blob/main/src/lib.rs
 */
import type { CountTokens } from '../../core/ports.ts';
import { createCharAt, endByte } from './charKind.ts';
import { mergeLong } from './mergeLong.ts';
import { mergeShort, shortPiece } from './mergeShort.ts';
import { createPieceCache, readAhead } from './pieceCache.ts';
import { cl100kPieceEnd } from './splitCl100k.ts';
import { o200kPieceEnd } from './splitO200k.ts';
import type { Tables } from './tables.ts';
import { createFindBytePair, createFindPair, type Vocabulary } from './vocabulary.ts';

const encoder = new TextEncoder();
/** Kept for the next text; what a longer one needs is let go of. */
const keptBytes = 1 << 16;

/** May throw for want of memory, for a text of hundreds of megabytes. */
export function createExactCounter({ encoding, vocabulary, classes }: Tables): CountTokens {
  const kept = new Uint8Array(keptBytes);
  const charAt = createCharAt(classes);
  const pieceEnd = encoding === 'o200k_base' ? o200kPieceEnd : cl100kPieceEnd;
  const countPiece = createPieceCounter(vocabulary);
  return (text) => {
    // UTF-8 takes at most 3 bytes per UTF-16 unit; then the end, and what may be read behind it.
    const bound = text.length * 3 + 1 + readAhead;
    const bytes = bound <= keptBytes ? kept : new Uint8Array(bound);
    const view = new DataView(bytes.buffer);
    const { written } = encoder.encodeInto(text, bytes);
    bytes[written] = endByte;
    let tokens = 0;
    for (let at = 0; at < written;) {
      const next = pieceEnd(bytes, at, charAt);
      tokens += countPiece(bytes, view, at, next);
      at = next;
    }
    return tokens;
  };
}

function createPieceCounter(vocabulary: Vocabulary) {
  const { byteRanks } = vocabulary;
  const findPair = createFindPair(vocabulary);
  const findBytePair = createFindBytePair(vocabulary, findPair);
  const merge = (bytes: Uint8Array, from: number, to: number) =>
    mergeShort(bytes, from, to, byteRanks, findBytePair, findPair);
  // Words and what is longer: phrases of scripts without spaces, long names in code. 512 and 256 kB.
  const words = createPieceCache(4, 13);
  const phrases = createPieceCache(16, 10);
  return (bytes: Uint8Array, view: DataView, from: number, to: number): number => {
    const length = to - from;
    if (length === 1) return 1;
    if (length > shortPiece) return mergeLong(bytes, from, to, byteRanks, findPair);
    if (length > phrases.longest) return merge(bytes, from, to);
    const cache = length > words.longest ? phrases : words;
    const known = cache.find(view, from, length);
    if (known > 0) return known;
    const tokens = merge(bytes, from, to);
    cache.keep(tokens);
    return tokens;
  };
}

/**
 * Counts tokens with the o200k_base encoding. The tokenizer is loaded on first use (it is large), and its
 * cost is quadratic in the length of one unbroken piece, so long pieces are counted in slices: exact for
 * ordinary text, at most one token off per slice boundary for text without any break.
 */
import type { TokenCounter } from '../core/ports.ts';

/** UTF-16 units without white space that are still counted in one piece. */
const longestPiece = 512;

/** Loads the tokenizer. The counter caches by text, so that the same text is never counted twice. */
export async function createTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Special tokens in a user's text are text (the library throws on them by default).
  const plainText = { disallowedSpecial: new Set<string>() };
  const cache = new Map<string, number>();
  const count = (text: string) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    let tokens = 0;
    for (const slice of slices(text)) tokens += countTokens(slice, plainText);
    cache.set(text, tokens);
    return tokens;
  };
  return Object.assign(count, { ahead: () => undefined });
}

/** The text as it is, cut only inside pieces without white space that are too long; never inside a pair. */
function* slices(text: string): Generator<string> {
  let from = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    run = isSpace(code) ? 0 : run + 1;
    const inPair = code >= 0xdc00 && code <= 0xdfff;
    if (run > longestPiece && !inPair) {
      yield text.slice(from, at);
      from = at;
      run = 1;
    }
  }
  if (from < text.length) yield text.slice(from);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

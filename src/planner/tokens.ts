/**
 * Counts tokens exactly as tiktoken does (https://github.com/openai/tiktoken), special tokens being text. Start at
 * `tokenizer/exactCounter.ts`: a text is cut into pieces, and the bytes of a piece are merged to tokens. Tables and
 * code are read on first use and shared by all counters of an encoding, and so is what was counted before.
 */
import type { TokenCounter } from '../core/ports.ts';
import type { Encoding } from './tokenizer/encoding.ts';

const counters = new Map<Encoding, Promise<TokenCounter>>();

/** The counter of an encoding. Rejects only where the data files of the installation are missing. */
export function createTokenCounter(encoding: Encoding = 'o200k_base'): Promise<TokenCounter> {
  const known = counters.get(encoding);
  if (known) return known;
  const loading = load(encoding);
  counters.set(encoding, loading);
  // The next one tries again.
  loading.catch(() => counters.delete(encoding));
  return loading;
}

async function load(encoding: Encoding): Promise<TokenCounter> {
  const [{ loadTables }, { createCounter }] = await Promise.all([
    import('./tokenizer/tables.ts'),
    import('./tokenizer/createCounter.ts'),
  ]);
  return createCounter(await loadTables(encoding));
}

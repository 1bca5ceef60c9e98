/** The real token counter, and what it was asked to count at once that is long and was not handed out before. */
import type { TokenCounter } from '../../src/core/ports.ts';
import { createTokenCounter } from '../../src/planner/tokens.ts';

/** UTF-16 units of a text that nobody should wait for. */
const long = 8_192;

export interface WatchedCounter {
  readonly counter: TokenCounter;
  /** Lengths of the long texts that were counted at once. */
  readonly countedHere: readonly number[];
  /** How many long texts were handed out. */
  readonly handedOut: () => number;
}

export async function createWatchedCounter(): Promise<WatchedCounter> {
  const real = await createTokenCounter();
  const handedOut = new Set<string>();
  const countedHere: number[] = [];
  const counter: TokenCounter = Object.assign(
    (text: string) => {
      if (text.length > long && !handedOut.has(text)) countedHere.push(text.length);
      return real(text);
    },
    {
      ahead(texts: readonly string[]) {
        for (const text of texts) if (text.length > long) handedOut.add(text);
        return Promise.resolve();
      },
    },
  );
  return { counter, countedHere, handedOut: () => handedOut.size };
}

/**
 * The counter that the planner uses: exact counts (`exactCounter.ts`), each text once, and a thread for texts that
 * would hold up this one. A count has to be at hand when it is asked for, so that packing stays a plain function:
 * whoever is about to count hands the texts out first, waits if there is something to wait for, and finds them counted.
 * What is counted already is known by content, an instance of https://en.wikipedia.org/wiki/Memoization.
 */
import type { CountTokens, TokenCounter } from '../../core/ports.ts';
import { createCountCache, countKey, type CountKey } from './countCache.ts';
import { createExactCounter } from './exactCounter.ts';
import { type CountOffThread, createOffThread } from './offThread.ts';
import type { Tables } from './tables.ts';

/** UTF-16 units in all that are counted here: less than a millisecond of prose, where a thread takes more to start. */
const quicklyCounted = 1 << 13;

export function createCounter(
  tables: Tables,
  offThread: CountOffThread = createOffThread(tables),
): TokenCounter {
  const exact = createExactCounter(tables);
  const cache = createCountCache();
  const underWay = new Map<CountKey, Promise<void>>();

  const count = (text: string): number => {
    const key = countKey(text);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const tokens = guarded(exact, text);
    cache.set(key, tokens);
    return tokens;
  };
  /** A thread that fails leaves its texts to `count`. */
  const countElsewhere = async (texts: ReadonlyMap<CountKey, string>): Promise<void> => {
    const counts = await offThread([...texts.values()]);
    [...texts.keys()].forEach((key, index) => {
      underWay.delete(key);
      const tokens = counts?.[index];
      if (tokens !== undefined) cache.set(key, tokens);
    });
  };
  const ahead = (texts: readonly string[]): Promise<void> | undefined => {
    // What a round adds, as a rule: nothing to wait for and too little to send away, so nothing to look up either.
    if (underWay.size === 0 && unitsOf(texts) <= quicklyCounted) return undefined;
    const waits = new Set<Promise<void>>();
    const uncounted = new Map<CountKey, string>();
    let units = 0;
    for (const text of texts) {
      const key = countKey(text);
      const counting = underWay.get(key);
      if (counting) waits.add(counting);
      if (counting || uncounted.has(key) || cache.get(key) !== undefined) continue;
      uncounted.set(key, text);
      units += text.length;
    }
    if (units > quicklyCounted) {
      const counting = countElsewhere(uncounted);
      for (const key of uncounted.keys()) underWay.set(key, counting);
      waits.add(counting);
    }
    return waits.size === 0 ? undefined : Promise.all(waits).then(() => undefined);
  };
  return Object.assign(count, { ahead });
}

function unitsOf(texts: readonly string[]): number {
  let units = 0;
  for (const { length } of texts) units += length;
  return units;
}

/** Four bytes a token, for a text that does not fit into memory thrice: a rough count is better than none. */
function guarded(exact: CountTokens, text: string): number {
  try {
    return exact(text);
  } catch {
    return Math.ceil(text.length / 4);
  }
}

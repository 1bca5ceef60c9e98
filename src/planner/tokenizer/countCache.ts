/**
 * What was counted, by content; the least recently used goes first (a Map keeps its order of insertion, see
 * https://tc39.es/ecma262/#sec-map-objects). Short texts are their own key; for long ones a digest stands, so
 * that the cache holds no second copy of a session.
 */
import type * as Crypto from 'node:crypto';
import { createRequire } from 'node:module';

export type CountKey = string;

export interface CountCache {
  get(key: CountKey): number | undefined;
  set(key: CountKey, tokens: number): void;
}

/** Loading this module takes a good part of what the counter's data take, so it waits for the first long text. */
let crypto: typeof Crypto | undefined;

/** UTF-16 units from which a digest stands for a text. */
const longText = 2048;
const digestLength = 32;
/** What an entry takes besides its key, in units of a key (measured at about 100 bytes). */
const entryUnits = 64;

/**
 * Equal for equal texts alone: a text that is as long as a digest is digested as well, so no text passes for the
 * digest of another. Half surrogate pairs are digested as U+FFFD, which is what they are counted as. Never throws:
 * where there is no digest (a text too long for it, a Node without the hash), a text is its own key again.
 */
export function countKey(text: string): CountKey {
  if (text.length < longText && text.length !== digestLength) return text;
  try {
    crypto ??= createRequire(import.meta.url)('node:crypto') as typeof Crypto;
    return crypto.createHash('sha256').update(text).digest('binary');
  } catch {
    return text;
  }
}

/** `room` in UTF-16 units of keys, each entry charged with what the Map adds to it; the default is some 16 MB. */
export function createCountCache(room = 8 * 2 ** 20): CountCache {
  const counts = new Map<CountKey, number>();
  let used = 0;
  return {
    get(key) {
      const tokens = counts.get(key);
      if (tokens === undefined) return undefined;
      counts.delete(key);
      counts.set(key, tokens);
      return tokens;
    },
    set(key, tokens) {
      // It would push out all others, and itself.
      if (key.length + entryUnits > room) return;
      if (!counts.has(key)) used += key.length + entryUnits;
      counts.set(key, tokens);
      for (const oldest of counts.keys()) {
        if (used <= room) return;
        counts.delete(oldest);
        used -= oldest.length + entryUnits;
      }
    },
  };
}

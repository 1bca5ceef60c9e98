/** Numbers that look random and are the same in every run (mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** `count` times what `make` gives, joined. */
  readonly repeat: (count: number, make: () => string) => string;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    repeat: (count, make) => Array.from({ length: count }, make).join(''),
  };
}

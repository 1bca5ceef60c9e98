export type Random = () => number;

/** mulberry32: a small generator whose numbers are those of its seed, everywhere. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

/** Seeds 1 to `count`, or those that LOOPSCOPE_SEED names: `7`, `41-400`. */
export function seedsOf(count: number): number[] {
  const [first = 1, last = first] = process.env['LOOPSCOPE_SEED']?.split('-').map(Number) ?? [1, count];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

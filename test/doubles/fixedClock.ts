import type { Clock } from '../../src/core/ports.ts';

/** A clock that stands still unless it is moved; sleeping moves it, at once. */
export function createFixedClock(start = 1_760_000_000_000): Clock & { readonly slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
    },
  };
}

import type { AbortSignalLike, Clock } from '../core/ports.ts';

/** The machine's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms: number, signal: AbortSignalLike): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  },
};

import type { AbortSignalLike } from '../core/ports.ts';

/** How waiting for something ended. */
export type Waited<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'silent' }
  | { readonly kind: 'aborted' };

/** The longest delay of a Node timer; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

/** Waits for a promise, at most `ms`, and no longer than until the signal aborts. Never rejects. */
export async function waitFor<T>(
  promise: Promise<T>,
  ms: number,
  signal: AbortSignalLike,
): Promise<Waited<T>> {
  return await new Promise((resolve) => {
    const finish = (waited: Waited<T>) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(waited);
    };
    const abort = () => finish({ kind: 'aborted' });
    const timer = setTimeout(() => finish({ kind: 'silent' }), Math.min(Math.max(ms, 0), longestMs));
    signal.addEventListener('abort', abort, { once: true });
    promise.then(
      (value) => finish({ kind: 'value', value }),
      (error: unknown) => finish({ kind: 'failed', error }),
    );
    if (signal.aborted) abort();
  });
}

import type { AbortSignalLike } from '../../core/ports.ts';
import { ToolError } from '../../toolbox/toolError.ts';

/** Milliseconds that one answer is waited for, that an empty one is asked about again, and between two times. */
const answerMs = 15_000;
const emptyMs = 4000;
const pauseMs = 250;

export interface Answer<T> {
  readonly value: readonly T[];
  /** Somebody was asked and had not answered when the time was up. */
  readonly isBusy: boolean;
}

/**
 * Asks language services, which are started by the first file of their kind and say nothing until they know its project:
 * where an answer is empty it is asked for again, for some seconds. Throws when it is cancelled.
 */
export async function askPatiently<T>(
  ask: () => PromiseLike<readonly T[] | undefined>,
  signal: AbortSignalLike,
  longest = emptyMs,
): Promise<Answer<T>> {
  const began = performance.now();
  for (;;) {
    const value = await within(ask(), answerMs - (performance.now() - began), signal);
    if (value === late) return { value: [], isBusy: true };
    if (value && value.length > 0) return { value, isBusy: false };
    if (performance.now() - began + pauseMs > longest) return { value: [], isBusy: false };
    await within(new Promise<never>(() => undefined), pauseMs, signal);
  }
}

const late = Symbol('late');

/** What comes first: the answer, or that the time is up. Rejects when it is cancelled. */
function within<T>(answer: PromiseLike<T>, ms: number, signal: AbortSignalLike): Promise<T | typeof late> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      settle();
    };
    const cancel = () => end(() => reject(new ToolError('cancelled')));
    const timer = setTimeout(() => end(() => resolve(late)), Math.max(0, ms));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    answer.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });
}

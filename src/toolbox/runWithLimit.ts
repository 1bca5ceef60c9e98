import type { ToolContext, WorkingState } from '../core/ports.ts';

export type Ended =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' };

/** Timers of Node count in 32 bits; a longer delay would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Runs a tool until it ends, its time is up, or the caller aborts: whichever comes first is the one answer.
 * A tool that ignores its signal is abandoned: its late result is told of and not used, a late rejection is
 * swallowed, and it can no longer write to the session's state: the call it belonged to is over and recorded.
 * What cannot be ended in one process is a tool that never gives the event loop back.
 */
export function runWithLimit(
  run: (context: ToolContext) => unknown,
  context: ToolContext,
  limitMs: number,
  onLate: () => void = () => undefined,
): Promise<Ended> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    let open = true;
    const end = (ended: Ended): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      context.signal.removeEventListener('abort', cancel);
      resolve(ended);
    };
    const cancel = (): void => {
      end({ kind: 'cancelled' });
      controller.abort(context.signal.reason);
    };
    const timer = setTimeout(
      () => {
        end({ kind: 'timeout' });
        controller.abort(new DOMException('the time of the tool is up', 'TimeoutError'));
      },
      Math.min(limitMs, longestTimer),
    );
    context.signal.addEventListener('abort', cancel, { once: true });
    const inner = { ...context, signal: controller.signal, state: stateWhile(() => open, context.state) };
    // An async function turns a synchronous throw and a hostile thenable into a rejection alike.
    (async () => run(inner))().then(
      (value) => (open ? end({ kind: 'returned', value }) : onLate()),
      (error: unknown) => end({ kind: 'threw', error }),
    );
  });
}

function stateWhile(open: () => boolean, state: WorkingState): WorkingState {
  return {
    get: (key) => state.get(key),
    set: (key, value) => {
      if (!open()) throw new Error('this call has ended');
      state.set(key, value);
    },
  };
}

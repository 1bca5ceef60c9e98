import type { ToolContext, WorkingState } from '../core/ports.ts';

export type Ended =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** `error`: what the tool threw when it was told, within the time that it has for that. */
  | { readonly kind: 'timeout' | 'cancelled'; readonly error?: unknown };

export interface Limits {
  readonly limitMs: number;
  /** How long a tool that was told to stop is waited for. */
  readonly windUpMs: number;
}

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
  { limitMs, windUpMs }: Limits,
  onLate: () => void = () => undefined,
): Promise<Ended> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    let open = true;
    let told: 'timeout' | 'cancelled' | undefined;
    const end = (ended: Ended): void => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      context.signal.removeEventListener('abort', cancel);
      resolve(ended);
    };
    const tell = (kind: 'timeout' | 'cancelled', reason: unknown): void => {
      if (told) return;
      told = kind;
      clearTimeout(timer);
      if (windUpMs > 0) timer = setTimeout(() => end({ kind }), windUpMs);
      else end({ kind });
      controller.abort(reason);
    };
    const cancel = (): void => tell('cancelled', context.signal.reason);
    const timeUp = (): void =>
      tell('timeout', new DOMException('the time of the tool is up', 'TimeoutError'));
    let timer = setTimeout(timeUp, Math.min(limitMs, longestTimer));
    context.signal.addEventListener('abort', cancel, { once: true });
    const inner = { ...context, signal: controller.signal, state: stateWhile(() => open, context.state) };
    // An async function turns a synchronous throw and a hostile thenable into a rejection alike.
    (async () => run(inner))().then(
      (value) => (open ? end({ kind: 'returned', value }) : onLate()),
      (error: unknown) => end(told ? { kind: told, error } : { kind: 'threw', error }),
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

import type { ModelFailure } from '../core/ports.ts';

/** What happens after a failed attempt. */
export type RetryPlan =
  | { readonly retry: true; readonly waitMs: number }
  /** `because` says why a failure that could be retried is not; empty when there is nothing to say. */
  | { readonly retry: false; readonly because: string };

export interface RetryLimits {
  /** Attempts after the first. */
  readonly retries: number;
  /** The longest wait that a server may ask for. */
  readonly retryAfterCapMs: number;
}

/** Doubles from attempt to attempt: 500 ms, 1 s, 2 s. No jitter: one user's debugger, and journals that compare. */
const firstWaitMs = 500;

/** `attempt` counts from 1; `now` is epoch milliseconds, for the time at which a limit resets. */
export function planRetry(
  failure: ModelFailure,
  attempt: number,
  limits: RetryLimits,
  now: number,
): RetryPlan {
  const asked = failure.retryAfter ?? 0;
  if (asked > limits.retryAfterCapMs) return { retry: false, because: resets(asked, now) };
  if (!failure.retryable) return { retry: false, because: '' };
  if (attempt > limits.retries)
    return { retry: false, because: limits.retries > 0 ? `Given up after ${attempt} attempts.` : '' };
  return { retry: true, waitMs: asked > 0 ? asked : firstWaitMs * 2 ** (attempt - 1) };
}

function resets(ms: number, now: number): string {
  const at = new Date(now + ms);
  const when = Number.isNaN(at.getTime()) ? '' : `, at ${at.toISOString()}`;
  return `The server takes requests again in ${duration(ms)}${when}; that is too long to wait for.`;
}

function duration(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ] as const;
  const [size, unit] = units.find(([size]) => ms >= 2 * size) ?? [1000, 's'];
  return `${Math.round(ms / size)} ${unit}`;
}

import type { Outcome } from '../../core/events.ts';

/** What the process's exit code says, for scripts. */
export const exitCodes = {
  done: 0,
  crashed: 1,
  badInput: 2,
  stopped: 3,
  modelFailed: 4,
  cancelled: 130,
} as const;

export function exitCodeOf(outcome: Outcome): number {
  switch (outcome) {
    case 'done':
      return exitCodes.done;
    case 'crashed':
      return exitCodes.crashed;
    case 'limit':
    case 'blocked':
      return exitCodes.stopped;
    case 'failed':
    case 'refused':
      return exitCodes.modelFailed;
    case 'cancelled':
      return exitCodes.cancelled;
  }
}

/** DECIDE: how a run comes to its end, with words for people. */
import type { Outcome } from '../core/events.ts';
import { type JournalState } from '../core/journalState.ts';
import { callsOf } from '../core/messages.ts';
import type { ModelFailure } from '../core/ports.ts';
import { isEmptyReply, replyOf } from './replyOf.ts';

export interface End {
  readonly outcome: Outcome;
  readonly limit?: string;
}

/** Why a run is aborted that nobody cancelled: its journal can not be written. */
export class Unwritten extends Error {
  constructor(why: string) {
    super(
      `The journal can not be written (${why}). The run was stopped: nothing may happen in it that is not on record.`,
    );
  }
}

/** What the round that was just observed left behind. */
export interface Standing {
  readonly state: JournalState;
  readonly round: number;
  readonly failure: ModelFailure | undefined;
  /** Of the run: aborted by the user, or because of what its reason says. */
  readonly signal: AbortSignal;
  readonly maxRounds: number;
}

/** How the run ends after this round; undefined when it goes on. */
export function endOfRun({ state, round, failure, signal, maxRounds }: Standing): End | undefined {
  const reason: unknown = signal.reason;
  if (reason instanceof Unwritten) return { outcome: 'failed', limit: reason.message };
  if (signal.aborted) return { outcome: 'cancelled' };
  if (failure) return { outcome: outcomeOf(failure), limit: failure.message };
  const reply = replyOf(state);
  if (reply && isEmptyReply(reply))
    return { outcome: 'failed', limit: 'The model returned neither text nor calls.' };
  if (reply && callsOf(reply).length === 0) return { outcome: 'done' };
  return round >= maxRounds ? { outcome: 'limit', limit: `round limit (${maxRounds})` } : undefined;
}

function outcomeOf(failure: ModelFailure): Outcome {
  switch (failure.class) {
    case 'cancelled':
      return 'cancelled';
    case 'blocked':
      return 'blocked';
    case 'refused':
      return 'refused';
    default:
      return 'failed';
  }
}

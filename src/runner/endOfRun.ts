/** DECIDE: how a run comes to its end, with words for people. */
import type { Outcome } from '../core/events.ts';
import { currentRound, type JournalState } from '../core/journalState.ts';
import { callsOf } from '../core/messages.ts';
import type { ModelFailure } from '../core/ports.ts';
import { repeatedCall } from './callEntries.ts';
import { limitReached, type RunLimits } from './runLimits.ts';
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
  readonly failure: ModelFailure | undefined;
  /** Of the run: aborted by the user, or because of what its reason says. */
  readonly signal: AbortSignal;
  /** What the run may take. */
  readonly limits: RunLimits;
  /** Whether a run that repeats itself ends; under a debugger it is paused instead. */
  readonly endsOnRepetition: boolean;
}

/** How the run ends after this round; undefined when it goes on. */
export function endOfRun(standing: Standing): End | undefined {
  const { state, failure, signal, limits } = standing;
  if (signal.aborted) return endByAbort(signal);
  if (failure) return { outcome: outcomeOf(failure), limit: failure.message };
  const round = currentRound(state);
  const end = round && !round.ended ? endOfRound(standing) : undefined;
  if (end) return end;
  const { maxRounds } = limits;
  if ((round?.round ?? 0) >= maxRounds) return { outcome: 'limit', limit: `round limit (${maxRounds})` };
  const limit = round && limitReached(state, limits);
  return limit === undefined ? undefined : { outcome: 'limit', limit };
}

/** Why a run was aborted: its journal can't be written, or the user said so. */
export function endByAbort(signal: AbortSignal): End {
  const reason: unknown = signal.reason;
  return reason instanceof Unwritten
    ? { outcome: 'failed', limit: reason.message }
    : { outcome: 'cancelled' };
}

/** What a round by itself ends the run with. One that was over before (the run goes on after a limit) has had its say. */
function endOfRound({ state, endsOnRepetition }: Standing): End | undefined {
  const reply = replyOf(state);
  if (reply && isEmptyReply(reply))
    return { outcome: 'failed', limit: 'The model returned neither text nor calls.' };
  if (reply && callsOf(reply).length === 0) return { outcome: 'done' };
  const repetition = endsOnRepetition ? repetitionOf(state) : undefined;
  return repetition === undefined ? undefined : { outcome: 'limit', limit: `repeated calls: ${repetition}` };
}

/** What was repeated in this round, in the words of its anomaly. */
function repetitionOf(state: JournalState): string | undefined {
  const since = currentRound(state)?.seq ?? 0;
  return state.anomalies.findLast(({ code, seq }) => code === repeatedCall && seq > since)?.detail;
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

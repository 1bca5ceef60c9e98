import type { CheckpointKind, Outcome, PauseReason } from './events.ts';
import { currentRound, currentRun, type JournalState } from './journalState.ts';
import { knownEnd } from './knownEnd.ts';
import type { CallKey } from './messages.ts';

/** Where the session stands now, for a headline. */
export type StatusView =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'paused';
      readonly at: CheckpointKind;
      readonly reason: PauseReason;
      readonly hits: readonly string[];
      readonly run: number;
      readonly round: number;
      /** The call it stands before. */
      readonly call?: { readonly key: CallKey; readonly name: string };
    }
  | {
      readonly kind: 'running';
      /** `asking`: a call is about to run, unless the user says no. */
      readonly doing: 'packing' | 'model' | 'asking' | 'call' | 'observing';
      readonly round: number;
      readonly tool?: string;
    }
  | { readonly kind: 'ended'; readonly run: number; readonly outcome: Outcome; readonly limit?: string };

export function statusView(state: JournalState): StatusView {
  const run = currentRun(state);
  const round = currentRound(state);
  if (!run) return { kind: 'idle' };
  // At `end` the outcome says more than the pause.
  if (state.paused && state.checkpoint && !run.ended) {
    const { kind: at, key } = state.checkpoint;
    const call = round?.calls.find((one) => one.key === key);
    return {
      kind: 'paused',
      at,
      reason: state.paused.reason,
      hits: state.paused.hits,
      run: run.run,
      round: round?.round ?? 0,
      ...(call ? { call: { key: call.key, name: call.name } } : {}),
    };
  }
  if (run.ended) {
    const ended = knownEnd(state, run);
    if (!ended) return { kind: 'idle' };
    return { kind: 'ended', run: run.run, outcome: ended.outcome, ...limitOf(ended.limit) };
  }
  return running(state);
}

function limitOf(limit: string | undefined): { limit?: string } {
  return limit === undefined ? {} : { limit };
}

function running(state: JournalState): StatusView {
  const round = currentRound(state);
  const base = { kind: 'running' as const, round: round?.round ?? 0 };
  const call = round?.calls.find((one) => one.status === 'running');
  if (call) return { ...base, doing: 'call', tool: call.name };
  const next = state.checkpoint?.kind === 'act' ? state.checkpoint.key : undefined;
  const asked = round?.calls.find(({ key, status }) => key === next && status === 'waiting');
  if (asked) return { ...base, doing: 'asking', tool: asked.name };
  if (state.checkpoint?.kind === 'observe') return { ...base, doing: 'observing' };
  const last = round?.requests.at(-1);
  const attempt = last === undefined ? undefined : state.requests.get(last)?.attempts.at(-1);
  const isOpen = attempt && !attempt.replied && (!attempt.failed || attempt.failed.retryIn !== undefined);
  return { ...base, doing: isOpen ? 'model' : 'packing' };
}

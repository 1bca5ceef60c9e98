import { callAt, type JournalState } from './journalState.ts';
import type { CallKey } from './messages.ts';
import type { Applied } from './ops.ts';
import { offering, refuse } from './refusal.ts';
import { serialise } from './serialise.ts';

/** An observation of the user's in place of running a call; of one that has run the result can be edited instead. */
export function answerCall(
  state: JournalState,
  op: 'mock' | 'skip' | 'reject',
  key: CallKey,
  observation: unknown,
): Applied {
  const call = callAt(state, key);
  if (!call) return refuse('There is no call {0} in this round.', key);
  if (call.status === 'waiting')
    return { ok: true, edit: { op, target: key, after: serialise(observation), scope: 'pending' } };
  const refusal = refuse('Call {0} has already run; edit its result at observe instead.', key);
  const { message } = call;
  // What was skipped would be a lie about a call that ran.
  if (op === 'skip' || message === undefined) return refusal;
  const scope = state.messages.has(message) ? 'history' : 'pending';
  return offering(refusal, {
    kind: 'set',
    target: `${message}/content`,
    scope,
    value: serialise(observation),
  });
}

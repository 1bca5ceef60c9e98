/** Pins, and the user's word on what is in the request that is being made. */
import { blockOf } from './blockOf.ts';
import { dropProblem, notAtPlan, restoreProblem, unpinProblem } from './fateProblem.ts';
import type { JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';
import type { Applied } from './ops.ts';
import { offering, type Refusal, refuse } from './refusal.ts';
import { requestHistory } from './requestHistory.ts';

export function applyPin(state: JournalState, op: 'pin' | 'unpin', id: MessageId): Applied {
  return (
    unknownMessage(state, id) ??
    (op === 'unpin' ? unpinProblem(state, id) : undefined) ?? {
      ok: true,
      edit: { op, target: id, scope: 'history' },
    }
  );
}

export function applyFate(state: JournalState, op: 'drop' | 'restore', id: MessageId): Applied {
  const problem =
    notAtPlan(state) ??
    unknownMessage(state, id) ??
    (op === 'drop' ? dropProblem(state, id) : restoreProblem(state, id));
  if (problem) return problem;
  // Said of the block's first message, so that the last word on a block is the one that counts.
  return { ok: true, edit: { op, target: blockOf(state, id)[0] ?? id, scope: 'request' } };
}

function unknownMessage(state: JournalState, id: MessageId): Refusal | undefined {
  if (state.history.includes(id)) return undefined;
  if (!requestHistory(state).includes(id)) return refuse('There is no message {0} in the history.', id);
  return offering(refuse('{0} is in this request only: it can be edited or removed.', id), {
    kind: 'remove',
    target: id,
    scope: 'request',
  });
}

/**
 * Edits as values. Whoever edits (Variables, an editor, a panel, the Debug Console) says an `Op`; `apply`
 * is the one place that decides what it means and whether it is legal. It changes nothing itself: it
 * returns the `edited` to journal, and the fold of that is the change. An op that would come to nothing is
 * refused with the reason, never taken in silence; where a small change would be taken instead, it is offered.
 */
import { answerCall } from './answerCall.ts';
import { assertNever } from './assertNever.ts';
import type { EditKind, Scope } from './events.ts';
import { applyFate, applyPin } from './fateOps.ts';
import { insertOp } from './insertOp.ts';
import type { JournalState } from './journalState.ts';
import type { CallKey, MessageId } from './messages.ts';
import { type Refusal, refuse } from './refusal.ts';
import { removeOp } from './removeOp.ts';
import { setOp } from './setOp.ts';

export type Op =
  /** Sets a value inside a message, a request parameter or the working state: `m4/content`, `request/temperature`. */
  | { readonly kind: 'set'; readonly target: string; readonly scope: Scope; readonly value: unknown }
  | InsertOp
  | RemoveOp
  /** An assistant message with calls and its results leave and return together, whichever of them is named. */
  | { readonly kind: 'pin' | 'unpin' | 'drop' | 'restore'; readonly target: MessageId }
  /** Answers for the tool, without running it. */
  | { readonly kind: 'mock'; readonly target: CallKey; readonly data: unknown }
  | { readonly kind: 'skip'; readonly target: CallKey }
  | { readonly kind: 'reject'; readonly target: CallKey; readonly reason: string }
  /** At `reply`: the reply is set aside, and the loop goes back to the plan of the same round. */
  | { readonly kind: 'askAgain' };

export interface InsertOp {
  readonly kind: 'insert';
  /** `messages`, or the calls of the reply: `m5/tool_calls`. */
  readonly target: string;
  readonly scope: Scope;
  /** A message, or a list of those that are legal only together; a call as `{ name, arguments }`. */
  readonly value: unknown;
  /** Of messages: the one that they stand behind; without it they stand first. */
  readonly behind?: MessageId | undefined;
}

export interface RemoveOp {
  readonly kind: 'remove';
  /** A message, a call of one (`m5/tool_calls/1`), a request parameter that was edited (`request/temperature`). */
  readonly target: string;
  readonly scope: Scope;
  /** The messages that leave with it. */
  readonly also?: readonly MessageId[] | undefined;
}

/** What to journal: texts become parts, then one `edited`. */
export interface Edit {
  readonly op: EditKind;
  readonly target: string;
  readonly before?: string;
  readonly after?: string;
  readonly behind?: MessageId;
  /** See `Edited.with`: texts by id of what comes with it, ids of what leaves with it. */
  readonly with?: readonly (MessageId | readonly [id: MessageId, text: string])[];
  readonly scope: Scope;
}

/** `edit` is absent where the op is no edit: asking again is a verb. */
export type Applied = { readonly ok: true; readonly edit?: Edit } | Refusal;

/** Decides one op against the state as it stands. Pure; never throws. */
export function apply(state: JournalState, op: Op): Applied {
  const applied = decide(state, op);
  if (applied.ok || !applied.offer) return applied;
  // What is offered is taken when it is wanted; of several ops the later ones follow from the first.
  const [first] = applied.offer;
  if (first && decide(state, first).ok) return applied;
  const { offer: _offer, ...refusal } = applied;
  return refusal;
}

function decide(state: JournalState, op: Op): Applied {
  if (!state.paused) return refuse('The agent is running; pause it first.');
  switch (op.kind) {
    case 'set':
      return setOp(state, op);
    case 'insert':
      return insertOp(state, op);
    case 'remove':
      return removeOp(state, op);
    case 'pin':
    case 'unpin':
      return applyPin(state, op.kind, op.target);
    case 'drop':
    case 'restore':
      return applyFate(state, op.kind, op.target);
    case 'mock':
      return answerCall(state, op.kind, op.target, { success: true, data: op.data });
    case 'skip':
      return answerCall(state, op.kind, op.target, { success: false, error: 'skipped by the user' });
    case 'reject':
      return answerCall(state, op.kind, op.target, {
        success: false,
        error: op.reason ? `rejected by the user: ${op.reason}` : 'rejected by the user',
      });
    case 'askAgain':
      return state.checkpoint?.kind === 'reply'
        ? { ok: true }
        : refuse('The model can be asked again only at reply, before anything has acted on its reply.');
    default:
      return assertNever(op);
  }
}

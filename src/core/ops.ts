/**
 * Edits as values. Whoever edits (Variables, an editor, a panel, the Debug Console) says an `Op`; `apply`
 * is the one place that decides what it means and whether it is legal. It changes nothing itself: it
 * returns the `edited` to journal, and the fold of that is the change. An op that would come to nothing is
 * refused with the reason, never taken in silence.
 */
import { assertNever } from './assertNever.ts';
import { blockOf } from './blockOf.ts';
import type { EditKind, Scope } from './events.ts';
import { dropProblem, restoreProblem, unpinProblem } from './fateProblem.ts';
import { callAt, type JournalState } from './journalState.ts';
import type { CallKey, MessageId } from './messages.ts';
import { parameterProblem } from './parameterProblem.ts';
import { parseJson } from './parseMessage.ts';
import { setAtPointer, splitTarget } from './pointer.ts';
import { type Refusal, refuse } from './refusal.ts';
import { serialise } from './serialise.ts';
import { setMessage } from './setMessage.ts';

export type Op =
  /** Sets a value inside a message, a request parameter or the working state: `m4/content`, `request/temperature`. */
  | { readonly kind: 'set'; readonly target: string; readonly scope: Scope; readonly value: unknown }
  /** An assistant message with calls and its results leave and return together, whichever of them is named. */
  | { readonly kind: 'pin' | 'unpin' | 'drop' | 'restore'; readonly target: MessageId }
  /** Answers for the tool, without running it. */
  | { readonly kind: 'mock'; readonly target: CallKey; readonly data: unknown }
  | { readonly kind: 'skip'; readonly target: CallKey }
  | { readonly kind: 'reject'; readonly target: CallKey; readonly reason: string };

/** What to journal: texts become parts, then one `edited`. */
export interface Edit {
  readonly op: EditKind;
  readonly target: string;
  readonly before?: string;
  readonly after?: string;
  readonly scope: Scope;
}

export type Applied = { readonly ok: true; readonly edit: Edit } | Refusal;

/** Decides one op against the state as it stands. Pure; never throws. */
export function apply(state: JournalState, op: Op): Applied {
  if (!state.paused) return refuse('The agent is running; pause it first.');
  switch (op.kind) {
    case 'set':
      return applySet(state, op.target, op.scope, op.value);
    case 'pin':
    case 'unpin':
      return (
        unknownMessage(state, op.target) ??
        (op.kind === 'unpin' ? unpinProblem(state, op.target) : undefined) ??
        edit({ op: op.kind, target: op.target, scope: 'history' })
      );
    case 'drop':
    case 'restore':
      return applyFate(state, op.kind, op.target);
    case 'mock':
      return answer(state, op.kind, op.target, { success: true, data: op.data });
    case 'skip':
      return answer(state, op.kind, op.target, { success: false, error: 'skipped by the user' });
    case 'reject':
      return answer(state, op.kind, op.target, {
        success: false,
        error: op.reason ? `rejected by the user: ${op.reason}` : 'rejected by the user',
      });
    default:
      return assertNever(op);
  }
}

function edit(value: Edit): Applied {
  return { ok: true, edit: value };
}

function notAtPlan(state: JournalState): Refusal | undefined {
  return state.checkpoint?.kind === 'plan'
    ? undefined
    : refuse('A request can be changed only at plan, before it is sent.');
}

function unknownMessage(state: JournalState, id: MessageId): Refusal | undefined {
  return state.messages.has(id) ? undefined : refuse('There is no message {0} in the history.', id);
}

function applyFate(state: JournalState, op: 'drop' | 'restore', id: MessageId): Applied {
  const problem =
    notAtPlan(state) ??
    unknownMessage(state, id) ??
    (op === 'drop' ? dropProblem(state, id) : restoreProblem(state, id));
  // Said of the block's first message, so that the last word on a block is the one that counts.
  return problem ?? edit({ op, target: blockOf(state, id)[0] ?? id, scope: 'request' });
}

function answer(
  state: JournalState,
  op: 'mock' | 'skip' | 'reject',
  key: CallKey,
  observation: unknown,
): Applied {
  const call = callAt(state, key);
  if (!call) return refuse('There is no call {0} in this round.', key);
  if (call.status !== 'waiting')
    return refuse('Call {0} has already run; edit its result at observe instead.', key);
  return edit({ op, target: key, after: serialise(observation), scope: 'pending' });
}

function applySet(state: JournalState, target: string, scope: Scope, value: unknown): Applied {
  const [root, path] = splitTarget(target);
  if (scope === 'state') {
    return root === 'state'
      ? setState(state, path, value)
      : refuse('Name a value of the session, such as state/todos.');
  }
  return scope === 'request' && root === 'request'
    ? (notAtPlan(state) ?? setParameter(path, value))
    : setMessage(state, root, path, scope, value);
}

function setState(state: JournalState, path: string, value: unknown): Applied {
  const [key, inner] = splitTarget(path);
  if (key === '') return refuse('Name a value of the session, such as state/todos.');
  const part = state.working.get(key);
  const before = part === undefined ? undefined : state.parts.get(part);
  const changed = setAtPointer(parseJson(before ?? 'null'), inner, value);
  if (!changed.ok) return refuse('The working state has nothing at {0}.', path);
  return edit({
    op: 'set',
    target: `state/${key}`,
    ...(before === undefined ? {} : { before }),
    after: serialise(changed.value),
    scope: 'state',
  });
}

function setParameter(name: string, value: unknown): Applied {
  const target = `request/${name}`;
  return (
    parameterProblem(name, value) ?? edit({ op: 'set', target, after: serialise(value), scope: 'request' })
  );
}

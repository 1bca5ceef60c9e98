/** A value set inside a message (or a whole message), if the conversation stays legal with it. */
import { changeProblem } from './changeProblem.ts';
import { currentText } from './editText.ts';
import type { Scope } from './events.ts';
import type { JournalState } from './journalState.ts';
import { callsProblem, placeProblem, shapeProblem } from './messageProblem.ts';
import type { MessageId, WireMessage } from './messages.ts';
import type { Applied, Op } from './ops.ts';
import { isRecord, parseMessage } from './parseMessage.ts';
import { setAtPointer } from './pointer.ts';
import { offering, type Refusal, refuse } from './refusal.ts';
import { legalNameOf } from './repair.ts';
import { serialise } from './serialise.ts';

export function setMessage(
  state: JournalState,
  id: MessageId,
  path: string,
  scope: Scope,
  value: unknown,
): Applied {
  const target = path === '' ? id : `${id}/${path}`;
  const op = { kind: 'set', target, scope, value } as const;
  const misplaced = placeProblem(state, id, scope);
  if (misplaced) return offering(misplaced, ...inPlace(state, id, op));
  const before = currentText(state, id, scope);
  const message = before === undefined ? undefined : parseMessage(before);
  if (before === undefined || !message) return refuse('There is no message {0} to edit here.', id);
  const changed = setAtPointer(message, path, value);
  if (!changed.ok) return refuse('Message {0} has nothing at {1}.', id, path);
  const misshapen = shapeProblem(message, changed.value);
  if (misshapen) return offering(misshapen, ...asText(message, op, path));
  const next = changed.value as WireMessage;
  const recorded = callsProblem(state, id, scope, message, next);
  if (recorded) return scope === 'history' ? offering(recorded, { ...op, scope: 'request' }) : recorded;
  const problem = changeProblem(state, scope, { texts: new Map([[id, next]]) });
  if (problem) return offering(problem, ...legalValue(problem, op, path));
  return { ok: true, edit: { op: 'set', target, before, after: serialise(next), scope } };
}

type SetOp = Extract<Op, { kind: 'set' }>;

/** The same edit in the scope that the message is in, or once it is sent again. */
function inPlace(state: JournalState, id: MessageId, op: SetOp): Op[] {
  if (op.scope === 'pending' && state.history.includes(id)) return [{ ...op, scope: 'history' }];
  if (op.scope !== 'request' || state.checkpoint?.kind !== 'plan' || !state.history.includes(id)) return [];
  return [{ kind: 'restore', target: id }, op];
}

/** A value that stands where a text does, as a text. */
function asText(message: WireMessage, op: SetOp, path: string): Op[] {
  const { value, target } = op;
  if (path === 'content' && !isRecord(value)) return [{ ...op, value: serialise(value) }];
  return path === '' && typeof value === 'string' && typeof message.content === 'string'
    ? [{ ...op, target: `${target}/content` }]
    : [];
}

/** The same edit with a value that the API takes. */
function legalValue({ rule }: Refusal, op: SetOp, path: string): Op[] {
  const { value } = op;
  if (rule === 'bad-content' && value === null) return [{ ...op, value: '' }];
  if (typeof value !== 'string') return [];
  if (rule === 'duplicate-id' && path.endsWith('/id')) return [{ ...op, value: `${value}_2` }];
  if (rule === 'ill-formed') return [{ ...op, value: value.toWellFormed() }];
  return rule === 'bad-name' && path.endsWith('/name') ? [{ ...op, value: legalNameOf(value) }] : [];
}

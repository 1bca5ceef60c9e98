/**
 * Edits as values. Whoever edits (Variables, an editor, a panel, the Debug Console) says an `Op`; `apply`
 * is the one place that decides what it means and whether it is legal. It changes nothing itself: it
 * returns the `edited` to journal, and the fold of that is the change.
 */
import { assertNever } from './assertNever.ts';
import type { EditKind, Scope } from './events.ts';
import { callAt, currentRound, type JournalState, textOf } from './journalState.ts';
import { legal } from './legal.ts';
import type { CallKey, MessageId, WireMessage } from './messages.ts';
import { isRecord, parseJson, parseMessage } from './parseMessage.ts';
import { serialise } from './serialise.ts';
import { atPointer, setAtPointer, splitTarget } from './pointer.ts';

export type Op =
  /** Sets a value inside a message, a request parameter or the working state: `m4/content`, `request/temperature`. */
  | { readonly kind: 'set'; readonly target: string; readonly scope: Scope; readonly value: unknown }
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

export interface Refusal {
  readonly ok: false;
  /** For people, in English: which rule, and what would be taken. */
  readonly reason: string;
  /** The same for a translator: the sentence with `{0}`, `{1}`, …, and what stands there. */
  readonly sentence: string;
  readonly args: readonly string[];
}

/** Decides one op against the state as it stands. Pure; never throws. */
export function apply(state: JournalState, op: Op): Applied {
  if (!state.paused) return refuse('The agent is running; pause it first.');
  switch (op.kind) {
    case 'set':
      return applySet(state, op.target, op.scope, op.value);
    case 'pin':
    case 'unpin':
      return knownMessage(state, op.target) ?? edit({ op: op.kind, target: op.target, scope: 'history' });
    case 'drop':
    case 'restore':
      return (
        atPlan(state) ??
        knownMessage(state, op.target) ??
        edit({ op: op.kind, target: op.target, scope: 'request' })
      );
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

/** A refusal in words: `{0}`, `{1}`, … in the sentence stand for the arguments. */
export function refuse(sentence: string, ...args: readonly string[]): Refusal {
  const reason = sentence.replace(/\{(\d)\}/g, (_, n: string) => args[Number(n)] ?? '');
  return { ok: false, reason, sentence, args };
}

function atPlan(state: JournalState): Refusal | undefined {
  return state.checkpoint?.kind === 'plan'
    ? undefined
    : refuse('A request can be changed only at plan, before it is sent.');
}

function knownMessage(state: JournalState, id: MessageId): Refusal | undefined {
  return state.messages.has(id) ? undefined : refuse('There is no message {0} in the history.', id);
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
  switch (scope) {
    case 'state':
      return setState(state, path, value);
    case 'request':
      return (
        atPlan(state) ??
        (root === 'request' ? setParameter(path, value) : setMessage(state, root, path, scope, value))
      );
    case 'history':
      return knownMessage(state, root) ?? setMessage(state, root, path, scope, value);
    case 'pending':
      return setMessage(state, root, path, scope, value);
    default:
      return assertNever(scope);
  }
}

function setState(state: JournalState, path: string, value: unknown): Applied {
  const [key, inner] = splitTarget(path);
  const part = state.working.get(key);
  const before = part === undefined ? undefined : state.parts.get(part);
  const changed =
    inner === '' ? { ok: true as const, value } : setAtPointer(parseJson(before ?? 'null'), inner, value);
  if (!changed.ok) return refuse('The working state has nothing at {0}.', path);
  return edit({
    op: 'set',
    target: `state/${key}`,
    ...(before === undefined ? {} : { before }),
    after: serialise(changed.value),
    scope: 'state',
  });
}

const fixedParameters = new Set(['messages', 'tools', 'stream', 'stream_options']);

function setParameter(name: string, value: unknown): Applied {
  if (name === '' || name.includes('/'))
    return refuse('Name one request parameter, such as request/temperature.');
  if (fixedParameters.has(name))
    return refuse('{0} is assembled by Loopscope and can not be set here.', name);
  if (name === 'temperature' && !(typeof value === 'number' && value >= 0 && value <= 2)) {
    return refuse('temperature must be a number from 0 to 2.');
  }
  return edit({ op: 'set', target: `request/${name}`, after: serialise(value), scope: 'request' });
}

function setMessage(state: JournalState, id: MessageId, path: string, scope: Scope, value: unknown): Applied {
  const before = currentText(state, id, scope);
  const message = before === undefined ? undefined : parseMessage(before);
  if (before === undefined || !message) return refuse('There is no message {0} to edit here.', id);
  const done = executedCall(state, id, path);
  if (done) return done;
  const changed = path === '' ? { ok: true as const, value } : setAtPointer(message, path, value);
  if (!changed.ok) return refuse('Message {0} has nothing at {1}.', id, path);
  const bad = shapeProblem(message, changed.value);
  if (bad) return bad;
  const after = serialise(changed.value);
  const violation = wouldViolate(state, id, changed.value as WireMessage);
  if (violation) return violation;
  return edit({ op: 'set', target: path === '' ? id : `${id}/${path}`, before, after, scope });
}

/** The text of a message as an edit of that scope finds it. */
export function currentText(state: JournalState, id: MessageId, scope: Scope): string | undefined {
  const round = currentRound(state);
  if (scope === 'request') {
    const own = round?.requestEdits.texts.get(id);
    return own === undefined ? textOf(state, id) : state.parts.get(own);
  }
  if (scope === 'history') return textOf(state, id);
  const reply = round?.replies.at(-1);
  const part = reply?.message === id ? reply.part : round?.calls.find((call) => call.message === id)?.part;
  return part === undefined ? undefined : state.parts.get(part);
}

/** Arguments of a call that has run are history: changing them would make the record lie. */
function executedCall(state: JournalState, id: MessageId, path: string): Refusal | undefined {
  const index = /^tool_calls\/(\d+)\//.exec(path)?.[1];
  const round = currentRound(state);
  if (index === undefined || round?.replies.at(-1)?.message !== id) return undefined;
  const call = round.calls[Number(index)];
  return call && call.status !== 'waiting'
    ? refuse('Call {0} has already run with these arguments; edit its result at observe instead.', call.key)
    : undefined;
}

function shapeProblem(before: WireMessage, after: unknown): Refusal | undefined {
  if (!isRecord(after)) return refuse('A message must be a JSON object.');
  if (after['role'] !== before.role) {
    return refuse('The role of a message can not change (it is {0}).', before.role);
  }
  if (after['tool_call_id'] !== before.tool_call_id) {
    return refuse('A result must stay tied to its call (tool_call_id).');
  }
  const content = after['content'];
  const isText =
    content === null || content === undefined || typeof content === 'string' || Array.isArray(content);
  return isText ? undefined : refuse('content must be text.');
}

/** Whether the conversation would still be legal with this message in place of the one of that id. */
function wouldViolate(state: JournalState, id: MessageId, changed: WireMessage): Refusal | undefined {
  const before = conversation(state, id, undefined);
  const after = conversation(state, id, changed);
  const old = new Set(legal(before).map((violation) => `${violation.rule} ${violation.index}`));
  const fresh = legal(after).find((violation) => !old.has(`${violation.rule} ${violation.index}`));
  return fresh ? refuse('Refused ({0}): {1}.', fresh.rule, fresh.detail) : undefined;
}

/** History, then the pending reply with a result per call: what the next request would be built from. */
function conversation(state: JournalState, id: MessageId, changed: WireMessage | undefined): WireMessage[] {
  const messages: WireMessage[] = [];
  const add = (messageId: MessageId, text: string | undefined) => {
    const message =
      messageId === id && changed ? changed : text === undefined ? undefined : parseMessage(text);
    if (message) messages.push(message);
  };
  for (const one of state.history) add(one, textOf(state, one));
  const round = currentRound(state);
  const reply = round?.replies.at(-1);
  if (!reply || state.messages.has(reply.message)) return messages;
  add(reply.message, state.parts.get(reply.part));
  const block = messages.at(-1);
  for (const [index, call] of (block?.tool_calls ?? []).entries()) {
    const known = round?.calls[index];
    if (known?.message && known.part) add(known.message, state.parts.get(known.part));
    else messages.push({ role: 'tool', tool_call_id: call.id, content: 'pending' });
  }
  return messages;
}

/** The value at a target, for views that show what an edit would replace; undefined when there is none. */
export function valueAt(state: JournalState, target: string, scope: Scope): unknown {
  const [root, path] = splitTarget(target);
  if (scope === 'state') {
    const [key, inner] = splitTarget(path);
    const part = state.working.get(key);
    return part === undefined ? undefined : atPointer(parseJson(state.parts.get(part) ?? 'null'), inner);
  }
  const text = currentText(state, root, scope);
  return text === undefined ? undefined : atPointer(parseJson(text), path);
}

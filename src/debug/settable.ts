/** What an assignment in the Debug Console or to a Watch expression means: the op that sets the same. */
import * as l10n from '@vscode/l10n';
import type { Scope } from '../core/events.ts';
import { callAt, currentRound } from '../core/journalState.ts';
import type { MessageId } from '../core/messages.ts';
import type { Op } from '../core/ops.ts';
import { parseJson } from '../core/parseMessage.ts';
import { setAtPointer } from '../core/pointer.ts';
import { sentList } from '../core/sentList.ts';
import type { Place } from './expressionScope.ts';
import type { Write } from './sandbox.ts';

export type Settable =
  { readonly ok: true; readonly op: Op } | { readonly ok: false; readonly reason: string };

/**
 * The op for `messages[3].content`, `packed[0].content`, `reply.content`, `call.arguments`, `result.content`,
 * `request.temperature`, `session.todos`. Whether it is taken is for the op to say; here only what it names is found.
 */
export function settable({ path, json }: Write, place: Place): Settable {
  const name = path.map(stepOf).join('');
  if (json === undefined)
    return { ok: false, reason: l10n.t('Only JSON values can be set: {0} would be none.', name) };
  const value = parseJson(json);
  const [root = '', ...rest] = path;
  const round = currentRound(place.state);
  switch (root) {
    case 'messages':
      return inMessage(place.state.history[Number(rest[0])], rest.slice(1), 'history', value, name);
    case 'packed': {
      const sent = (round && sentList(place.state, round)?.items) ?? [];
      return inMessage(sent[Number(rest[0])]?.id, rest.slice(1), 'request', value, name);
    }
    case 'reply':
      return inMessage(round?.replies.at(-1)?.message, rest, 'pending', value, name);
    case 'result': {
      const results = round?.calls.flatMap(({ message }) => message ?? []) ?? [];
      return inMessage(results.at(-1), rest, 'pending', value, name);
    }
    case 'call':
      return inCall(place, place.at.key, rest, value, name);
    case 'fresh':
      return inFresh(place, rest, value, name);
    case 'request':
      return rest.length === 1 ? set(`request/${rest[0]}`, 'request', value) : notSettable(name);
    case 'session':
      return rest.length > 0 ? set(`state/${rest.join('/')}`, 'state', value) : notSettable(name);
    default:
      return notSettable(name);
  }
}

function stepOf(key: string, index: number): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)) return `[${JSON.stringify(key)}]`;
  return index === 0 ? key : `.${key}`;
}

function set(target: string, scope: Scope, value: unknown): Settable {
  return { ok: true, op: { kind: 'set', target, scope, value } };
}

function notSettable(name: string): Settable {
  const reason = l10n.t(
    '{0} can not be set. What can: messages[…].content, packed[…].content, reply.content, call.arguments, result.content, request.…, session.…',
    name,
  );
  return { ok: false, reason };
}

function inMessage(
  id: MessageId | undefined,
  path: readonly string[],
  scope: Scope,
  value: unknown,
  name: string,
): Settable {
  if (id === undefined || path.length === 0 || path[0] === 'id') return notSettable(name);
  // The wire has arguments as text, people have them as JSON.
  const isArguments = path.at(-1) === 'arguments' && path.at(-2) === 'function';
  const wire = isArguments && typeof value !== 'string' ? JSON.stringify(value) : value;
  return set([id, ...path].join('/'), scope, wire);
}

/** `call.arguments` is the value; what is set is the text that the wire has. */
function inCall(
  place: Place,
  key: string | undefined,
  path: readonly string[],
  value: unknown,
  name: string,
): Settable {
  const call = key === undefined ? undefined : callAt(place.state, key);
  const reply = currentRound(place.state)?.replies.at(-1)?.message;
  if (!call || reply === undefined || path[0] !== 'arguments') return notSettable(name);
  const whole = setAtPointer({ arguments: parseJson(call.arguments) }, path.join('/'), value);
  const added = whole.ok ? undefined : withNewKey(parseJson(call.arguments), path.slice(1), value);
  const next = whole.ok ? (whole.value as { readonly arguments: unknown }).arguments : added;
  if (next === undefined) return notSettable(name);
  const target = `${reply}/tool_calls/${call.position - 1}/function/arguments`;
  return set(target, 'pending', typeof next === 'string' ? next : JSON.stringify(next));
}

/** A key that is not there yet; undefined where nothing takes one. */
function withNewKey(value: unknown, path: readonly string[], leaf: unknown): unknown {
  const key = path[0];
  if (path.length !== 1 || key === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries([...Object.entries(value), [key, leaf]]);
}

function inFresh(
  place: Place,
  [list, index, ...rest]: readonly string[],
  value: unknown,
  name: string,
): Settable {
  const { state } = place;
  const calls = currentRound(state)?.calls ?? [];
  if (list === 'calls') return inCall(place, calls[Number(index)]?.key, rest, value, name);
  if (list !== 'results') return notSettable(name);
  const results = calls.flatMap(({ message }) => message ?? []);
  return inMessage(results[Number(index)], rest, 'pending', value, name);
}

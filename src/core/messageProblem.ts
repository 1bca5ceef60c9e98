/**
 * Why a message can't be changed as asked: where it stands, what it must stay, what has already happened.
 *
 * | | `reply` | `act` | `observe` | `plan`, `end` |
 * | --- | --- | --- | --- | --- |
 * | pending reply: its text | yes | yes | yes | it has entered the history |
 * | pending reply: calls | yes, also how many | those that have not run | no | no |
 * | pending results: their text | – | those that have run | yes | no |
 * | history: text | yes | yes | yes | yes |
 * | history: calls | no: they were answered | no | no | no |
 * | this request: text, names and arguments | no | no | no | `plan` only |
 */
import type { Scope } from './events.ts';
import { isDropped, notAtPlan } from './fateProblem.ts';
import { type CallState, currentRound, type JournalState } from './journalState.ts';
import { callsOf, type MessageId, type WireMessage } from './messages.ts';
import { isRecord } from './parseMessage.ts';
import { type Refusal, refuse } from './refusal.ts';
import { requestHistory } from './requestHistory.ts';
import { sameJson } from './sameJson.ts';

/** Why nothing of this message can be changed here and now. */
export function placeProblem(state: JournalState, id: MessageId, scope: Scope): Refusal | undefined {
  const kind = state.checkpoint?.kind;
  const isKnown = state.history.includes(id);
  switch (scope) {
    case 'request':
      if (kind !== 'plan') return notAtPlan(state);
      if (!requestHistory(state).includes(id)) return refuse('There is no message {0} in the history.', id);
      return isDropped(state, id)
        ? refuse('{0} is not sent, since you dropped it; restore it first.', id)
        : undefined;
    case 'pending':
      if (isKnown) return refuse('{0} has entered the history; edit it under Messages, for good.', id);
      return kind === 'reply' || kind === 'act' || kind === 'observe'
        ? undefined
        : refuse('Nothing waits to enter the history here: a reply can be changed from reply to observe.');
    default:
      return isKnown ? undefined : refuse('There is no message {0} in the history.', id);
  }
}

/** Role, ties and form: what a message must stay whatever is edited in it. */
export function shapeProblem(before: WireMessage, after: unknown): Refusal | undefined {
  if (!isRecord(after)) return refuse('A message must be a JSON object.');
  if (after['role'] !== before.role)
    return refuse('The role of a message can not change (it is {0}).', before.role);
  if (after['tool_call_id'] !== before.tool_call_id)
    return refuse('A result must stay tied to its call (tool_call_id).');
  const content = after['content'];
  const isText =
    content === null || content === undefined || typeof content === 'string' || Array.isArray(content);
  if (!isText) return refuse('content must be text.');
  const calls = after['tool_calls'];
  if (calls === undefined || sameJson(calls, before.tool_calls)) return undefined;
  if (before.role !== 'assistant') return refuse('Only a reply of the model has calls.');
  return Array.isArray(calls) && calls.length > 0 && calls.every(isCall)
    ? undefined
    : refuse(
        'tool_calls must be a list of calls, each with id, type "function", name and arguments as text.',
      );
}

function isCall(value: unknown): boolean {
  if (!isRecord(value) || value['type'] !== 'function' || typeof value['id'] !== 'string') return false;
  const called = value['function'];
  return isRecord(called) && typeof called['name'] === 'string' && typeof called['arguments'] === 'string';
}

/** Calls that were acted on are a record: what ran, and how many there were, does not change afterwards. */
export function callsProblem(
  state: JournalState,
  id: MessageId,
  scope: Scope,
  before: WireMessage,
  after: WireMessage,
): Refusal | undefined {
  const [old, next] = [callsOf(before), callsOf(after)];
  if (scope === 'pending' && isOpenReply(state)) return undefined;
  if (old.length !== next.length || old.some((call, index) => call.id !== next[index]?.id)) {
    return refuse('How many calls there are, and their ids, can not change once one of them was answered.');
  }
  const changed = old.findIndex((call, index) => !sameJson(call, next[index]));
  return changed < 0 ? undefined : callProblem(state, id, scope, changed);
}

/** Why the call at an index of a message can't be changed (its name, its arguments); undefined when it can. */
export function callProblem(
  state: JournalState,
  id: MessageId,
  scope: Scope,
  index: number,
): Refusal | undefined {
  if (scope === 'request') return undefined;
  if (scope === 'history')
    return refuse(
      'Call {0} of {1} was answered: it is a record. Edit it for one request at plan, or its result.',
      String(index + 1),
      id,
    );
  const call: CallState | undefined = currentRound(state)?.calls[index];
  return call && call.status !== 'waiting'
    ? refuse('Call {0} has already run with these arguments; edit its result at observe instead.', call.key)
    : undefined;
}

/** Nothing of the reply was acted on, and nothing decided about its calls: their positions may change. */
export function isOpenReply(state: JournalState): boolean {
  return state.checkpoint?.kind === 'reply' && !currentRound(state)?.calls.some((call) => call.verdict);
}

/** A value set inside a message (or a whole message), if the conversation stays legal with it. */
import type { Scope } from './events.ts';
import { currentText } from './editText.ts';
import { currentRound, type JournalState, textOf } from './journalState.ts';
import { legal } from './legal.ts';
import { callsProblem, placeProblem, shapeProblem } from './messageProblem.ts';
import type { MessageId, WireMessage } from './messages.ts';
import type { Applied } from './ops.ts';
import { parseMessage } from './parseMessage.ts';
import { setAtPointer } from './pointer.ts';
import { type Refusal, refuse } from './refusal.ts';
import { serialise } from './serialise.ts';

export function setMessage(
  state: JournalState,
  id: MessageId,
  path: string,
  scope: Scope,
  value: unknown,
): Applied {
  const misplaced = placeProblem(state, id, scope);
  if (misplaced) return misplaced;
  const before = currentText(state, id, scope);
  const message = before === undefined ? undefined : parseMessage(before);
  if (before === undefined || !message) return refuse('There is no message {0} to edit here.', id);
  const changed = setAtPointer(message, path, value);
  if (!changed.ok) return refuse('Message {0} has nothing at {1}.', id, path);
  const misshapen = shapeProblem(message, changed.value);
  if (misshapen) return misshapen;
  const next = changed.value as WireMessage;
  const problem = callsProblem(state, id, scope, message, next) ?? legalProblem(state, id, message, next);
  if (problem) return problem;
  const target = path === '' ? id : `${id}/${path}`;
  return { ok: true, edit: { op: 'set', target, before, after: serialise(next), scope } };
}

/** What the change would make illegal that was not so before. */
function legalProblem(
  state: JournalState,
  id: MessageId,
  before: WireMessage,
  after: WireMessage,
): Refusal | undefined {
  const name = ({ rule, index, detail }: ReturnType<typeof legal>[number]) => `${rule} ${index} ${detail}`;
  const old = new Set(legal(conversation(state, id, before)).map(name));
  const fresh = legal(conversation(state, id, after)).find((violation) => !old.has(name(violation)));
  return fresh && refuse('Refused ({0}): {1}.', fresh.rule, fresh.detail);
}

/** History, then the pending reply with a result per call: what the next request would be built from. */
function conversation(state: JournalState, id: MessageId, changed: WireMessage): WireMessage[] {
  const messages: WireMessage[] = [];
  const add = (messageId: MessageId, text: string | undefined) => {
    const message = messageId === id ? changed : parseMessage(text ?? '');
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

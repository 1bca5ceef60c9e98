/** Whether the conversation stays legal with a change: what the change would break that was not broken before. */
import { currentText } from './editText.ts';
import type { Scope } from './events.ts';
import { currentRound, type JournalState, textOf } from './journalState.ts';
import { legal } from './legal.ts';
import { callsOf, type MessageId, type WireMessage } from './messages.ts';
import { parseMessage } from './parseMessage.ts';
import { type Refusal, refuse } from './refusal.ts';
import { requestHistory } from './requestHistory.ts';

/** What an op makes of a conversation. */
export interface Change {
  /** Messages with another text. */
  readonly texts?: ReadonlyMap<MessageId, WireMessage>;
  readonly gone?: ReadonlySet<MessageId>;
  readonly added?: Added;
}

export interface Added {
  /** The message that they stand behind; without it they stand first. */
  readonly behind?: MessageId | undefined;
  readonly messages: readonly (readonly [id: MessageId, message: WireMessage])[];
}

/** What would be illegal then, in the history with what waits to enter it and in the request that is being made. */
export function changeProblem(state: JournalState, scope: Scope, change: Change): Refusal | undefined {
  const found = freshViolation(state, scope, change);
  if (found || scope !== 'history' || state.checkpoint?.kind !== 'plan') return found;
  const own = currentRound(state)?.requestEdits;
  if (!own) return undefined;
  // A text of this request's own stays what is sent.
  const texts = new Map([...(change.texts ?? [])].filter(([id]) => !own.texts.has(id)));
  return freshViolation(state, 'request', { ...change, texts });
}

type Entry = readonly [id: MessageId, message: WireMessage];

function freshViolation(state: JournalState, scope: Scope, change: Change): Refusal | undefined {
  const old = new Set(violations(conversation(state, scope, {})).map(({ name }) => name));
  const fresh = violations(conversation(state, scope, change)).find(({ name }) => !old.has(name));
  if (!fresh) return undefined;
  return { ...refuse('Refused ({0}): {1}.', fresh.rule, fresh.detail), rule: fresh.rule };
}

/** Named by the message and not by its place: what is put in or taken out moves all places behind it. */
function violations(entries: readonly Entry[]) {
  return legal(entries.map(([, message]) => message)).map(({ rule, index, detail }) => ({
    rule,
    detail,
    name: `${rule} ${entries[index]?.[0] ?? ''} ${detail}`,
  }));
}

/** What the next request would be built from: the history with what waits to enter it, or this very request. */
function conversation(state: JournalState, scope: Scope, change: Change): Entry[] {
  const standing = scope === 'request' ? requestEntries(state) : historyEntries(state);
  const { texts, gone, added } = change;
  const entries: Entry[] = added && added.behind === undefined ? [...added.messages] : [];
  for (const [id, message] of standing) {
    if (!gone?.has(id)) entries.push([id, texts?.get(id) ?? message]);
    if (added && added.behind === id) entries.push(...added.messages);
  }
  return scope === 'request' ? entries : [...entries, ...pendingEntries(state, texts)];
}

function requestEntries(state: JournalState): Entry[] {
  const removed = currentRound(state)?.requestEdits.removed;
  return requestHistory(state).flatMap((id) =>
    removed?.has(id) ? [] : entry(id, currentText(state, id, 'request')),
  );
}

function historyEntries(state: JournalState): Entry[] {
  return state.history.flatMap((id) => entry(id, textOf(state, id)));
}

/** The reply that waits, with a result per call: what a call has not answered yet is made up. */
function pendingEntries(state: JournalState, texts: Change['texts']): Entry[] {
  const round = currentRound(state);
  const reply = round?.replies.at(-1);
  if (!reply || state.messages.has(reply.message)) return [];
  const message = texts?.get(reply.message) ?? parseMessage(state.parts.get(reply.part) ?? '');
  if (!message) return [];
  const results = callsOf(message).flatMap((call, index): Entry[] => {
    const { message: id, part } = round?.calls[index] ?? {};
    if (id === undefined || part === undefined)
      return [[`${reply.message}/${index}`, { role: 'tool', tool_call_id: call.id, content: 'pending' }]];
    const own = texts?.get(id);
    return own ? [[id, own]] : entry(id, state.parts.get(part));
  });
  return [[reply.message, message], ...results];
}

function entry(id: MessageId, text: string | undefined): Entry[] {
  const message = parseMessage(text ?? '');
  return message ? [[id, message]] : [];
}

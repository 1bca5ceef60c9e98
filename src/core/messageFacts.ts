/**
 * What legality and egress ask of a message, found once: a history of a thousand messages is judged before
 * every request, and reading all of them anew each time would make round 500 cost what round 1 does not.
 */
import type { JournalState } from './journalState.ts';
import { callsOf, type WireMessage } from './messages.ts';
import { isRecord, parseJson, parseMessage } from './parseMessage.ts';
import { wellFormedJson } from './serialise.ts';

export interface MessageFacts {
  readonly role: string;
  readonly calls: readonly CallFacts[];
  /** The id of the call that a result answers. */
  readonly answers: unknown;
  /** Fields of an assistant message, and of calls in it, that the API does not define: its provider's own. */
  readonly own: readonly string[];
  /** What is wrong with the message by itself, wherever it stands. */
  readonly faults: readonly Fault[];
}

export interface CallFacts {
  readonly id: string;
  /** Its arguments are the well-formed text of a JSON object, as the API demands. */
  readonly isObject: boolean;
}

export interface Fault {
  readonly rule: OwnRule;
  readonly detail: string;
}

export type OwnRule =
  'role' | 'empty-assistant' | 'duplicate-id' | 'bad-name' | 'bad-arguments' | 'bad-content' | 'ill-formed';

/** Names the API takes (OpenAI: function names are letters, digits, `_` and `-`, 64 at most). */
export const legalName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Never throws, whatever a text held. */
export function messageFacts(message: WireMessage): MessageFacts {
  if (!isRecord(message)) {
    const detail = 'a message must be an object with a role';
    return { role: '', calls: [], answers: undefined, own: [], faults: [{ rule: 'role', detail }] };
  }
  const calls = message.role === 'assistant' ? callsOf(message) : [];
  const known = calls.map((call) => ({ id: call.id, isObject: isObjectText(call.function?.arguments) }));
  const faults = [...ownFaults(message)];
  if (!wellFormed(message)) faults.push({ rule: 'ill-formed', detail: 'a text holds half a surrogate pair' });
  const own = message.role === 'assistant' ? ownFields(message) : [];
  return { role: message.role, calls: known, answers: message.tool_call_id, own, faults };
}

const messageFields: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'name']);
const callFields: ReadonlySet<string> = new Set(['id', 'type', 'function']);

/** Fields that the API does not define, of a message or of a call. */
export function isOwnField(name: string, of: 'message' | 'call'): boolean {
  return !(of === 'message' ? messageFields : callFields).has(name);
}

function ownFields(message: WireMessage): string[] {
  const ofCalls = callsOf(message).flatMap((call) => Object.keys(isRecord(call) ? call : {}));
  return [
    ...Object.keys(message).filter((name) => isOwnField(name, 'message')),
    ...ofCalls.filter((name) => isOwnField(name, 'call')),
  ];
}

const cache = new WeakMap<JournalState, Map<string, MessageFacts | undefined>>();

/** The facts of a text of this session; undefined when it holds no message. Found once per text. */
export function factsOfText(state: JournalState, text: string): MessageFacts | undefined {
  let known = cache.get(state);
  if (!known) cache.set(state, (known = new Map<string, MessageFacts | undefined>()));
  if (known.has(text)) return known.get(text);
  const message = parseMessage(text);
  const facts = message && messageFacts(message);
  known.set(text, facts);
  return facts;
}

function ownFaults(message: WireMessage): Fault[] {
  switch (message.role as string) {
    case 'system':
    case 'developer':
    case 'user':
    case 'tool':
      return contentFaults(message);
    case 'assistant':
      return assistantFaults(message);
    default:
      return [{ rule: 'role', detail: `unknown role ${JSON.stringify(message.role)}` }];
  }
}

function assistantFaults(message: WireMessage): Fault[] {
  const calls = callsOf(message);
  const { content } = message;
  const isEmpty = content === undefined || content === null || content.length === 0;
  const faults = calls.flatMap((call): Fault[] => {
    const name = call.function?.name;
    const text = call.function?.arguments;
    const found: Fault[] = [];
    if (typeof call.id !== 'string' || call.id === '')
      found.push({ rule: 'duplicate-id', detail: 'a call has no id' });
    if (typeof name !== 'string' || !legalName.test(name))
      found.push({ rule: 'bad-name', detail: `tool name ${JSON.stringify(name)} is not legal` });
    if (!isObjectText(text)) {
      const shown = String(text).slice(0, 80);
      const detail = `arguments of ${String(name)} are not a JSON object: ${shown}`;
      found.push({ rule: 'bad-arguments', detail });
    }
    return found;
  });
  if (!isEmpty) faults.push(...contentFaults(message));
  const listed: unknown = message.tool_calls;
  const isList = Array.isArray(listed) && listed.length > 0 && listed.length === calls.length;
  if (listed !== undefined && !isList) {
    const detail = 'tool_calls must be a list of calls with a name and arguments, or not be there';
    faults.push({ rule: 'bad-content', detail });
  }
  if (!isEmpty || calls.length > 0) return faults;
  return [...faults, { rule: 'empty-assistant', detail: 'an assistant message has neither text nor calls' }];
}

function contentFaults({ role, content }: WireMessage): Fault[] {
  if (typeof content === 'string') return [];
  if (Array.isArray(content) && content.length > 0 && content.every((item) => isRecord(item))) return [];
  return [{ rule: 'bad-content', detail: `content of a ${role} message must be text or a list of parts` }];
}

/** Also of half a surrogate pair that is written as an escape: it only shows when a server parses the text. */
function isObjectText(text: unknown): boolean {
  return typeof text === 'string' && wellFormedJson(text) === text && isRecord(parseJson(text));
}

/** With a list of its own and not by recursion: a value may be nested deeper than the stack. */
function wellFormed(message: unknown): boolean {
  const open: unknown[] = [message];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, field] of Object.entries(value)) {
      if (!key.isWellFormed()) return false;
      open.push(field);
    }
  }
  return true;
}

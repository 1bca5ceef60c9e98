/**
 * What leaves is always legal, whatever the history holds: arguments that are no JSON object are sent as
 * `{}` (the history keeps what the model wrote) and lose what is half a character, and call ids that occur twice are made unique in call
 * and result together. Fields that one provider added to its replies go back to that provider alone.
 * Texts that need nothing leave as they are.
 */
import { createHash } from 'node:crypto';
import { isOwnField, type MessageFacts } from '../core/messageFacts.ts';
import { callsOf, type WireCall } from '../core/messages.ts';
import { isRecord, parseJson, parseMessage } from '../core/parseMessage.ts';
import { serialise, wellFormedJson } from '../core/serialise.ts';

export interface Outgoing {
  readonly text: string;
  /** Undefined for a text that is no message: it leaves as it is, and `legal` stops it. */
  readonly facts: MessageFacts | undefined;
  /** It came from another end point than the one that is asked. */
  readonly foreign?: boolean;
}

/** What was changed on the way out, if anything. */
export type Change = 'ids' | 'arguments' | 'fields' | 'role';

export interface Sent {
  readonly text: string;
  readonly changes: readonly Change[];
}

/** How a server wants messages: see `Dialect`. */
export interface MessageDialect {
  readonly systemRole: 'system' | 'developer';
  readonly withoutFields: ReadonlySet<string>;
  readonly shortIds: boolean;
}

const plain: MessageDialect = { systemRole: 'system', withoutFields: new Set(), shortIds: false };

/** The texts as a strict server takes them. Pairs results with calls by position in the block. */
export function rewire(messages: readonly Outgoing[], dialect: MessageDialect = plain): Sent[] {
  return messages.map(createRewiring(dialect));
}

/** The same of one message after the other, in the order in which they are sent. */
export function createRewiring(dialect: MessageDialect): (message: Outgoing) => Sent {
  const used = new Set<string>();
  let block: string[] = [];
  return ({ text, facts, foreign = false }) => {
    if (facts?.role === 'assistant') {
      const ids = facts.calls.map(({ id }) =>
        dialect.shortIds ? shortId(id, used) : uniqueId(foreign ? portableId(id) : id, used),
      );
      block = [...ids];
      return assistant(text, facts, ids, (name) => foreign || dialect.withoutFields.has(name));
    }
    if (facts?.role === 'system' && dialect.systemRole !== 'system')
      return { text: serialise({ ...parseMessage(text), role: dialect.systemRole }), changes: ['role'] };
    const expected = facts?.role === 'tool' ? block.shift() : undefined;
    if (expected === undefined || expected === facts?.answers) return { text, changes: [] };
    return { text: serialise({ ...parseMessage(text), tool_call_id: expected }), changes: ['ids'] };
  };
}

function assistant(
  text: string,
  facts: MessageFacts,
  ids: readonly string[],
  leftOut: (name: string) => boolean,
): Sent {
  const changes: Change[] = [
    ...(facts.calls.every(({ id }, index) => id === ids[index]) ? [] : (['ids'] as const)),
    ...(facts.calls.every(({ isObject }) => isObject) ? [] : (['arguments'] as const)),
    ...(facts.own.some(leftOut) ? (['fields'] as const) : []),
  ];
  const message = changes.length === 0 ? undefined : parseMessage(text);
  if (!message) return { text, changes: [] };
  const calls = callsOf(message).map((call, index): WireCall => {
    const { arguments: text } = call.function;
    const own = facts.calls[index]?.isObject ? text : objectText(text);
    const id = ids[index] ?? call.id;
    return { ...without(call, 'call', leftOut), id, function: { ...call.function, arguments: own } };
  });
  const kept = without(message, 'message', leftOut);
  return { text: serialise(calls.length === 0 ? kept : { ...kept, tool_calls: calls }), changes };
}

/** Arguments that a strict server takes: the same without half pairs, or none where they are no object. */
function objectText(text: unknown): string {
  const whole = typeof text === 'string' ? wellFormedJson(text) : '';
  return isRecord(parseJson(whole)) ? whole : '{}';
}

function without<T extends object>(value: T, of: 'message' | 'call', leftOut: (name: string) => boolean): T {
  const kept = Object.entries(value).filter(([name]) => !(isOwnField(name, of) && leftOut(name)));
  return Object.fromEntries(kept) as T;
}

/** An id that any server takes; its own provider gets the one that it gave. */
function portableId(id: string): string {
  return id.replace(/[^\w-]/g, '_').slice(0, longestId);
}

/** Characters that the API takes; one that a provider gave it gets back as it is, however long. */
const longestId = 40;

/** Nine letters and digits, always the same for an id and the times that it was used before. */
function shortId(id: string, used: Set<string>): string {
  let short = /^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id);
  for (let n = 2; used.has(short); n++) short = digest(`${id} ${n}`);
  used.add(short);
  return short;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 9);
}

function uniqueId(id: string, used: Set<string>): string {
  let unique = id;
  for (let n = 2; used.has(unique); n++) unique = `${id.slice(0, longestId - `_${n}`.length)}_${n}`;
  used.add(unique);
  return unique;
}

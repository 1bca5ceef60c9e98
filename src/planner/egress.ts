/**
 * What leaves is always legal, whatever the history holds: arguments that are no JSON object are sent as
 * `{}` (the history keeps what the model wrote), and call ids that occur twice are made unique in call
 * and result together. Texts that need nothing leave as they are.
 */
import type { CallFacts, MessageFacts } from '../core/messageFacts.ts';
import { callsOf, type WireCall } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { serialise } from '../core/serialise.ts';

export interface Outgoing {
  readonly text: string;
  /** Undefined for a text that is no message: it leaves as it is, and `legal` stops it. */
  readonly facts: MessageFacts | undefined;
}

/** The texts as a strict server takes them. Pairs results with calls by position in the block. */
export function rewire(messages: readonly Outgoing[]): string[] {
  const used = new Set<string>();
  let block: string[] = [];
  return messages.map(({ text, facts }) => {
    if (facts?.role === 'assistant') {
      const ids = facts.calls.map(({ id }) => uniqueId(id, used));
      block = [...ids];
      return facts.calls.every((call, index) => call.isObject && call.id === ids[index])
        ? text
        : assistantText(text, facts.calls, ids);
    }
    if (facts?.role !== 'tool') return text;
    const expected = block.shift();
    if (expected === undefined || expected === facts.answers) return text;
    return serialise({ ...parseMessage(text), tool_call_id: expected });
  });
}

function assistantText(text: string, facts: readonly CallFacts[], ids: readonly string[]): string {
  const message = parseMessage(text);
  const sent = (message ? callsOf(message) : []).map((call, index): WireCall => {
    const id = ids[index] ?? call.id;
    const own = facts[index]?.isObject ? call.function.arguments : '{}';
    return { ...call, id, function: { ...call.function, arguments: own } };
  });
  return serialise({ ...message, tool_calls: sent });
}

function uniqueId(id: string, used: Set<string>): string {
  let unique = id;
  for (let n = 2; used.has(unique); n++) unique = `${id}_${n}`;
  used.add(unique);
  return unique;
}

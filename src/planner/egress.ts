/**
 * What leaves is always legal, whatever the history holds: arguments that are no JSON object are sent as
 * `{}` (the history keeps what the model wrote), and call ids that occur twice are made unique in call
 * and result together. Texts that need nothing leave as they are.
 */
import { callsOf, type MessageId, type WireCall, type WireMessage } from '../core/messages.ts';
import { isRecord, parseJson, parseMessage } from '../core/parseMessage.ts';
import { serialise } from '../core/serialise.ts';

export interface Outgoing {
  readonly id: MessageId;
  readonly text: string;
}

/** The same messages with texts that a strict server takes. Pairs results with calls by position in the block. */
export function rewire(messages: readonly Outgoing[]): Outgoing[] {
  const used = new Set<string>();
  let block: string[] = [];
  return messages.map(({ id, text }) => {
    const message = parseMessage(text);
    if (message?.role === 'assistant') {
      const calls = callsOf(message);
      const ids = calls.map((call) => uniqueId(call.id, used));
      block = [...ids];
      return { id, text: calls.length === 0 ? text : assistantText(text, message, ids) };
    }
    if (message?.role !== 'tool') return { id, text };
    const expected = block.shift();
    if (expected === undefined || expected === message.tool_call_id) return { id, text };
    return { id, text: serialise({ ...message, tool_call_id: expected }) };
  });
}

function assistantText(text: string, message: WireMessage, ids: readonly string[]): string {
  const calls = callsOf(message);
  const sent = calls.map((call, index): WireCall => {
    const id = ids[index] ?? call.id;
    const legal = isRecord(parseJson(call.function.arguments));
    if (legal && id === call.id) return call;
    return { ...call, id, function: { ...call.function, arguments: legal ? call.function.arguments : '{}' } };
  });
  return sent.every((call, index) => call === calls[index])
    ? text
    : serialise({ ...message, tool_calls: sent });
}

function uniqueId(id: string, used: Set<string>): string {
  let unique = id;
  for (let n = 2; used.has(unique); n++) unique = `${id}_${n}`;
  used.add(unique);
  return unique;
}

import type { WireCall, WireMessage } from '../core/messages.ts';
import { isRecord } from '../core/parseMessage.ts';
import { wellFormedJson } from '../core/serialise.ts';
import type { Notes } from './readReplyNotes.ts';

/** The reply as a message of the history: well-formed text throughout, the provider's own fields kept. */
export function replyMessage(
  content: string | null,
  extra: Readonly<Record<string, unknown>>,
  calls: readonly WireCall[],
  notes: Notes,
): WireMessage {
  const message: WireMessage = {
    role: 'assistant',
    content,
    ...extra,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const whole = wellFormed(message) as WireMessage;
  // Half a pair may also hide in argument text, as an escape that only shows when a server parses it.
  const checked =
    calls.length === 0 ? whole : { ...whole, tool_calls: (whole.tool_calls ?? []).map(checkedCall) };
  if (JSON.stringify(checked) !== JSON.stringify(message)) {
    notes.add(
      'lone-surrogate',
      'the text held half a surrogate pair, which strict servers refuse; it became U+FFFD',
    );
  }
  return checked;
}

function checkedCall(call: WireCall): WireCall {
  return { ...call, function: { ...call.function, arguments: wellFormedJson(call.function.arguments) } };
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key.toWellFormed(), wellFormed(field)]),
  );
}

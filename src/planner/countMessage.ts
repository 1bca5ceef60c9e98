import { callsOf, contentText, type WireMessage } from '../core/messages.ts';
import type { CountTokens } from '../core/ports.ts';

/** Tokens that frame each message (role and separators), and each request once (the reply's opening). */
export const messageFraming = 4;
export const requestFraming = 3;

/** Tokens of one message as sent: its texts and framing. */
export function countMessage(message: WireMessage, count: CountTokens): number {
  return countedTexts(message).reduce((sum, text) => sum + count(text), messageFraming);
}

/** What is counted of a message: its text, the calls' names and arguments, a provider's own fields. */
export function countedTexts(message: WireMessage): readonly string[] {
  const { role: _role, content: _content, tool_calls: _calls, tool_call_id: _id, ...own } = message;
  const ownText = Object.values(own).filter((value) => typeof value === 'string');
  const callTexts = callsOf(message).flatMap((call) => [call.function.name, call.function.arguments]);
  return [contentText(message), ...callTexts, ...ownText];
}

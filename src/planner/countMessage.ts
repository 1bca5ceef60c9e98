import { callsOf, contentText, type WireContent, type WireMessage } from '../core/messages.ts';
import type { CountTokens } from '../core/ports.ts';

/** Tokens that frame each message (role and separators), and each request once (the reply's opening). */
export const messageFraming = 4;
export const requestFraming = 3;

/**
 * Tokens of an image, a sound or a file in a message, whatever its size: providers bill them by what they show and
 * not by the length of their base64 text. (OpenAI's high-detail images cost 765 to 1,105; the learnt factor and the
 * anchor of the meter take up what is left.)
 */
export const mediaTokens = 1000;

/** Tokens of one message as sent: its texts, what is no text in it, and framing. */
export function countMessage(message: WireMessage, count: CountTokens): number {
  const media = mediaOf(message).length * mediaTokens;
  return countedTexts(message).reduce((sum, text) => sum + count(text), messageFraming + media);
}

/** What is counted of a message: its text, the calls' names and arguments, a provider's own fields. */
export function countedTexts(message: WireMessage): readonly string[] {
  const { role: _role, content: _content, tool_calls: _calls, tool_call_id: _id, ...own } = message;
  const ownText = Object.values(own).flatMap((value) => ownTexts(value));
  const callTexts = callsOf(message).flatMap((call) => [call.function.name, call.function.arguments]);
  return [contentText(message), ...callTexts, ...ownText];
}

/** The content parts that are no text. */
export function mediaOf({ content }: WireMessage): readonly WireContent[] {
  const parts: readonly WireContent[] = Array.isArray(content) ? content : [];
  return parts.filter((part) => typeof part?.text !== 'string');
}

/** A field of a provider's own is sent back as it came, so that its structure counts too; base64 in it does not. */
function ownTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [JSON.stringify(value, (_key, inner: unknown) => (isDataUrl(inner) ? 'data:' : inner))];
}

function isDataUrl(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('data:');
}

/**
 * The bytes of request bodies, one after the other. A body is mostly the body before it with messages added: each
 * text is encoded once, and what is sent is a list of pieces that is never copied into one.
 */
import type { RequestBody } from '../core/body.ts';

export type EncodeBody = (body: RequestBody) => readonly Uint8Array[];

/** Remembers the pieces of about as many texts as the last bodies had. */
export function createBodyEncoder(): EncodeBody {
  let known = new Map<string, Uint8Array>();
  const messageBytes = (text: string): Uint8Array => {
    const before = known.get(text);
    if (before) return before;
    // With the comma before it: a piece each would double their number.
    const bytes = Buffer.from(`,${text}`);
    known.set(text, bytes);
    return bytes;
  };
  return ({ head, texts, tail }) => {
    if (known.size > 2 * texts.length + 64) known = new Map();
    const messages = texts.map(messageBytes);
    if (messages[0]) messages[0] = messages[0].subarray(1);
    return [Buffer.from(head), ...messages, ...tail.map((text) => Buffer.from(text))];
  };
}

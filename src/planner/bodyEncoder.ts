/**
 * The bytes of request bodies, one after the other. A body is mostly the body before it with messages added: what is
 * new is encoded behind what was, so that a long conversation leaves in two pieces and is never copied into one.
 */
import { beginsWith, type RequestBody } from '../core/body.ts';

export type EncodeBody = (body: RequestBody) => readonly Uint8Array[];

/** Remembers the last body, up to its tail. Pieces that were handed out never change. */
export function createBodyEncoder(): EncodeBody {
  let head: string | undefined;
  let texts: readonly string[] = [];
  let buffer = Buffer.alloc(0);
  let used = 0;

  const take = (pieces: readonly string[]) => {
    const needed = used + pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      buffer.copy(larger, 0, 0, used);
      buffer = larger;
    }
    for (const piece of pieces) used += buffer.write(piece, used);
  };
  return (body) => {
    if (head !== body.head || !beginsWith(body.texts, texts)) {
      // A new one: what is in the old one may be on its way.
      [buffer, used, texts] = [Buffer.alloc(0), 0, []];
      take([body.head]);
    }
    const fresh = body.texts.slice(texts.length);
    take(fresh.map((text, index) => (texts.length + index > 0 ? `,${text}` : text)));
    ({ head, texts } = body);
    return [buffer.subarray(0, used), ...body.tail.map((text) => Buffer.from(text))];
  };
}

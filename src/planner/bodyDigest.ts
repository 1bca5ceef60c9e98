/**
 * The hash and the size of request bodies, one after the other. A body is mostly the body before it with messages
 * added, so the hash goes on from where the two part: the cost of a round is what is new in it.
 */
import { createHash, type Hash } from 'node:crypto';
import { beginsWith, type RequestBody } from '../core/body.ts';

export interface Digest {
  /** SHA-256 of the body's UTF-8, in hex. */
  readonly hash: string;
  /** Bytes of the body in UTF-8. */
  readonly bytes: number;
}

export type DigestBody = (body: RequestBody) => Digest;

/** Remembers the last body, up to its tail. */
export function createBodyDigest(): DigestBody {
  let head: string | undefined;
  let texts: readonly string[] = [];
  let hash: Hash = createHash('sha256');
  let bytes = 0;

  const take = (text: string) => {
    hash.update(text);
    bytes += Buffer.byteLength(text);
  };
  return (body) => {
    if (head !== body.head || !beginsWith(body.texts, texts)) {
      hash = createHash('sha256');
      bytes = 0;
      take(body.head);
      texts = [];
    }
    for (let index = texts.length; index < body.texts.length; index++) {
      if (index > 0) take(',');
      take(body.texts[index] ?? '');
    }
    head = body.head;
    texts = body.texts;
    const whole = hash.copy();
    let size = bytes;
    for (const text of body.tail) {
      whole.update(text);
      size += Buffer.byteLength(text);
    }
    return { hash: whole.digest('hex'), bytes: size };
  };
}

import { createHash } from 'node:crypto';

/** SHA-256 (hex) of a text's UTF-8, without a byte order mark: by it a file is known to be as it was. */
export function textHash(text: string): string {
  return createHash('sha256')
    .update(text.startsWith('\ufeff') ? text.slice(1) : text)
    .digest('hex');
}

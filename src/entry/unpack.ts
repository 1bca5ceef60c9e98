import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export type Unpacked =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** More than was allowed, before or after unpacking. */
  | { readonly kind: 'large' }
  /** By something else than gzip. */
  | { readonly kind: 'packed' }
  | { readonly kind: 'broken'; readonly why: string };

const inflate = promisify(gunzip);
/** zip, zstd, bzip2, xz: their first bytes. */
const others = ['504b0304', '28b52ffd', '425a68', 'fd377a58'];

/** The bytes of a file as they are, or out of gzip. `most`: bytes. Never rejects. */
export async function unpack(bytes: Uint8Array, most: number): Promise<Unpacked> {
  if (bytes.length > most) return { kind: 'large' };
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (others.some((one) => start.startsWith(one))) return { kind: 'packed' };
  if (!start.startsWith('1f8b')) return { kind: 'bytes', bytes };
  try {
    return { kind: 'bytes', bytes: await inflate(bytes, { maxOutputLength: most }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'large' } : { kind: 'broken', why: message };
  }
}

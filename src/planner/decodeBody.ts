/** The body of an answer without its content encodings. None was asked for; some servers and proxies use one all the same. */
import { PassThrough, type Readable, Transform, type TransformCallback } from 'node:stream';
import zlib from 'node:zlib';

/**
 * What has come is handed over at once, and the end of a cut body is for the reader to judge. What a body is shows in its
 * first bytes: a proxy that decodes may leave the label on, and `deflate` is written with a header and without.
 */
export function decodeBody(message: Readable, encodings: string | undefined): Readable {
  const names = (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const steps = names.filter((name) => name !== '' && name !== 'identity').reverse();
  return steps.reduce<Readable>((body, name) => decodeStep(body, createDecoder(name)), message);
}

function decodeStep(body: Readable, decoder: Transform): Readable {
  // Not `pipeline`, which would end the decoder with an error of its own before the reader saw what had come.
  body.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
}

/** Bytes that tell what a body is. */
const headLength = 8;

function createDecoder(name: string): Transform {
  let head = Buffer.alloc(0);
  let inner: Transform | undefined;
  const begin = (outer: Transform): Transform => {
    const chosen = decoderFor(name, head);
    chosen.on('data', (piece: Buffer) => outer.push(piece));
    chosen.on('error', (error) => outer.destroy(error));
    return chosen;
  };
  return new Transform({
    transform(piece: Buffer, _encoding, done: TransformCallback) {
      if (inner) return void inner.write(piece, () => done());
      head = Buffer.concat([head, piece]);
      if (head.length < headLength) return done();
      inner = begin(this);
      inner.write(head, () => done());
    },
    flush(done: TransformCallback) {
      const last = inner ?? begin(this);
      last.on('end', () => done());
      last.end(inner ? undefined : head);
    },
  });
}

function decoderFor(name: string, head: Buffer): Transform {
  const flush = zlib.constants.Z_SYNC_FLUSH;
  const options = { flush, finishFlush: flush };
  const isKnown = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'].includes(name);
  if (isKnown && textLike.test(head.toString('latin1'))) return new PassThrough();
  if (head[0] === 0x1f && head[1] === 0x8b) return zlib.createGunzip(options);
  if (name === 'deflate')
    return hasZlibHeader(head) ? zlib.createInflate(options) : zlib.createInflateRaw(options);
  if (name === 'gzip' || name === 'x-gzip') return zlib.createUnzip(options);
  if (name === 'br') {
    const brotli = zlib.constants.BROTLI_OPERATION_FLUSH;
    return zlib.createBrotliDecompress({ flush: brotli, finishFlush: brotli });
  }
  return failing(`the body is encoded as ${JSON.stringify(name)}, which was not asked for`);
}

/** How an event stream, a JSON document or a page begins; nothing compressed begins so. */
const textLike = /^(?:\u00EF\u00BB\u00BF)?\s*(?:\{\s*"|\[\s*\{|<[!?a-z]|(?:data|event|id|retry)? ?:)/i;

/** https://www.rfc-editor.org/rfc/rfc1950#section-2.2 */
function hasZlibHeader(head: Buffer): boolean {
  return head.length >= 2 && (head[0]! & 0x0f) === 8 && head.readUInt16BE(0) % 31 === 0;
}

function failing(why: string): Transform {
  return new Transform({ transform: (_piece, _encoding, done: TransformCallback) => done(new Error(why)) });
}

/** The bytes of a Node stream, as `readReply` takes them: without the web streams' queues, promises and copies. */
import type { Readable } from 'node:stream';
import type { ByteSource } from './readReply.ts';

/**
 * Begins to take from the stream at once. What had come is handed over before its error or its end is: a connection
 * that breaks takes nothing with it that had arrived. One read at a time.
 */
export function createByteSource(stream: Readable): ByteSource {
  const pieces: Uint8Array[] = [];
  let end: { readonly error?: unknown } | undefined;
  let waiting: (() => void) | undefined;
  const wake = () => {
    waiting?.();
    waiting = undefined;
  };
  const finish = (how: { readonly error?: unknown }) => {
    end ??= how;
    wake();
  };
  stream.on('data', (piece: Uint8Array) => {
    pieces.push(piece);
    wake();
  });
  stream.on('end', () => finish({}));
  stream.on('error', (error) => finish({ error }));
  stream.on('close', () => finish({ error: new Error('the connection was closed') }));
  return {
    async read() {
      if (pieces.length === 0 && !end) await new Promise<void>((resolve) => (waiting = resolve));
      const value = pieces.shift();
      if (value) return { done: false, value };
      if (end && 'error' in end) throw end.error;
      return { done: true };
    },
  };
}

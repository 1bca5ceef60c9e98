/**
 * Reads one answer of a chat-completions end point, streamed or whole, to its end. One reader for everything
 * that providers do differently: what it normalises is noted once per kind, and the raw text is kept as
 * evidence. Never throws or rejects.
 */
import type { AbortSignalLike, ModelOutcome } from '../core/ports.ts';
import { createAccumulator } from './accumulate.ts';
import type { Classified } from './classify.ts';
import { createByteText } from './readReplyBytes.ts';
import { type Closing, endOfReply } from './readReplyEnd.ts';
import { waitFor } from './readReplyLimits.ts';
import { createNotes } from './readReplyNotes.ts';
import { createReplyText } from './readReplyText.ts';

/** Bytes in pieces; `ReadableStreamDefaultReader` has this shape. */
export interface ByteSource {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

export interface ReadOptions {
  readonly signal: AbortSignalLike;
  readonly onText: (delta: string) => void;
  /** Milliseconds from the request to the first byte, and between bytes after it. */
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** Milliseconds since the request was made. */
  readonly elapsed: () => number;
  readonly classify: (body: string) => Classified;
}

/** A reply that is complete may be followed by its usage; longer than this it is not waited for. */
const afterFinishMs = 5000;
/** `[DONE]` has come, and the line break behind it has not: some servers keep the socket open there. */
const afterEndMs = 50;
/** Far above any real reply: a server that never stops talking must not fill the memory. */
const maxBytes = 64 * 1024 * 1024;

export async function readReply(source: ByteSource, options: ReadOptions): Promise<ModelOutcome> {
  const notes = createNotes();
  const accumulator = createAccumulator(notes, options.onText);
  const text = createReplyText(accumulator, notes);
  const bytes = createByteText(notes);
  let ttft: number | undefined;

  const closing = await readAll();
  bytes.end();
  text.end();
  const end = endOfReply({
    accumulator,
    notes,
    result: text.result,
    isStream: text.isStream,
    foreignType: text.foreignType,
    closing,
    bytes: bytes.bytes,
    raw: bytes.raw,
    classify: options.classify,
  });
  const ms = options.elapsed();
  if (end.ok) {
    const wire = notes.all.length > 0 ? { wire: bytes.raw } : {};
    return { ...end, ms, ...(ttft === undefined ? {} : { ttft }), notes: notes.all, ...wire };
  }
  const partial = accumulator.content ? { partial: accumulator.content.toWellFormed() } : {};
  const wire = bytes.bytes > 0 && end.class !== 'cancelled' ? { wire: bytes.raw } : {};
  return { ...end, ...partial, notes: notes.all, ...wire, ms };

  async function readAll(): Promise<Closing> {
    for (;;) {
      const limit = limitNow();
      const left = bytes.bytes === 0 ? Math.max(1, limit - options.elapsed()) : limit;
      const waited = await waitFor(source.read(), left, options.signal);
      if (waited.kind === 'aborted') return { kind: 'aborted' };
      if (waited.kind === 'silent') return text.isEnding ? { kind: 'done' } : { kind: 'silent', ms: limit };
      if (waited.kind === 'failed') return { kind: 'broken', error: reason(waited.error) };
      if (waited.value.done) return { kind: 'closed' };
      text.feed(bytes.feed(waited.value.value ?? new Uint8Array()));
      if (ttft === undefined && accumulator.answering) ttft = options.elapsed();
      if (text.result) return { kind: 'done' };
      if (bytes.bytes > maxBytes) return { kind: 'oversized', limit: maxBytes };
    }
  }

  function limitNow(): number {
    if (bytes.bytes === 0) return options.firstByteMs;
    if (text.isEnding) return Math.min(options.idleMs, afterEndMs);
    return accumulator.finish === null ? options.idleMs : Math.min(options.idleMs, afterFinishMs);
  }
}

/** A broken connection in a few words: undici says `terminated` and keeps the reason inside. */
function reason(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  const { code } = inner as { code?: unknown };
  return typeof code === 'string' && code !== 'UND_ERR_SOCKET' ? code : inner.message;
}

/** Runs the reader over bytes in memory, with the boundaries that a test wants. */
import type { ModelFailure, ModelOutcome, ModelReply } from '../../../src/core/ports.ts';
import { classify } from '../../../src/planner/classify.ts';
import { readReply, type ReadOptions } from '../../../src/planner/readReply.ts';
import assert from 'node:assert/strict';

export type Piece = string | Uint8Array | Error;

/** How the source ends after its pieces: closed, or open for ever. */
export type Ending = 'closed' | 'open';

export async function readPieces(
  pieces: readonly Piece[],
  ending: Ending = 'closed',
  options: Partial<ReadOptions> = {},
): Promise<ModelOutcome> {
  const left = [...pieces];
  const source = {
    read() {
      const piece = left.shift();
      if (piece instanceof Error) return Promise.reject(piece);
      if (piece !== undefined) {
        return Promise.resolve({
          done: false,
          value: typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
        });
      }
      return ending === 'open' ? new Promise<never>(() => undefined) : Promise.resolve({ done: true });
    },
  };
  return await readReply(source, {
    signal: new AbortController().signal,
    onText: () => undefined,
    firstByteMs: 10_000,
    idleMs: 10_000,
    elapsed: () => 1,
    classify: (body) => classify({ body, url: 'http://model.test/v1', keySent: false, now: 0 }),
    ...options,
  });
}

export async function readText(text: string): Promise<ModelOutcome> {
  return await readPieces([text]);
}

/** A stream of chunks, each an event, closed by `[DONE]`. */
export function events(...chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

/** Chunks with `choices[0].delta`, the last one with a finish reason too. */
export function deltas(list: readonly unknown[], finish: string | null = 'tool_calls'): string {
  const chunks = list.map((delta) => ({ choices: [{ index: 0, delta }] }));
  return events(...chunks, { choices: [{ index: 0, delta: {}, finish_reason: finish }] });
}

export function reply(outcome: ModelOutcome): ModelReply {
  assert.ok(outcome.ok, outcome.ok ? '' : `${outcome.class}: ${outcome.message}`);
  return outcome;
}

export function failed(outcome: ModelOutcome): ModelFailure {
  assert.ok(!outcome.ok, 'a failure was expected');
  return outcome;
}

/** The calls of a reply as `name arguments`, and the codes of its notes. */
export function callLines(outcome: ModelOutcome): string[] {
  return (reply(outcome).message.tool_calls ?? []).map(
    ({ function: called }) => `${called.name} ${called.arguments}`,
  );
}

export function noteCodes(outcome: ModelOutcome): string[] {
  return outcome.notes.map(({ code }) => code);
}

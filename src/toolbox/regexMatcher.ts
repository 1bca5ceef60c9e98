import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AbortSignalLike } from '../core/ports.ts';
import { errorText } from './errorText.ts';
import type { Hit, LineMatcher } from './lineMatcher.ts';
import { ToolError } from './toolError.ts';

/** Milliseconds that one file may take; the start of the thread does not count. */
const fileMs = 2_000;

/**
 * Plain JavaScript, since it is run from a string: a file of its own would have to be found from inside a
 * bundle. It does nothing but match.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const regex = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ lines, limit }) => {
  const hits = [];
  for (let i = 0; i < lines.length && hits.length < limit; i++) {
    const at = lines[i].search(regex);
    if (at >= 0) hits.push([i, at]);
  }
  parentPort.postMessage(hits);
});`;

/**
 * Matches a regular expression of the model's in a thread of its own. JavaScript's engine backtracks:
 * `(a+)+$` on one unlucky line runs for years, nothing inside the same thread can stop it, and no check of the
 * pattern decides it beforehand. A thread can be ended from outside, on the time limit or on abort.
 */
export function regexMatcher(query: string, signal: AbortSignalLike, limitMs = fileMs): LineMatcher {
  const regex = compile(query);
  let worker: Worker | undefined;
  const close = async (): Promise<void> => {
    await worker?.terminate();
    worker = undefined;
  };
  return {
    match: async (lines, limit) => {
      worker ??= await startThread(regex);
      const outcome = await ask(worker, { lines, limit }, signal, limitMs);
      if (typeof outcome !== 'string') return outcome;
      await close();
      throw new ToolError(outcome);
    },
    close,
  };
}

async function startThread({ source, flags }: RegExp): Promise<Worker> {
  // No flags of the parent: its loaders would be loaded anew, for nothing.
  const worker = new Worker(program, { eval: true, execArgv: [], workerData: { source, flags } });
  await once(worker, 'online');
  // A thread that is being ended may still report an error; without a listener it would be thrown.
  return worker.on('error', () => {});
}

/** `(?i)` in front is how other languages say it. Strict Unicode mode first; it refuses needless escapes. */
function compile(query: string): RegExp {
  const anyCase = query.startsWith('(?i)');
  const source = anyCase ? query.slice(4) : query;
  const flags = anyCase ? 'i' : '';
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      throw new ToolError(errorText(error));
    }
  }
}

/** The hits in these lines, or in words why there are none to be had. */
function ask(
  worker: Worker,
  work: { readonly lines: readonly string[]; readonly limit: number },
  signal: AbortSignalLike,
  limitMs: number,
): Promise<readonly Hit[] | string> {
  return new Promise((resolve) => {
    const end = (outcome: readonly Hit[] | string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      worker.off('message', end).off('error', fail).off('exit', fail);
      resolve(outcome);
    };
    const abort = (): void => end('cancelled');
    const fail = (error: unknown): void => end(`the search thread ended: ${errorText(error)}`);
    const timer = setTimeout(() => end(tooSlow(limitMs)), limitMs);
    signal.addEventListener('abort', abort, { once: true });
    worker.on('message', end).on('error', fail).on('exit', fail);
    if (signal.aborted) abort();
    else worker.postMessage(work);
  });
}

function tooSlow(limitMs: number): string {
  return (
    `the regular expression took longer than ${limitMs / 1000} s on one file and was stopped: nested repeats such as ` +
    '(a+)+ backtrack without end; write it simpler, or search for plain text'
  );
}

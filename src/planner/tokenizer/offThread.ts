/**
 * Counts on a thread of its own, which lives as long as it has work: no idle thread stays behind, and nothing
 * keeps the process from ending. The tables are shared with it, so starting it costs no load.
 * https://nodejs.org/api/worker_threads.html
 */
import { Worker } from 'node:worker_threads';
import type { Tables } from './tables.ts';

/** The tokens of texts, in order; undefined where the thread could not be started or died. Never rejects. */
export type CountOffThread = (texts: readonly string[]) => Promise<readonly number[] | undefined>;

type Settle = (tokens: readonly number[] | undefined) => void;

/** Built beside this code. Where the sources run as they are, there is none, and no text is counted off-thread. */
const builtWorker = new URL('./countWorker.js', import.meta.url);

export function createOffThread(tables: Tables, file = builtWorker): CountOffThread {
  /** Answers come in the order of the questions. */
  let waiting: Settle[] = [];
  let worker: Worker | undefined;

  const stop = (stopped: Worker) => {
    if (worker !== stopped) return;
    worker = undefined;
    const left = waiting;
    waiting = [];
    for (const settle of left) settle(undefined);
    void stopped.terminate();
  };
  const start = (): Worker => {
    // Without the options of this process, some of which a thread refuses to start with.
    const started = new Worker(file, { workerData: tables, execArgv: [] });
    started.on('message', (tokens: readonly number[]) => {
      waiting.shift()?.(tokens);
      if (waiting.length === 0) stop(started);
    });
    started.on('error', () => stop(started));
    started.on('exit', () => stop(started));
    return started;
  };
  return (texts) =>
    new Promise((resolve) => {
      try {
        worker ??= start();
        worker.postMessage(texts);
        waiting.push(resolve);
      } catch {
        if (worker && waiting.length === 0) stop(worker);
        resolve(undefined);
      }
    });
}

/**
 * The folder's TypeScript on a thread of its own, so that it can be given up: started by the first question, kept for the
 * next ones, and never what keeps the process from ending. https://nodejs.org/api/worker_threads.html
 */
import { Worker } from 'node:worker_threads';
import type { AbortSignalLike } from '../../core/ports.ts';
import { errorText } from '../errorText.ts';
import type { Answer, CodeThreadData, Question } from './questions.ts';

export type AskCode = (question: Question, signal: AbortSignalLike) => Promise<Answer>;

/** Built beside this code. */
const builtWorker = new URL('./codeWorker.js', import.meta.url);
/** Milliseconds without a question. */
const idle = 60_000;

/** Never rejects. Questions wait for one another; one that is given up ends the thread. */
export function createCodeThread(data: CodeThreadData, file = builtWorker): AskCode {
  let worker: Worker | undefined;
  let rest: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const stop = () => {
    const stopped = worker;
    worker = undefined;
    void stopped?.terminate();
  };
  const started = (): Worker => {
    clearTimeout(rest);
    if (worker) return worker;
    // It gets no environment (keys are in it), and its output goes nowhere: read, it would keep the process from ending.
    const made = new Worker(file, {
      workerData: data,
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 3072 },
    });
    made.on('exit', () => {
      if (worker === made) worker = undefined;
    });
    worker = made;
    return made;
  };
  const rested = () => {
    worker?.unref();
    rest = setTimeout(stop, idle);
    rest.unref();
  };
  const ask = (question: Question, signal: AbortSignalLike): Promise<Answer> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve({ ok: false, error: 'cancelled' });
      const asked = started();
      const settle = (answer: Answer) => {
        asked.removeAllListeners('message').removeAllListeners('error').off('exit', ended);
        signal.removeEventListener('abort', giveUp);
        rested();
        resolve(answer);
      };
      const giveUp = () => {
        stop();
        settle({ ok: false, error: 'it took too long, or was cancelled' });
      };
      const fail = (error: unknown) => {
        // It is about to exit: the next question gets another.
        stop();
        settle({ ok: false, error: `TypeScript failed: ${errorText(error)}` });
      };
      const ended = () => settle({ ok: false, error: 'TypeScript ended without an answer' });
      signal.addEventListener('abort', giveUp, { once: true });
      asked.on('message', settle);
      asked.on('error', fail);
      asked.once('exit', ended);
      asked.ref();
      asked.postMessage(question);
    });
  return (question, signal) => {
    const turn = last.then(() => ask(question, signal));
    last = turn;
    return turn;
  };
}

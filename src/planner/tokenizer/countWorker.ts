/**
 * The thread on which long texts are counted: it gets lists of texts and answers each with their tokens, in order.
 * Its tables come as `workerData` in shared memory, so that it begins to count as soon as it runs; `offThread.ts`
 * starts it and ends it. https://nodejs.org/api/worker_threads.html#workerworkerdata
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createExactCounter } from './exactCounter.ts';
import type { Tables } from './tables.ts';

const count = createExactCounter(workerData as Tables);
parentPort?.on('message', (texts: readonly string[]) => parentPort?.postMessage(texts.map(count)));

/** The thread on which long texts are counted: gets lists of texts, answers each with their tokens, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import { createExactCounter } from './exactCounter.ts';
import type { Tables } from './tables.ts';

const count = createExactCounter(workerData as Tables);
parentPort?.on('message', (texts: readonly string[]) => parentPort?.postMessage(texts.map(count)));

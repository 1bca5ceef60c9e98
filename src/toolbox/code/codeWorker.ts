/** The thread with the folder's own TypeScript: gets questions, answers each, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { errorText } from '../errorText.ts';
import { createAnswers } from './answerQuestion.ts';
import type { TypeScript } from './project.ts';
import type { Answer, CodeThreadData, Question } from './questions.ts';

const { root, typescript: file } = workerData as CodeThreadData;
const loaded = (await import(pathToFileURL(file).href)) as { readonly default: TypeScript };
const answer = createAnswers(loaded.default, root);

parentPort?.on('message', (question: Question) => {
  let said: Answer;
  try {
    said = { ok: true, ...answer(question) };
  } catch (error) {
    said = { ok: false, error: errorText(error) };
  }
  parentPort?.postMessage(said);
});

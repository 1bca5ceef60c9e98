/** The token counter as it ships: in chunks, with its data and its thread beside them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createOracle } from '../unit/planner/tokenizer/oracle.ts';

const library = pathToFileURL(path.resolve(import.meta.dirname, '../../dist/lib.js')).href;
const goal = 'Wie lange dauert das? 那要多久？ '.repeat(3000);
const program = (model: string) => `
  const { Agent, createDemoModel } = await import(${JSON.stringify(library)});
  const answers = [];
  process.on('worker', (thread) => thread.on('message', (answer) => answers.push(answer)));
  const agent = new Agent({ model: createDemoModel(), model_name: ${JSON.stringify(model)}, context: { policy: 'none' } });
  const { session } = await agent.chat(${JSON.stringify(goal)});
  const counted = session.journal.events.flatMap((event) => event.type === 'context.packed' ? event.counted : []);
  process.stdout.write(JSON.stringify({ answers, counted }));
`;

for (const [model, encoding] of [
  ['gpt-4o', 'o200k_base'],
  ['gpt-4', 'cl100k_base'],
] as const) {
  test(`the library counts a long goal for ${model} on a thread, as tiktoken does`, async () => {
    const args = ['--input-type=module', '--eval', program(model)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { answers, counted } = JSON.parse(stdout) as { answers: number[][]; counted: [string, number][] };
    const right = createOracle(encoding)(goal);
    assert.ok(answers.flat().includes(right), `the thread answered ${JSON.stringify(answers)}, not ${right}`);
    // A message's framing comes on top of its text.
    assert.equal(Math.max(...counted.map(([, tokens]) => tokens)), right + 4);
  });
}

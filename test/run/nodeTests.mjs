// @ts-check
/**
 * Runs node:test files and writes every result to a JSON file. A process of its own, started with
 * `--import tsx`, which node:test hands on to the process of each test file:
 *   node --import tsx test/run/nodeTests.mjs '{"report","files","concurrency","timeout","strict"}'
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { run } from 'node:test';
import { createCollector } from './collector.mjs';

/**
 * @typedef {object} Task
 * @property {string} report
 * @property {string[]} files
 * @property {number} concurrency
 * @property {number} timeout of a file, in ms: one that hangs ends here
 * @property {boolean} strict what a file writes to the console is a failure, and only failures are shown
 */

/** @type {Task} */
const task = JSON.parse(process.argv[2] ?? '');

/** What each file has written, and which of its tests are running. @type {Map<string, { output: string, running: string[] }>} */
const files = new Map();

const collector = createCollector((result) => {
  if (task.strict && result.state !== 'failed') return;
  const mark = { passed: '✔', failed: '✖', skipped: '﹣' }[result.state];
  console.log(`  ${mark} ${result.name} (${result.ms.toFixed(0)} ms)`);
  if (result.error !== undefined) console.log(result.error.replace(/^/gm, '      '));
});

// Told to end, it starts no further file; the one that runs was told as well and cleans up.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const stream = run({ files: task.files, concurrency: task.concurrency, timeout: task.timeout });
// Not test:start, which comes in the order of declaration, with the result.
stream.on('test:dequeue', ({ file, name }) => void stateOf(file).running.push(name));
stream.on('test:stdout', ({ file, message }) => void (stateOf(file).output += message));
stream.on('test:stderr', ({ file, message }) => void (stateOf(file).output += message));
stream.on('test:pass', (event) => take(event, undefined));
stream.on('test:fail', (event) => take(event, event.details.error));
stream.on('test:diagnostic', ({ nesting, message }) => {
  if (nesting > 0) console.log(`      ${message}`);
});
stream.on('end', () => {
  for (const [file, { output }] of files) reportOutput(relative(process.cwd(), file), output.trim());
  writeFileSync(task.report, JSON.stringify(collector.results, null, 2));
});
stream.resume();

/** @param {string | undefined} file */
function stateOf(file = '') {
  const state = files.get(file) ?? { output: '', running: [] };
  files.set(file, state);
  return state;
}

/** @param {import('./collector.mjs').Event} event @param {import('./collector.mjs').Failure | undefined} failure */
function take(event, failure) {
  const state = stateOf(event.file);
  state.running = state.running.filter((name) => name !== event.name);
  const isFile = event.nesting === 0 && event.name === event.file;
  if (!isFile) collector.takeTest(event, failure);
  else collector.takeFile(event, failure && [failure.message, during(state.running), output(state)].join(''));
}

/** @param {readonly string[]} running */
function during(running) {
  return running.length === 0 ? '' : `\nwhile running: ${running.join(' › ')}`;
}

/** The output of a file that crashed says why; it is not a second failure. @param {{ output: string }} state */
function output(state) {
  const text = state.output.trim();
  state.output = '';
  return text === '' ? '' : `\n${text}`;
}

/** @param {string} file @param {string} text */
function reportOutput(file, text) {
  if (text === '') return;
  if (task.strict)
    collector.add({ name: `${file} writes nothing to the console`, state: 'failed', ms: 0, error: text });
  else console.log(`  ${file} wrote:\n${text.replace(/^/gm, '      ')}`);
}

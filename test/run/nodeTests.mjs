// @ts-check
/**
 * Runs node:test files and writes every result to a JSON file. A process of its own, started with
 * `--import tsx`, which node:test hands on to the process of each test file:
 *   node --import tsx test/run/nodeTests.mjs '{"report","files","concurrency","timeout","quiet"}'
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

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

/** @typedef {import('./result.mjs').Result} Result */
/** @type {Result[]} */
const results = [];

/**
 * What is known of a file while it runs.
 * @typedef {{ children: Set<number>, output: string, running: string[] }} FileState
 * @type {Map<string, FileState>}
 */
const states = new Map();

const stream = run({ files: task.files, concurrency: task.concurrency, timeout: task.timeout });
// Not test:start, which comes in the order of declaration, with the result.
stream.on('test:dequeue', ({ file, name }) => void stateOf(file).running.push(name));
stream.on('test:pass', (event) => take(event, undefined));
stream.on('test:fail', (event) => take(event, event.details.error));
stream.on('test:stdout', ({ file, message }) => void (stateOf(file).output += message));
stream.on('test:stderr', ({ file, message }) => void (stateOf(file).output += message));
stream.on('test:diagnostic', ({ nesting, message }) => {
  if (nesting > 0) console.log(`      ${message}`);
});
stream.on('end', () => {
  for (const [file, { output }] of states) reportOutput(file, output);
  writeFileSync(task.report, JSON.stringify(results, null, 2));
});
stream.resume();

/** @param {string | undefined} file @returns {FileState} */
function stateOf(file = '') {
  const state = states.get(file) ?? { children: new Set(), output: '', running: [] };
  states.set(file, state);
  return state;
}

/**
 * Only leaves are tests: a suite, or a test with subtests, is the sum of its parts, and so is a file.
 * @param {import('node:test').EventData.TestPass | import('node:test').EventData.TestFail} event
 * @param {(Error & { failureType?: string }) | undefined} error
 */
function take({ name, nesting, file, skip, todo, details }, error) {
  const known = stateOf(file);
  known.running = known.running.filter((started) => started !== name);
  const isContainer = known.children.delete(nesting + 1) || details.type === 'suite';
  if (nesting > 0) known.children.add(nesting);
  const at = file === undefined ? '' : `${relative(process.cwd(), file)} › `;
  if (file !== undefined && nesting === 0 && name === file)
    return takeFile(file, known, details.duration_ms, error);
  if (isContainer && (error === undefined || error.failureType === 'subtestsFailed')) return;
  const skipped =
    error === undefined && ((skip !== undefined && skip !== false) || (todo !== undefined && todo !== false));
  const state = error ? 'failed' : skipped ? 'skipped' : 'passed';
  add({ name: at + name, ms: details.duration_ms, state }, error && described(error));
}

/** node:test reports a file itself when it has no tests, crashed, or took too long. @param {string} file @param {FileState} state @param {number} ms @param {(Error & { failureType?: string }) | undefined} error */
function takeFile(file, state, ms, error) {
  const name = relative(process.cwd(), file);
  if (error === undefined) return add({ name: `${name} has tests`, ms, state: 'failed' }, 'It has none.');
  const during = state.running.length > 0 ? `\nwhile running: ${state.running.join(' › ')}` : '';
  const wrote = state.output === '' ? '' : `\n${state.output.trim()}`;
  state.output = '';
  add({ name: `${name} ends well`, ms, state: 'failed' }, `${error.message}${during}${wrote}`);
}

/** @param {string} file @param {string} output */
function reportOutput(file, output) {
  if (output.trim() === '') return;
  const name = relative(process.cwd(), file);
  if (task.strict)
    add({ name: `${name} writes nothing to the console`, ms: 0, state: 'failed' }, output.trim());
  else console.log(`  ${name} wrote:\n${output.trim().replace(/^/gm, '      ')}`);
}

/** @param {Result} result @param {string | undefined} error */
function add(result, error) {
  if (error !== undefined) result.error = error;
  results.push(result);
  const mark = { passed: '✔', failed: '✖', skipped: '﹣' }[result.state];
  if (!task.strict || result.state === 'failed')
    console.log(`  ${mark} ${result.name} (${result.ms.toFixed(0)} ms)`);
  if (result.error !== undefined) console.log(result.error.replace(/^/gm, '      '));
}

/** node:test wraps what was thrown. @param {Error} error */
function described(error) {
  const thrown = error.cause ?? error;
  if (!(thrown instanceof Error)) return typeof thrown === 'string' ? thrown : inspect(thrown);
  return inspect(thrown, { depth: 3 }).replace(/^\s+at .*node:internal.*\n?/gm, '');
}

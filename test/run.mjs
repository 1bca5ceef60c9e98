// @ts-check
/**
 * npm test: node test/run.mjs [check|unit|host|ui|all] [FILE …]
 *
 * Without an argument: check, unit, host (both VS Code versions), ui (newest: all, oldest: the main path).
 * `all` is the cross product. FILEs narrow down unit, host or ui. The last line is the sum of all tests.
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './hosts/dependencies.mjs';
import { findFiles } from './hosts/findFiles.mjs';
import { exit } from './hosts/processTree.mjs';
import { NEWEST, OLDEST } from './hosts/versions.mjs';
import { runCommand } from './run/command.mjs';
import { commandTest } from './run/commandTest.mjs';
import { runNodeTests, runReported } from './run/nodePart.mjs';
import { count } from './run/result.mjs';

/** @typedef {import('./run/result.mjs').Result} Result */

const MINUTE = 60_000;
const WARN_AFTER = 26 * MINUTE;
const FAIL_AFTER = 28 * MINUTE;
const UNIT_FILE_LIMIT = 2 * MINUTE;
const UI_FILE_LIMIT = 6 * MINUTE;

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [mode = 'default', ...named] = process.argv.slice(2);
const only = named.map((file) => resolve(file));

/** Each part's tests. @type {Record<string, () => Promise<Result[]>>} */
const PARTS = { check, unit, host, ui };

/** @type {Record<string, string[]>} */
const MODES = {
  default: ['check', 'unit', 'host', 'ui'],
  all: ['check', 'unit', 'host', 'ui'],
  check: ['check'],
  unit: ['unit'],
  host: ['host'],
  ui: ['ui'],
};

const started = Date.now();
/** @type {Result[]} */
const all = [];
/** @type {string[]} */
const times = [];

// A run that takes too long has failed, and says so while it still can.
if (mode !== 'all') {
  setTimeout(() => {
    all.push({
      name: 'the whole run',
      state: 'failed',
      ms: FAIL_AFTER,
      error: `not done in ${FAIL_AFTER / MINUTE} minutes`,
    });
    finish();
  }, FAIL_AFTER).unref();
}

await main();

async function main() {
  const parts = MODES[mode];
  if (parts === undefined) {
    console.error(`Unknown part "${mode}". Known: ${Object.keys(MODES).join(', ')}.`);
    process.exit(2);
  }
  await ensureDependencies(repository);
  const prepared = parts.includes('host') || parts.includes('ui') ? prepare() : undefined;
  const built = await part('build', async () => [
    await commandTest('build, with its fences', process.execPath, ['esbuild.js'], repository),
  ]);
  for (const name of parts) {
    const needsBuild = name === 'host' || name === 'ui';
    if (needsBuild) await prepared;
    await part(name, needsBuild && !built ? notBuilt(name) : (PARTS[name] ?? unit));
  }
  finish();
}

/** What VS Code tests need is installed while the parts before them run. */
async function prepare() {
  const script = join(repository, 'test', 'hosts', 'prepare.mjs');
  const { output } = await runCommand(process.execPath, [script], { cwd: repository });
  if (output !== '') console.log(output.trim());
}

/**
 * @param {string} name
 * @param {() => Promise<Result[]>} run
 * @returns {Promise<boolean>} whether all of it passed
 */
async function part(name, run) {
  console.log(`\n── ${name}`);
  const from = Date.now();
  const results = await run();
  if (results.length === 0)
    results.push({ name: `${name} has tests`, state: 'failed', ms: 0, error: 'It ran none.' });
  all.push(...results);
  times.push(`${name} ${((Date.now() - from) / 1000).toFixed(0)} s`);
  const failed = count(results, 'failed');
  console.log(
    `   ${name}: ${count(results, 'passed')} passed, ${failed} failed, ${count(results, 'skipped')} skipped`,
  );
  return failed === 0;
}

/** Two at a time: there are two cores. */
async function check() {
  return Promise.all(
    ['types', 'lint'].map((name) => commandTest(name, 'npm', ['run', '--silent', name], repository)),
  );
}

async function unit() {
  const folders = ['unit', 'golden', 'peers'].map((name) => join(repository, 'test', name));
  const files = narrowed(folders.flatMap((folder) => findFiles(folder, '.test.ts')));
  return runNodeTests('unit', repository, { files, concurrency: 2, timeout: UNIT_FILE_LIMIT, strict: true });
}

async function host() {
  const script = join('test', 'host', 'run.ts');
  return runReported('host', repository, (report) => [script, `--report=${report}`, ...only]);
}

async function ui() {
  const files = narrowed(findFiles(join(repository, 'test', 'ui'), '.test.ts'));
  const mainPath = mode === 'all' ? files : files.filter((file) => file.endsWith('.main.test.ts'));
  return [...(await uiIn(NEWEST, files)), ...(await uiIn(OLDEST, mainPath))];
}

/** One browser at a time. @param {string} version @param {string[]} files */
async function uiIn(version, files) {
  if (files.length > 0) console.log(`UI tests in VS Code ${version}`);
  const task = { files, concurrency: 1, timeout: UI_FILE_LIMIT, strict: false };
  const results = await runNodeTests('ui', repository, task, { LOOPSCOPE_VSCODE: version });
  return results.map((result) => ({ ...result, name: `${version} › ${result.name}` }));
}

/** @param {string[]} files */
function narrowed(files) {
  return only.length === 0 ? files : files.filter((file) => only.includes(file));
}

/** @param {string} name */
function notBuilt(name) {
  return async () => [
    /** @type {Result} */ ({ name: `${name} tests`, state: 'failed', ms: 0, error: 'The build failed.' }),
  ];
}

function finish() {
  const failures = all.filter((result) => result.state === 'failed');
  const skipped = all.filter((result) => result.state === 'skipped');
  console.log('');
  for (const { name } of skipped) console.log(`skipped: ${name}`);
  for (const { name, error } of failures) console.log(`FAILED: ${name}: ${error?.split('\n')[0] ?? ''}`);
  const total = Date.now() - started;
  console.log(`Time: ${times.join(', ')}; total ${(total / MINUTE).toFixed(1)} min`);
  if (mode !== 'all' && total > WARN_AFTER)
    console.log(`WARNING: over ${WARN_AFTER / MINUTE} minutes; ${FAIL_AFTER / MINUTE} is a failure.`);
  const suffix = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  console.log(`${count(all, 'passed')} passed, ${failures.length} failed${suffix}`);
  // Ends what still runs, too.
  exit(failures.length > 0 ? 1 : 0);
}

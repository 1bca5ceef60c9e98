// @ts-check
/**
 * From node:test's events to results. Only leaves are tests: a suite, or a test with subtests, is the sum of
 * its parts. Events of one file come together and a parent after its children, so children wait for it.
 */
import { relative } from 'node:path';
import { inspect } from 'node:util';

/** @typedef {import('./result.mjs').Result} Result */
/** @typedef {import('node:test').EventData.TestPass | import('node:test').EventData.TestFail} Event */
/** @typedef {Error & { failureType?: string }} Failure */

/** @param {(result: Result) => void} onResult */
export function createCollector(onResult) {
  /** @type {Result[]} */
  const results = [];
  /** The results below each level that have no parent yet, with their names so far. @type {Map<number, Result[]>} */
  const waiting = new Map();

  /** @param {Result} result */
  function add(result) {
    results.push(result);
    onResult(result);
  }

  /** @param {Event} event @param {Failure | undefined} failure */
  function takeTest(event, failure) {
    const { name, nesting, details } = event;
    const own = (waiting.get(nesting + 1) ?? []).map((child) => ({
      ...child,
      name: `${name} › ${child.name}`,
    }));
    waiting.delete(nesting + 1);
    const isContainer = own.length > 0 || details.type === 'suite';
    const failedItself = failure !== undefined && failure.failureType !== 'subtestsFailed';
    if (!isContainer || failedItself) own.push(resultOf(event, failure));
    if (nesting > 0) waiting.set(nesting, [...(waiting.get(nesting) ?? []), ...own]);
    else for (const result of own) add({ ...result, name: `${nameOf(event)}${result.name}` });
  }

  /** node:test reports a file itself when it has no tests, crashed, or took too long. @param {Event} event @param {string | undefined} error */
  function takeFile(event, error) {
    for (const orphans of waiting.values())
      orphans.forEach((result) => add({ ...result, name: `${nameOf(event)}${result.name}` }));
    waiting.clear();
    const file = relative(process.cwd(), event.name);
    const ms = event.details.duration_ms;
    if (error === undefined) add({ name: `${file} has tests`, state: 'failed', ms, error: 'It has none.' });
    else add({ name: `${file} ends well`, state: 'failed', ms, error });
  }

  return { results, add, takeTest, takeFile };
}

/** @param {Event} event @param {Failure | undefined} failure @returns {Result} */
function resultOf({ name, skip, todo, details }, failure) {
  const ms = details.duration_ms;
  if (failure !== undefined) return { name, state: 'failed', ms, error: described(failure) };
  const isSkipped = (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false);
  return { name, state: isSkipped ? 'skipped' : 'passed', ms };
}

/** @param {Event} event */
function nameOf({ file }) {
  return file === undefined ? '' : `${relative(process.cwd(), file)} › `;
}

/** node:test wraps what was thrown. @param {Error} error */
function described(error) {
  const thrown = error.cause ?? error;
  if (!(thrown instanceof Error)) return typeof thrown === 'string' ? thrown : inspect(thrown);
  return inspect(thrown, { depth: 3 })
    .replace(/^\s+at .*node:internal.*\n?/gm, '')
    .trimEnd();
}

// @ts-check
/**
 * @typedef {object} Result one test, whatever ran it
 * @property {string} name
 * @property {'passed' | 'failed' | 'skipped'} state
 * @property {number} ms
 * @property {string} [error]
 */

/**
 * @param {readonly Result[]} results
 * @param {Result['state']} state
 */
export function count(results, state) {
  return results.filter((result) => result.state === state).length;
}

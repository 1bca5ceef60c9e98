// @ts-check
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createScratch } from '../hosts/scratch.mjs';
import { testEnvironment } from '../hosts/testEnvironment.mjs';
import { runCommand } from './command.mjs';

/** @typedef {import('./result.mjs').Result} Result */

/**
 * Runs a program that writes its results to a file; when it leaves none, that is a failed test.
 * @param {string} name
 * @param {string} repository
 * @param {(report: string) => readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Result[]>}
 */
export async function runReported(name, repository, args, env = {}) {
  const scratch = await createScratch('run');
  try {
    const report = join(scratch.path, 'report.json');
    const node = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', ...args(report)];
    const { code, ms } = await runCommand(process.execPath, node, {
      cwd: repository,
      env: { ...testEnvironment(process.env), ...env },
      show: true,
    });
    const written = await readFile(report, 'utf8').catch(() => undefined);
    if (written !== undefined) return JSON.parse(written);
    return [{ name: `${name}: the run ends with a report`, state: 'failed', ms, error: `exit ${code}` }];
  } finally {
    await scratch.remove();
  }
}

/**
 * @param {string} name
 * @param {string} repository
 * @param {Omit<import('./nodeTests.mjs').Task, 'report'>} task
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Result[]>}
 */
export async function runNodeTests(name, repository, task, env) {
  if (task.files.length === 0) return [];
  const script = join('test', 'run', 'nodeTests.mjs');
  return runReported(name, repository, (report) => [script, JSON.stringify({ ...task, report })], env);
}

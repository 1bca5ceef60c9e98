// @ts-check
/** Makes sure that node_modules is what package-lock.json says; `npm ci` only when it is not. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './npm.mjs';

/**
 * @param {string} repository
 * @param {(line: string) => void} [log]
 */
export async function ensureDependencies(repository, log = console.log) {
  if (await areInstalled(repository)) return;
  log('Installing dependencies (npm ci) …');
  await npm(['ci', '--include=dev'], { cwd: repository, inherit: true });
}

/** Compared by content and not by age: a checkout touches the lockfile without changing it. @param {string} repository */
async function areInstalled(repository) {
  try {
    const wanted = await packages(join(repository, 'package-lock.json'));
    const installed = await packages(join(repository, 'node_modules', '.package-lock.json'));
    return Object.entries(wanted).every(
      // Optional packages are those of other platforms.
      ([path, { version, optional }]) =>
        path === '' || optional === true || installed[path]?.version === version,
    );
  } catch {
    return false;
  }
}

/**
 * @param {string} lockfile
 * @returns {Promise<Record<string, { version?: string, optional?: boolean }>>}
 */
async function packages(lockfile) {
  return JSON.parse(await readFile(lockfile, 'utf8')).packages;
}

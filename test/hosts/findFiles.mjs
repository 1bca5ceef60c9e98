// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All files below a folder whose name ends so, sorted; none if there is no such folder.
 * @param {string} folder
 * @param {string} suffix
 * @returns {string[]}
 */
export function findFiles(folder, suffix) {
  /** @type {import('node:fs').Dirent[]} */
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

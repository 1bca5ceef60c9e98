// @ts-check
/**
 * Installs extensions from their folders, by links. The address of a workbench has room for one extension
 * under development (its payload is a map), and VS Code 1.139 takes that one only with the smoke-test driver.
 */
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * @param {readonly string[]} folders
 * @param {string} extensionsDir a new one: VS Code scans it only once
 */
export async function linkExtensions(folders, extensionsDir) {
  await mkdir(extensionsDir, { recursive: true });
  for (const folder of folders) {
    const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    await symlink(resolve(folder), join(extensionsDir, `${publisher}.${name}-${version}`), 'junction');
  }
}

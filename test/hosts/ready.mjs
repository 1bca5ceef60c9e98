// @ts-check
/** `node test/hosts/ready.mjs && …`: what an npm script needs is installed, also in a fresh clone. */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';

try {
  // On stderr: the output of a script is its own.
  await ensureDependencies(resolve(dirname(fileURLToPath(import.meta.url)), '..', '..'), console.error);
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

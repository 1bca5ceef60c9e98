/** The thread that asks a folder's TypeScript, built as for shipping: the tests run the sources, a thread can not. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestContext } from 'node:test';
import * as esbuild from 'esbuild';
import { temporaryTree } from '../unit/toolbox/temporaryTree.ts';

export async function buildCodeWorker(t: Pick<TestContext, 'after'>): Promise<URL> {
  const outfile = join(await temporaryTree(t, {}), 'codeWorker.mjs');
  const source = join(import.meta.dirname, '../../src/toolbox/code/codeWorker.ts');
  await esbuild.build({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile });
  return pathToFileURL(outfile);
}

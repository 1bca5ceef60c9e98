import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as esbuild from 'esbuild';

/** Bundles the loader and each test file for the extension host. Returns the bundle of each source file. */
export async function bundleHostTests(
  repository: string,
  files: readonly string[],
): Promise<{ loader: string; bundles: ReadonlyMap<string, string> }> {
  const outdir = join(repository, 'out', 'host');
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  // The repository's own package.json says that .js is ESM; these are not.
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  const base = join(repository, 'test', 'host');
  const loader = join(base, 'runner', 'loader.ts');
  await esbuild.build({
    entryPoints: [loader, ...files],
    outbase: base,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    // As in what ships: the other form of some packages does not bundle.
    mainFields: ['module', 'main'],
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  const output = (file: string) => join(outdir, relative(base, file).replace(/\.ts$/, '.js'));
  return { loader: output(loader), bundles: new Map(files.map((file) => [file, output(file)])) };
}

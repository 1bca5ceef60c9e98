/** What VS Code waits for when it activates the extension: small, and without libraries that are needed later. */
import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';

const repository = path.join(import.meta.dirname, '../../../..');

test('the entry of the extension loads no library at once but the one for its words, and stays under 100 kB', async () => {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints: { extension: 'src/entry/vscode/extension.ts' },
    external: ['vscode'],
    bundle: true,
    minify: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    outdir: 'out/loaded-at-once',
    write: false,
    metafile: true,
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((file) => path.basename(file) === 'extension.js')!;
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { kind, path: imported } of outputs[file]!.imports)
      if (kind === 'import-statement' && outputs[imported]) loaded.add(imported);
  const files = [...loaded].map((file) => outputs[file]!);
  const libraries = files
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter((file) => file.startsWith('node_modules/'));
  assert.deepEqual([...new Set(libraries)], ['node_modules/@vscode/l10n/dist/main.js']);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  assert.ok(bytes <= 100_000, `${bytes} bytes`);
});

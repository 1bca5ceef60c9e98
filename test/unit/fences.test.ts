/** The import directions of the house, checked on the source; the build checks the same for what it bundles. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What each folder may import, besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/planner': ['src/core'],
  'src/toolbox': ['src/core'],
  'src/session': ['src/core'],
  'src/runner': ['src/planner', 'src/toolbox', 'src/session', 'src/core'],
  'src/debug': ['src/runner', 'src/planner', 'src/toolbox', 'src/session', 'src/core'],
  'src/entry': ['src/debug', 'src/runner', 'src/planner', 'src/toolbox', 'src/session', 'src/core'],
  media: ['src/core'],
};

const files = ['src', 'media'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/'))),
);

const importsOf = (file: string) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, name = '']) => name,
  );

const folderOf = (file: string) =>
  file.startsWith('media/') ? 'media' : file.split('/').slice(0, 2).join('/');

/** Rules broken by an import, in words. */
function broken(file: string, imported: string): string[] {
  const own = folderOf(file);
  if (!imported.startsWith('.')) {
    if (own === 'src/core') return [`${file} imports ${imported}: core imports no library`];
    if (imported === 'vscode' && !file.startsWith('src/entry/vscode/')) return [`${file} imports vscode`];
    if (own === 'media' && imported.startsWith('node:'))
      return [`${file} imports ${imported} in the browser`];
    return [];
  }
  const target = folderOf(path.posix.normalize(path.posix.join(path.posix.dirname(file), imported)));
  return target === own || mayImport[own]?.includes(target)
    ? []
    : [`${file} imports ${imported} (${target})`];
}

test('imports point one way', () => {
  assert.ok(files.length > 100, `${files.length} files found`);
  assert.deepEqual(
    files.flatMap((file) => importsOf(file).flatMap((imported) => broken(file, imported))),
    [],
  );
});

test('the fence sees what it must see', () => {
  assert.equal(broken('src/core/fold.ts', 'zod').length, 1);
  assert.equal(broken('src/core/fold.ts', '../planner/pack.ts').length, 1);
  assert.equal(broken('src/planner/pack.ts', '../session/journal.ts').length, 1);
  assert.equal(broken('src/debug/adapter.ts', 'vscode').length, 1);
  assert.equal(broken('media/rounds.tsx', '../src/planner/pack.ts').length, 1);
  assert.equal(broken('src/runner/run.ts', '../debug/adapter.ts').length, 1);
  assert.deepEqual(broken('src/entry/vscode/extension.ts', 'vscode'), []);
});

test('the difference engine imports nothing but itself: it could be published alone', () => {
  const engine = files.filter((file) => file.startsWith('src/core/diff/'));
  assert.ok(engine.length > 10, `${engine.length} files found`);
  for (const file of engine) {
    for (const imported of importsOf(file))
      assert.match(imported, /^\.\/\w+\.ts$/, `${file} imports ${imported}`);
  }
});

test('there are no barrel files, and nothing ships from test', () => {
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    assert.ok(!/^export \* from/m.test(text), `${file} re-exports everything`);
    assert.ok(!importsOf(file).some((imported) => imported.includes('/test/')), `${file} imports a test`);
  }
});

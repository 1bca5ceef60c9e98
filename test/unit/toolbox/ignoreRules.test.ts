import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { temporaryTree, writeTree } from './temporaryTree.ts';

const signal = new AbortController().signal;

/** What git itself takes for the files of a folder, without the settings of whoever runs the test. */
function gitFiles(root: string): string[] {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CEILING_DIRECTORIES: root,
  };
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
  git('init', '--quiet');
  return git('ls-files', '-coz', '--exclude-standard').split('\0').filter(Boolean).sort();
}

async function allFiles(root: string, path = ''): Promise<string[]> {
  const listing = await createFolderWorkspace(root).list(path, { glob: '**', limit: 10_000, signal });
  assert.ok(listing.ok && !listing.more);
  return listing.entries;
}

const tree = {
  '.gitignore': 'vendor/\n!keep.log\n*.log\n# comment\n\n/top-only.txt\nbuild/*\n!build/keep/\n\\!bang\n',
  'keep.log': '',
  'a.log': '',
  '!bang': '',
  'top-only.txt': '',
  'sub/top-only.txt': '',
  'build/x': '',
  'build/keep/y': '',
  'src/.gitignore': '\ufeffgen/\n!b.log\n/only-here\r\nhidden dir/\n',
  'src/gen/x.ts': '',
  'src/deep/gen/x.ts': '',
  'src/b.log': '',
  'src/c.log': '',
  'src/only-here': '',
  'src/deep/only-here': '',
  'src/hidden dir/x': '',
  'src/app.ts': '',
  'src.txt': '',
  'odd [name]/.gitignore': 'x*\n!xy\n',
  'odd [name]/xz': '',
  'odd [name]/xy': '',
  'Case/.gitignore': 'README\n',
  'Case/readme': '',
  'empty/': '',
} as const;

test('the same files as git lists, with and without .git', async (t) => {
  const vendor = Object.fromEntries(
    Array.from(
      { length: 60 },
      (_, i) =>
        [
          [`vendor/r${i}/.gitignore`, 'pattern-*\n'.repeat(200)],
          [`vendor/r${i}/index.js`, ''],
        ] as const,
    ).flat(),
  );
  const root = await temporaryTree(t, { ...tree, ...vendor });
  const before = await allFiles(root);
  const expected = gitFiles(root);
  assert.deepEqual(before, expected);
  assert.deepEqual(await allFiles(root), expected);
  await rm(join(root, '.git'), { recursive: true });
  assert.deepEqual(await allFiles(root), expected);
  assert.ok(expected.includes('src/b.log') && !expected.includes('keep.log'));
});

const name = fc.constantFrom('a', 'b', 'c.log', 'd e', '[x]', '.h', 'gen');
const path = fc.array(name, { minLength: 1, maxLength: 4 });
const pattern = fc
  .tuple(
    fc.constantFrom('', '!'),
    fc.constantFrom('', '/', '**/', '*/'),
    fc.constantFrom(
      'a',
      'b',
      '*.log',
      'gen',
      'd e',
      'd\\ e',
      '\\[x\\]',
      '[ab]',
      '?',
      '*',
      '**',
      'a/b',
      'a/**',
      'a/**/b',
      '.h',
      '# x',
      '\\#',
      'b/*',
    ),
    fc.constantFrom('', '/', ' ', '/ '),
  )
  .map((parts) => parts.join(''));
const ignoreFile = fc.array(pattern, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);

test('the same files as git lists, for generated trees with nested ignore files', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 3, maxLength: 12 }),
      fc.array(fc.tuple(fc.array(name, { maxLength: 2 }), ignoreFile), { minLength: 1, maxLength: 3 }),
      async (paths, ignores) => {
        // Files end in a name of their own, so that none stands where another needs a folder.
        const files = Object.fromEntries(
          paths.map((segments, i) => [[...segments, `${segments.at(-1)}~${i}`].join('/'), '']),
        );
        const leaves = Object.fromEntries(
          paths.map((segments) => [[...segments, 'a', 'b', 'c.log'].join('/'), '']),
        );
        const rules = Object.fromEntries(
          ignores.map(([folder, text]) => [[...folder, '.gitignore'].join('/'), text]),
        );
        const root = await temporaryTree(t, {});
        await writeTree(root, { ...files, ...leaves, ...rules });
        const mine = await allFiles(root);
        assert.deepEqual([...mine].sort(), gitFiles(root), JSON.stringify(rules));
        assert.deepEqual(mine, [...mine].sort());
        await rm(root, { recursive: true });
      },
    ),
    { seed: 34, numRuns: 30 },
  );
});

test('listing a folder: ignored things are left out, skipped folders are one line each', async (t) => {
  const root = await temporaryTree(t, { ...tree, 'node_modules/x/index.js': '', '.git/HEAD': '' });
  const listing = await createFolderWorkspace(root).list('', { limit: 50, signal });
  assert.deepEqual(listing, {
    ok: true,
    entries: [
      '!bang',
      '.git/ (skipped)',
      '.gitignore',
      'Case/',
      'build/',
      'empty/',
      'node_modules/ (skipped)',
      'odd [name]/',
      'src.txt',
      'src/',
      'sub/',
    ].filter((entry) => entry !== '!bang'),
    more: false,
  });
});

test('an explicit request inside an ignored or skipped folder works', async (t) => {
  const root = await temporaryTree(t, {
    '.gitignore': 'vendor/\nnode_modules/\n',
    'vendor/r1/index.js': 'x',
    'vendor/r1/.gitignore': 'tmp\n',
    'vendor/r1/tmp': 'x',
    'node_modules/p/index.js': 'x',
  });
  const workspace = createFolderWorkspace(root);
  const list = async (folder: string) => workspace.list(folder, { limit: 9, signal });
  assert.deepEqual(await list('vendor'), { ok: true, entries: ['vendor/r1/'], more: false });
  assert.deepEqual(await list('vendor/r1'), {
    ok: true,
    entries: ['vendor/r1/.gitignore', 'vendor/r1/index.js'],
    more: false,
  });
  assert.deepEqual(await list('node_modules'), { ok: true, entries: ['node_modules/p/'], more: false });
  assert.deepEqual(await allFiles(root, 'node_modules/p'), ['node_modules/p/index.js']);
  const read = await workspace.read('vendor/r1/tmp');
  assert.deepEqual(read.ok && [read.path, read.text], ['vendor/r1/tmp', 'x']);
});

test('rules above a folder still count inside it', async (t) => {
  const root = await temporaryTree(t, {
    '.gitignore': '*.log\n',
    'src/a.log': '',
    'src/a.ts': '',
    'src/.gitignore': '',
  });
  assert.deepEqual(await allFiles(root, 'src'), ['src/.gitignore', 'src/a.ts']);
});

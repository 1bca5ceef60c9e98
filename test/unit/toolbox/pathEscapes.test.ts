/** Issue 7, C32: whatever a path is made of, nothing outside is read, changed or made. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Workspace } from '../../../src/core/ports.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { normalPath } from '../../../src/toolbox/normalPath.ts';
import { temporaryTree } from './temporaryTree.ts';

const secret = 'secret of somebody else\n';

/** Links that lead out: by one step, by a chain, by a folder within one, back in, in circles, and by an absolute path. */
async function trap(t: TestContext): Promise<{ outside: () => unknown; workspace: Workspace }> {
  const top = await temporaryTree(t, {
    'ws/src/a.txt': 'inside\n',
    'ws/deep/er/b.txt': 'inside\n',
    'out/secret.txt': secret,
    'out/folder/secret.txt': secret,
    'ws-next/secret.txt': secret,
    // No path names these: a listing that shows one has looked outside.
    'out/unnamed': '',
    'out/folder/unnamed': '',
    'ws-next/unnamed': '',
  });
  const link = (target: string, name: string) => symlinkSync(target, join(top, 'ws', name));
  link('../out', 'out');
  link('out', 'chain1');
  link('chain1', 'chain2');
  link('chain2/folder', 'chain3');
  link('deep/er/../../../out/folder', 'dots');
  link(join(top, 'out'), 'absolute');
  link('../../../ws-next', 'deep/er/next');
  link('../ws/src', 'back');
  link('around', 'again');
  link('again', 'around');
  link('../out/new.txt', 'dangling');
  const outside = () =>
    ['out', 'out/folder', 'ws-next'].map((folder) => [
      readdirSync(join(top, folder)).sort(),
      readFileSync(join(top, folder, 'secret.txt'), 'utf8'),
    ]);
  return { outside, workspace: createFolderWorkspace(join(top, 'ws')) };
}

const segment = fc.constantFrom(
  ...[
    '..',
    '.',
    '',
    '...',
    '. .',
    '.. ',
    ' ..',
    '..\t',
    '%2e%2e',
    '..%2f',
    '%2e%2e%2f',
    '..%5c',
    '..%c0%af',
    '%00',
  ],
  ...[
    '\u2024\u2024',
    '\uff0e\uff0e',
    '\u2025',
    '\u2215..',
    '..\u2044',
    '\u202e..',
    '..\u200b',
    '.\u0307.',
    '\ufeff..',
  ],
  ...['..\\', '\\..\\', '..\0', '\0', '..;', '..:', '~', '~root', '$HOME', '${PWD}', '*', '{..}', '[.][.]'],
  ...['CON', 'NUL.txt', 'aux', 'COM1', 'src::$DATA', 'PROGRA~1', 'SRC', 'A.TXT', 'a.txt.', 'a.txt '],
  ...[
    'src/a.txt',
    'back/a.txt',
    'deep/er/b.txt',
    'deep/../src',
    'src',
    'deep',
    'er',
    'a.txt',
    'b.txt',
    'secret.txt',
    'folder',
    'new.txt',
    'ws',
    'out',
    'ws-next',
  ],
  ...['chain1', 'chain2', 'chain3', 'dots', 'absolute', 'next', 'back', 'again', 'around', 'dangling'],
);
const prefix = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '/',
    '//',
    '\\',
    '\\\\?\\',
    '\\\\.\\',
    'C:',
    'c:/',
    'file:///',
    'file:',
    'FILE://localhost/',
    './',
    '../',
  ],
  ...['/proc/self/cwd/', '/dev/fd/', 'vscode-remote://x/', '~/'],
);
const paths = fc
  .tuple(
    prefix,
    fc.array(segment, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('/', '/', '//', '/./', '\\'),
  )
  .map(([start, segments, separator]) => start + segments.join(separator));

test('fuzzed paths lead nowhere but inside, for reading, changing and making', async (t) => {
  const { outside, workspace } = await trap(t);
  const before = outside();
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      const read = await workspace.read(path);
      if (read.ok) {
        reached++;
        assert.notEqual(read.text, secret);
      }
      const edited = await workspace.edit(path, ({ text }) => {
        assert.notEqual(text, secret);
        return { ok: true, text };
      });
      if (edited.ok) assert.equal(read.ok, true);
      await workspace.create(path, 'made');
      const listed = await workspace.list(path, { limit: 20, signal: new AbortController().signal });
      if (listed.ok) assert.ok(!listed.entries.some((entry) => entry.includes('unnamed')), path);
      const real = await workspace.realPath(path);
      if (real.ok) assert.ok(!real.path.split('/').includes('..'), path);
      assert.deepEqual(outside(), before);
    }),
    { seed: 57, numRuns: 1500 },
  );
  assert.ok(reached >= 10, `only ${reached} paths led to a file`);
});

test('in the spelling of Windows: no device, stream, drive or ending that the system takes off', () => {
  fc.assert(
    fc.property(paths, (path) => {
      let normal: string;
      try {
        normal = normalPath(path, undefined, 'win32');
      } catch {
        return;
      }
      for (const one of normal === '' ? [] : normal.split('/')) {
        assert.doesNotMatch(one, /[\\:\0]|^\.{1,2}$|[^.][. ]$/, path);
        assert.doesNotMatch(one, /^(?:con|nul|aux|com\d)(?:\.|$)/i, path);
      }
    }),
    { seed: 57, numRuns: 5000 },
  );
});

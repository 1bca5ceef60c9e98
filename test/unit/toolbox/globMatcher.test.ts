import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { globMatcher, pathMatcher } from '../../../src/toolbox/globMatcher.ts';

test('names at any depth without a slash, whole paths with one', () => {
  const table: [string, string, boolean][] = [
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['src/**', 'src', false],
    ['*/**', 'a', false],
    ['./src/**/*.ts', 'src/a.ts', true],
    ['/src/**', 'src/a.ts', true],
    ['**', '.hidden/x', true],
    ['*.{md,ts}', 'x/a.md', true],
    ['{src,test}/**/*.{md,t{s,sx}}', 'test/a.tsx', true],
    ['!*.ts', 'src/a.ts', false],
    ['!*.ts', 'src/a.md', true],
    ['README*', 'docs/README.md', true],
    ['[a-c]?.ts', 'b1.ts', true],
    ['[!a-c]?.ts', 'b1.ts', false],
    ['?.txt', '🚀.txt', true],
    ['\\*.txt', '*.txt', true],
    ['\\*.txt', 'a.txt', false],
    ['{a}.txt', '{a}.txt', true],
    ['[.txt', '[.txt', true],
  ];
  for (const [glob, path, matches] of table)
    assert.equal(globMatcher(glob)(path), matches, `${glob} ${path}`);
  assert.equal(pathMatcher('dist')('src/dist'), false);
});

test('agrees with picomatch on globs as people write them', () => {
  const piece = fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[^a]', 'ab');
  const segment = fc.oneof(
    { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((list) => list.join('')) },
    fc.constant('**'),
  );
  const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((list) => list.join('/'));
  const name = fc
    .array(fc.constantFrom('a', 'b', '.', 'c'), { minLength: 1, maxLength: 5 })
    .map((list) => list.join(''));
  const path = fc
    .array(
      name.filter((one) => !/^\.+$/.test(one)),
      { minLength: 1, maxLength: 4 },
    )
    .map((list) => list.join('/'));
  fc.assert(
    fc.property(glob, path, (pattern, candidate) => {
      // Where picomatch has ways of its own: stars in a row within a name, dots in front, `**` before the end.
      fc.pre(!/\*\*[^/]|[^/]\*\*|\*\?|\?\*|(^|\/)\.|\*\*\/\*\*/.test(pattern));
      // It takes `a/**` for a itself too.
      fc.pre(!pattern.endsWith('/**') || !pathMatcher(pattern.slice(0, -3))(candidate));
      assert.equal(
        pathMatcher(pattern)(candidate),
        picomatch(pattern, { dot: true })(candidate),
        `${pattern} ${candidate}`,
      );
    }),
    { seed: 5, numRuns: 2000 },
  );
});

// One that backtracks would run into the file's time limit.
test('hostile globs come to an end or are refused', () => {
  assert.equal(globMatcher('*a'.repeat(100) + '*b')('a'.repeat(250)), false);
  assert.equal(globMatcher(`${'**/a/'.repeat(40)}b`)('a/'.repeat(200) + 'a'), false);
  assert.equal(globMatcher('+(a|aa)+(a|aa)+(a|aa)b')('a'.repeat(200)), false);
  assert.throws(() => globMatcher('{a,aa}'.repeat(20)), /more than 64 alternatives/);
  assert.throws(() => globMatcher('*'.repeat(300)), /longer than 256/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { replaceText } from '../../../../src/toolbox/edit/replaceText.ts';
import { wholeText } from '../../../../src/toolbox/edit/wholeText.ts';

function replaced(original: string, old: string, next: string, all = false): string {
  const result = replaceText(original, old, next, all);
  assert.ok(result.ok, result.ok ? '' : result.error);
  return result.text;
}

function refused(original: string, old: string, next = 'new', all = false): string {
  const result = replaceText(original, old, next, all);
  assert.ok(!result.ok, 'it was replaced');
  return result.error;
}

test('C29 mixed line ends: untouched bytes stay, new lines take the ends of their surroundings', () => {
  const file = 'alpha\nbeta\r\ngamma\r\nprog 10%\rprog 90%\r\nomega';
  assert.equal(
    replaced(file, 'beta\ngamma', 'BETA\nGAMMA\nnew'),
    'alpha\nBETA\r\nGAMMA\r\nnew\r\nprog 10%\rprog 90%\r\nomega',
  );
  assert.equal(replaced(file, 'beta\r\ngamma', 'x'), 'alpha\nx\r\nprog 10%\rprog 90%\r\nomega');
  assert.equal(
    replaced(file, 'prog 10%\rprog 90%', 'prog\rdone'),
    'alpha\nbeta\r\ngamma\r\nprog\rdone\r\nomega',
  );
  assert.equal(replaced(file, 'omega', 'omega\nlast'), `${file}\r\nlast`);
  assert.equal(replaced(file, 'alpha\n', ''), file.slice('alpha\n'.length));
});

const table: readonly (readonly [what: string, original: string, old: string, next: string, now: string])[] =
  [
    ['a line more after LF in a CRLF file', 'a\nb\r\nc\r\n', 'a\nb', 'a\nx\nb', 'a\nx\nb\r\nc\r\n'],
    ['a line in place of another', 'a\r\nb\nc\r\n', 'a\nb\nc', 'A\nB\nC', 'A\r\nB\nC\r\n'],
    ['a line less', 'a\r\nb\nc\r\n', 'a\nb\nc', 'a\nc', 'a\r\nc\r\n'],
    ['no break anywhere', 'one', 'one', 'one\ntwo', 'one\ntwo'],
    ['CRLF without a final line end', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
    ['an old Mac file', 'a\rb\rc\r', 'a\nb', 'a\nB\nx', 'a\rB\rx\rc\r'],
    ['patterns of String.replace', 'cost: 5', '5', "$& $1 $$ $` $'", "cost: $& $1 $$ $` $'"],
    ['patterns of regular expressions', 'a.b aXb', 'a.b', '[.*+?^${}()|]', '[.*+?^${}()|] aXb'],
    ['the break itself', 'a\r\nb', '\n', ' ', 'a b'],
    ['astral characters', 'x 🙂🙃 y', '🙃', '🙂', 'x 🙂🙂 y'],
    ['what is inserted holds what was replaced', 'a', 'a', 'aa', 'aa'],
  ];
for (const [what, original, old, next, now] of table)
  test(`replacing: ${what}`, () => {
    assert.equal(replaced(original, old, next), now);
    assert.equal(replaced(original, old, next, true), now);
  });

test('replacing everywhere keeps the line ends of each place', () => {
  assert.equal(replaced('a\nb\r\na\r\nb\n', 'a\nb', 'x\ny', true), 'x\ny\r\nx\r\ny\n');
  const result = replaceText('aaa', 'a', 'aa', true);
  assert.ok(result.ok);
  assert.deepEqual([result.text, result.count, result.lines], ['aaaaaa', 3, [1, 1]]);
});

test('what is there more than once, or not at all, says where to look', () => {
  assert.match(
    refused('a\nb\na\nb\na\n', 'a'),
    /there 3 times, at the lines 1, 3, 5.*replace_all.*Nothing was changed/,
  );
  assert.match(refused('a\n'.repeat(30), 'a'), /30 times.*and 20 more/);
  assert.match(
    refused('if (x) {\n\treturn  1;\n}\n', '  return 1;'),
    /differs only in white space.* at line 2 /,
  );
  assert.match(refused('say(“hi”)\n', 'say("hi")'), /quotes.* at line 1 /);
  assert.match(refused('one\n  two\n  three\nfour', 'two\nthree'), /white space.* at lines 2–3 /);
  assert.match(refused('const total = sum(items);\n', 'const total = sum(item);'), /nearest is at line 1 /);
  assert.match(refused('a\n', 'something else'), /Nothing like it/);
  assert.match(refused('a\n', ' \n '), /Read the file again/);
  assert.match(refused('', 'x'), /Nothing like it/);
  assert.match(refused('a', ''), /old_string is empty/);
  assert.match(refused('a', 'a', 'a'), /the same/);
  assert.match(refused('a\r\nb', 'a\nb', 'a\r\nb'), /the same/);
});

const breaks = fc.constantFrom('\n', '\r\n', '\r');
const word = fc.constantFrom('', 'a', 'b', 'ab', ' a', '🙂', '$&', 'é', '漢');
const lines = (max: number) => fc.array(fc.tuple(word, breaks), { maxLength: max });
const textFrom = (parts: readonly (readonly [string, string])[], last: string) =>
  parts.map((part) => part.join('')).join('') + last;
const file = fc.tuple(lines(8), word).map(([parts, last]) => textFrom(parts, last));
const lf = (text: string) => text.replaceAll('\r\n', '\n');

test('bytes outside of the change are those of the file, and the change is that of a plain string', () => {
  fc.assert(
    fc.property(file, file, file, file, (before, old, next, after) => {
      // A break that two pieces only make together belongs to none of them.
      fc.pre(
        !(before.endsWith('\r') && old.startsWith('\n')) && !(old.endsWith('\r') && after.startsWith('\n')),
      );
      fc.pre(old !== '' && lf(old) !== lf(next) && !/\r\r\n/.test(next));
      const original = before + old + after;
      const result = replaceText(original, old, next, false);
      const [first, more] = [lf(original).indexOf(lf(old)), lf(original).split(lf(old)).length > 2];
      if (more) return void assert.ok(!result.ok);
      assert.ok(result.ok, result.ok ? '' : result.error);
      assert.ok(result.text.startsWith(before) && result.text.endsWith(after));
      const inner = result.text.slice(before.length, result.text.length - after.length);
      const plain = lf(original).slice(0, first) + lf(next) + lf(original).slice(first + lf(old).length);
      assert.equal(lf(before) + lf(inner) + lf(after), plain);
      if (!original.includes('\r'))
        assert.equal(
          result.text,
          original.replace(old, () => lf(next)),
        );
    }),
    { seed: 29, numRuns: 3000 },
  );
});

test('replacing everywhere is that of a plain string, in every file with one kind of line end', () => {
  fc.assert(
    fc.property(file, file, file, fc.constantFrom('\n', '\r\n'), (given, oldGiven, nextGiven, end) => {
      const [text, old, next] = [given, oldGiven, nextGiven].map((one) => one.replace(/\r\n|\r/g, '\n'));
      fc.pre(old !== '' && old !== next && text!.includes(old!));
      const result = replaceText(text!.replaceAll('\n', end), old!, next!, true);
      assert.ok(result.ok);
      const breakless = !text!.includes('\n');
      assert.equal(result.text, text!.replaceAll(old!, () => next!).replaceAll('\n', breakless ? '\n' : end));
    }),
    { seed: 30, numRuns: 3000 },
  );
});

test('a whole new text keeps the line ends of the lines that stay', () => {
  assert.equal(wholeText('a\r\nb\nc\r\n', 'a\nnew\nb\nc\n'), 'a\r\nnew\r\nb\nc\r\n');
  assert.equal(wholeText('a\r\nb\r\n', 'x\ny\nz'), 'x\r\ny\r\nz');
  assert.equal(wholeText('a\rb\r', 'a\nB\n'), 'a\rB\r');
  assert.equal(wholeText('', 'x\r\ny\n'), 'x\r\ny\n');
  fc.assert(
    fc.property(file, file, (original, content) => {
      fc.pre(!/\r\r\n/.test(original + content));
      assert.equal(wholeText(original, lf(original)), original);
      fc.pre(/\n/.test(original));
      assert.equal(lf(wholeText(original, content)), lf(content));
    }),
    { seed: 31, numRuns: 2000 },
  );
});

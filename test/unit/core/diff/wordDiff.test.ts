import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWordBudget, type WordDiff, wordDiff } from '../../../../src/core/diff/wordDiff.ts';

const oldText = (diff: WordDiff) => textOf(diff, 'removed');
const newText = (diff: WordDiff) => textOf(diff, 'added');
function textOf(diff: WordDiff, side: 'removed' | 'added'): string {
  return diff.pieces
    .map((piece) => (piece.kind === 'same' || piece.kind === side ? piece.text : ''))
    .join('');
}

function shown(before: string, after: string): string {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;
  return wordDiff(before, after)
    .pieces.map(({ kind, text }) => marks[kind][0] + text + marks[kind][1])
    .join('');
}

test('a changed value is that value and no more', () => {
  assert.equal(shown('{"total":2,"items":[]}', '{"total":3,"items":[]}'), '{"total":[-2-]{+3+},"items":[]}');
  assert.equal(shown('{"expression":"45+20"}', '{"expression":"45+30"}'), '{"expression":"45+[-20-]{+30+}"}');
  assert.equal(shown('reply to mail', 'answer the mail'), '[-reply to-]{+answer the+} mail');
});

test('Chinese goes by character, Latin by word', () => {
  assert.equal(shown('今天的周报很重要', '今天的日报很重要'), '今天的[-周-]{+日+}报很重要');
  assert.equal(shown('写report给他', '写reports给他'), '写[-report-]{+reports+}给他');
});

test('what a reader sees as one character is never cut', () => {
  assert.equal(shown('👍🏽 ok', '👍🏻 ok'), '[-👍🏽-]{+👍🏻+} ok');
  assert.equal(shown('👨‍👩‍👧!', '👨‍👩‍👦!'), '[-👨‍👩‍👧-]{+👨‍👩‍👦+}!');
  assert.equal(shown('🇩🇪🇫🇷', '🇩🇪🇪🇸'), '🇩🇪[-🇫🇷-]{+🇪🇸+}');
  assert.equal(shown('ก็ดี', 'กีดี'), '[-ก็-]{+กี+}ดี');
});

const alphabet = fc.constantFrom(
  'a',
  'b',
  ' ',
  '\n',
  '周',
  '报',
  '👍🏽',
  '\ud83d',
  '\udc4d',
  'é',
  'e\u0301',
  '\u200d',
  '"',
  '1',
);
const someText = fc.oneof(
  fc.array(alphabet, { maxLength: 60 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('property: the pieces are the old text and the new text, and neighbours differ in kind', () => {
  fc.assert(
    fc.property(someText, someText, (before, after) => {
      const diff = wordDiff(before, after);
      assert.equal(oldText(diff), before);
      assert.equal(newText(diff), after);
      assert.equal(diff.coarse, false);
      diff.pieces.forEach((piece, index) => {
        assert.notEqual(piece.text, '');
        assert.notEqual(piece.kind, diff.pieces[index + 1]?.kind);
      });
    }),
    { seed: 20260101, numRuns: 2000 },
  );
});

test('property: well-formed texts give well-formed pieces, coarse ones too', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (common, a, b, large) => {
      const padding = large ? 'x.'.repeat(1_300_000) : '';
      const [before, after] = [common + a + padding, common + b + padding + (large ? '.' : '')];
      const diff = wordDiff(before, after);
      assertExact(diff, before, after);
      for (const piece of diff.pieces) assert.ok(piece.text.isWellFormed(), JSON.stringify(piece));
    }),
    { seed: 20260102, numRuns: 300 },
  );
});

/** Random, and the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

function textOfWords(seed: number, length: number, alphabet: readonly string[]): string {
  const random = randomFrom(seed);
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

function assertExact(diff: WordDiff, before: string, after: string): void {
  // Not assert.equal: its message would print both texts.
  assert.ok(oldText(diff) === before, 'the old text');
  assert.ok(newText(diff) === after, 'the new text');
}

test('texts too large or too different to be read word by word get a coarse answer, exact all the same', () => {
  const han = Array.from({ length: 50 }, (_, index) => String.fromCharCode(0x4e00 + index));
  const pairs: [string, string][] = [
    [textOfWords(1, 100_000, han), textOfWords(2, 100_000, han)],
    [textOfWords(3, 50_000, ['yes ', 'no ']), textOfWords(4, 50_000, ['yes ', 'no '])],
    [`head ${'a.'.repeat(1_000_000)} tail`, `head ${'b.'.repeat(1_500_000)} tail`],
  ];
  for (const [before, after] of pairs) {
    const diff = wordDiff(before, after);
    assert.equal(diff.coarse, true);
    assertExact(diff, before, after);
  }
});

test('the same input gets the same answer, however busy the machine', () => {
  const [before, after] = [
    textOfWords(5, 30_000, ['a ', 'b ', 'c, ']),
    textOfWords(6, 30_000, ['a ', 'b ', 'c, ']),
  ];
  assert.deepEqual(wordDiff(before, after), wordDiff(before, after));
});

test('words that the other text has nowhere cost no search: all replaced is an exact answer', () => {
  const diff = wordDiff('a'.repeat(100_000), 'b'.repeat(100_000));
  assert.deepEqual([diff.coarse, diff.pieces.length], [false, 2]);
});

test('a word between two large changes is a crumb, a word between two small ones is not', () => {
  assert.equal(shown('a 1 b', 'a 2 c'), 'a [-1 b-]{+2 c+}');
  assert.equal(shown('one two three', 'x two y'), '[-one-]{+x+} two [-three-]{+y+}');
  const [long, other] = ['alphabetically sorted', 'haphazardly strewn around'];
  assert.equal(
    shown(`${long} a ${long}`, `${other} a ${other}`),
    `[-${long} a ${long}-]{+${other} a ${other}+}`,
  );
});

test('a large text on one line is compared by words where it changed, and not at all elsewhere', () => {
  const list = Array.from({ length: 100_000 }, (_, index) => `word${(index * 7919) % 100_003}`);
  const changed = list.map((word, index) => (index % 10_000 === 5 ? 'CHANGED' : word));
  const diff = wordDiff(list.join(' '), changed.join(' '));
  assert.equal(diff.coarse, false);
  assert.equal(diff.pieces.filter((piece) => piece.kind === 'added' && piece.text === 'CHANGED').length, 10);
  assertExact(diff, list.join(' '), changed.join(' '));
});

test('property: large texts, edited at random places, are exact', () => {
  const places = fc.array(fc.tuple(fc.nat(60_000), fc.nat(200), someText), { maxLength: 30 });
  const base = textOfWords(7, 12_000, ['plan ', 'act, ', 'observe.\n', '周报', '👍🏽 ', '"a":1,']);
  fc.assert(
    fc.property(places, (edits) => {
      let after = base;
      for (const [at, remove, insert] of edits)
        after = after.slice(0, at) + insert + after.slice(at + remove);
      const diff = wordDiff(base, after);
      assertExact(diff, base, after);
      const kept = diff.pieces.filter((piece) => piece.kind === 'same');
      const length = kept.reduce((sum, piece) => sum + piece.text.length, 0);
      assert.ok(length > base.length - 30 * 600, `${length} of ${base.length} kept`);
    }),
    { seed: 20260103, numRuns: 200 },
  );
});

test('twenty edits in 100 kB are found word by word', () => {
  const list = Array.from({ length: 15_000 }, (_, index) => `word${index % 977}`);
  const changed = list.map((word, index) => (index % 750 === 0 ? 'CHANGED' : word));
  const diff = wordDiff(list.join(' '), changed.join(' '));
  assert.equal(diff.coarse, false);
  assert.equal(diff.pieces.filter((piece) => piece.kind === 'added').length, 20);
});

test('text that is not plain takes more of the budget: it is slower to read', () => {
  const used = (letter: string) => {
    const budget = createWordBudget();
    const { steps } = budget;
    wordDiff(`${letter} `.repeat(1000), `x ${letter}${letter} `.repeat(1000), budget);
    return steps - budget.steps;
  };
  assert.ok(used('é') > used('e') + 8_000, `${used('é')} and ${used('e')} steps`);
});

test('a large text takes of the budget by its size, however little of it has changed', () => {
  const large = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ');
  const budget = createWordBudget();
  const { steps } = budget;
  wordDiff(`a${large}b`, `c${large}d`, budget);
  assert.ok(steps - budget.steps > large.length, `${steps - budget.steps} steps`);
});

test('in a large text, too, what a reader sees as one character is never cut', () => {
  const signs = ['👍🏽', '👍🏻', 'e\u0301', '🇩🇪', '👨‍👩‍👧'];
  const random = randomFrom(8);
  const old = Array.from({ length: 6_000 }, () => signs[Math.floor(random() * signs.length)]!);
  const now = old.map((sign) => (random() < 0.02 ? signs[Math.floor(random() * signs.length)]! : sign));
  const diff = wordDiff(old.join(''), now.join(''));
  assertExact(diff, old.join(''), now.join(''));
  let at = 0;
  const ends = new Set(now.map((sign) => (at += sign.length)));
  at = 0;
  for (const { kind, text } of diff.pieces)
    if (kind !== 'removed') assert.ok(ends.has((at += text.length)), `cut at ${at}`);
});

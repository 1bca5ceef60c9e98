import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type WordDiff, wordDiff, words } from '../../../src/core/wordDiff.ts';

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
  const cases: [string, string][] = [
    ['👍🏽 ok', '👍🏻 ok'],
    ['👨‍👩‍👧', '👨‍👩‍👦'],
    ['🇩🇪🇫🇷', '🇩🇪🇪🇸'],
    ['e\u0301', 'e\u0300'],
    ['ก็', 'กี'],
    ['葛\u{E0100}飾', '葛飾'],
  ];
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const [before, after] of cases) {
    for (const text of [before, after]) {
      const ends = new Set([...segmenter.segment(text)].map((part) => part.index + part.segment.length));
      let at = 0;
      for (const word of words(text)) assert.ok(ends.has((at += word.length)), `${text} cut at ${at}`);
    }
    const diff = wordDiff(before, after);
    assert.deepEqual([oldText(diff), newText(diff)], [before, after]);
  }
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
      const padding = large ? 'x'.repeat(150_001) : '';
      const [before, after] = [common + a + padding, common + b + padding];
      const diff = wordDiff(before, after);
      assert.equal(oldText(diff), before);
      assert.equal(newText(diff), after);
      for (const piece of diff.pieces) assert.ok(piece.text.isWellFormed(), JSON.stringify(piece));
    }),
    { seed: 20260102, numRuns: 300 },
  );
});

test('texts that share nothing, and texts too large, get a coarse answer in bounded time', () => {
  const lines = (seed: number) =>
    Array.from({ length: 8000 }, (_, index) => `w${(index * seed) % 99991}`).join(' ');
  for (const [before, after] of [
    [lines(7), lines(13)],
    [`head ${'a'.repeat(2_000_000)} tail`, `head ${'b'.repeat(3_000_000)} tail`],
  ] as const) {
    const started = performance.now();
    const diff = wordDiff(before, after);
    assert.ok(performance.now() - started < 2000, 'bounded');
    assert.equal(diff.coarse, true);
    assert.equal(newText(diff), after);
    assert.equal(oldText(diff), before);
  }
});

test('twenty edits in 100 kB are found word by word', () => {
  const list = Array.from({ length: 15_000 }, (_, index) => `word${index % 977}`);
  const changed = list.map((word, index) => (index % 750 === 0 ? 'CHANGED' : word));
  const diff = wordDiff(list.join(' '), changed.join(' '));
  assert.equal(diff.coarse, false);
  assert.equal(diff.pieces.filter((piece) => piece.kind === 'added').length, 20);
});

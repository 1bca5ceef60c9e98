import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createNumbering, isSureCut, wordNumbers, words } from '../../../../src/core/diff/words.ts';

/** Where a reader's characters end, by V8's own (slow) implementation of the standard. */
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
function characterEnds(text: string): Set<number> {
  return new Set([...segmenter.segment(text)].map((part) => part.index + part.segment.length));
}

function wordEnds(text: string): number[] {
  let at = 0;
  return words(text).map((word) => (at += word.length));
}

function assertWhole(text: string): void {
  assert.equal(words(text).join(''), text);
  const ends = characterEnds(text);
  for (const end of wordEnds(text)) {
    assert.ok(ends.has(end), `${JSON.stringify(text)} cut at ${end}: ${JSON.stringify(words(text))}`);
  }
}

test('words, spaces, signs; Chinese and Thai by character', () => {
  assert.deepEqual(words('Hi, you_2  there\n'), ['Hi', ',', ' ', 'you_2', '  ', 'there', '\n']);
  assert.deepEqual(words('写report给他'), ['写', 'report', '给', '他']);
  assert.deepEqual(words('naïve Straße приве́т'), ['naïve', ' ', 'Straße', ' ', 'приве́т']);
  assert.deepEqual(words('สวัสดี'), ['ส', 'วั', 'ส', 'ดี']);
  assert.deepEqual(words('a\r\nb\rc'), ['a', '\r\n', 'b', '\r', 'c']);
  assert.deepEqual(words('한국어 말'), ['한국어', ' ', '말']);
  assert.deepEqual(words(''), []);
});

test('characters of many units stay whole', () => {
  const texts = [
    '👍🏽👍🏻',
    '👨‍👩‍👧👨‍👩‍👦',
    '🇩🇪🇫🇷🇪',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏳️‍🌈',
    '❤️‍🔥1️⃣#️⃣',
    'e\u0301\u0300x',
    '葛\u{E0100}飾',
    'ก็กีนำ้',
    'ຄຳ',
    'क्षत्रिय',
    'தமிழ்',
    '\u1112\u1161\u11ab',
    '가\u11a8',
    '\u0600123',
    '\u{110bd}x',
    ' \u0301',
    '\t\u200d',
    '\n\u0301',
    '\ud83d',
    '\udc4d\ud83d',
    '\u200d\u200d',
    'a\u200d👍',
    '\ufeff\ufeffa',
    '\u0e33',
    '中\u3099カ\u3099',
  ];
  for (const text of texts) assertWhole(text);
});

const nasty = fc.constantFrom(
  ...[
    'a',
    'Z',
    '0',
    '_',
    ' ',
    '\t',
    '\n',
    '\r',
    '.',
    '"',
    '中',
    'カ',
    'ー',
    'ｶ',
    'ﾞ',
    '。',
    '\u3000',
    'é',
    'ß',
    'и',
    'ก',
    'ำ',
    'ຳ',
    'क',
    '\u094d',
    '\u093f',
  ],
  ...[
    '\u0301',
    '\u200c',
    '\u200d',
    '\ufe0f',
    '\u20e3',
    '👍',
    '🏽',
    '👩',
    '❤',
    '🇩',
    '🇪',
    '가',
    '\u1100',
    '\u1161',
    '\u11a8',
    '\u0600',
    '\u{110bd}',
  ],
  ...[
    '\ud83d',
    '\udc4d',
    '\u{E0067}',
    '\u{E007F}',
    '\ufeff',
    '\u00ad',
    '\u2028',
    '\u180e',
    '\u3099',
    '\u0d4e',
    '\u{11f02}',
    '\u1b44',
    '\u1b13',
    '\u00a0',
  ],
);
const nastyText = fc.oneof(
  fc.array(nasty, { maxLength: 16 }).map((list) => list.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

test('property: pieces end only where characters end', () => {
  fc.assert(fc.property(nastyText, assertWhole), { seed: 20260110, numRuns: 6000 });
});

test('property: a sure cut is where a piece begins, whatever stands around it', () => {
  fc.assert(
    fc.property(nastyText, (text) => {
      const ends = new Set([0, ...wordEnds(text)]);
      for (let at = 0; at <= text.length; at++)
        assert.ok(!isSureCut(text, at) || ends.has(at), `${JSON.stringify(text)} at ${at}`);
    }),
    { seed: 20260111, numRuns: 4000 },
  );
});

test('property: a stretch between sure cuts has the pieces that it has in the whole text', () => {
  fc.assert(
    fc.property(nastyText, fc.nat(40), fc.nat(40), (text, a, b) => {
      const [start, end] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)];
      fc.pre(isSureCut(text, start) && isSureCut(text, end));
      const all = new Set([0, ...wordEnds(text)]);
      const { starts } = wordNumbers(text, start, end, createNumbering());
      assert.deepEqual(
        [...starts],
        [...all].filter((at) => at >= start && at <= end).sort((x, y) => x - y),
      );
    }),
    { seed: 20260112, numRuns: 3000 },
  );
});

test('equal pieces have equal numbers, and no others', () => {
  const numbering = createNumbering();
  const { items } = wordNumbers('aa a 中 aa 中', 0, 11, numbering);
  assert.deepEqual([...items], [0, 1, 2, 1, 3, 1, 0, 1, 3]);
  assert.deepEqual([...wordNumbers('中aa', 0, 3, numbering).items], [3, 0]);
  assert.equal(numbering.count, 4);
});

test('a word of a megabyte is one piece', () => {
  for (const letter of ['a', 'é', '한', '\u0301']) assert.equal(words(letter.repeat(1_000_000)).length, 1);
});

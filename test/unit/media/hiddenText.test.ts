import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainText, textRuns } from '../../../media/hiddenText.ts';

const marks = (text: string) => textRuns(text).flatMap((run) => (run.hidden ? [run.text] : []));

test('what deceives is marked: escapes, bidi overrides, zero-width, tags, lone surrogates', () => {
  assert.deepEqual(marks('\u001b[2J'), ['␛']);
  assert.deepEqual(marks('a\u0000\u007f\u0085'), ['␀', '␡', 'U+0085']);
  assert.equal(plainText('invoice\u202egnp.exe'), 'invoiceU+202Egnp.exe');
  assert.deepEqual(marks('\u2066x\u2069\u200e\u061c'), ['U+2066', 'U+2069', 'U+200E', 'U+061C']);
  assert.deepEqual(marks('pass\u200bword\u2060\ufeff\u00ad'), ['U+200B', 'U+2060', 'U+FEFF', 'U+00AD']);
  assert.deepEqual(marks('hi\u{e0068}\u{e0069}'), ['U+E0068', 'U+E0069']);
  assert.deepEqual(marks('a\u{e0101}b\ufe00'), ['U+E0101', 'U+FE00']);
  assert.deepEqual(marks('\ud83d x \udc4d'), ['U+D83D', 'U+DC4D']);
  assert.deepEqual(marks('a\rb'), ['␍']);
});

test('what is smuggled in: tags, selectors, fillers, and marks piled up so high that they would cover other lines', () => {
  assert.deepEqual(marks('ok\u{e0001}\u{e0041}\u{e007f}'), ['U+E0001', 'U+E0041', 'U+E007F']);
  assert.deepEqual(marks('👍\ufe0f\ufe0f\ufe0f'), ['U+FE0F ×2']);
  assert.deepEqual(marks('葛\u{e0100}\u{e0101}'), ['U+E0101']);
  assert.deepEqual(marks('\u3164\u2800\u115f\u{1d173}\u{1bca0}'), [
    'U+3164',
    'U+2800',
    'U+115F',
    'U+1D173',
    'U+1BCA0',
  ]);
  assert.deepEqual(marks(`a${'\u200b'.repeat(50_000)}b`), ['U+200B ×50000']);
  const tags = Array.from({ length: 900 }, (_, index) => String.fromCodePoint(0xe0001 + (index % 120)));
  const smuggled = marks(tags.join(''));
  assert.equal(smuggled.length, 16);
  assert.equal(smuggled.join(' ').split(' ').length, 900);
  const piled = `Z${'\u0301\u0302\u0303'.repeat(20)}a`;
  assert.deepEqual(textRuns(piled), [
    { text: `Z${'\u0301\u0302\u0303'.repeat(2)}`, hidden: false },
    { text: 'U+0301 ×54', hidden: true },
    { text: 'a', hidden: false },
  ]);
});

test('what languages and emoji need is left alone', () => {
  for (const text of [
    'line\nline\r\n\ttab',
    '周报 — naïve “quotes”',
    '👨‍👩‍👧 ❤️ 👍🏽 🏳️‍🌈 1️⃣',
    'می‌خواهم',
    'क्‍ष',
    'שלום עולם',
    'בְּרֵאשִׁ֖ית',
    'ที่นี่',
    'རྒྱུ་སྐྱེས',
    'Tiếng Việt: ệ ữ'.normalize('NFD'),
    '葛\u{e0100}飾',
    '<b>&amp;</b>',
  ]) {
    assert.deepEqual(marks(text), [], text);
    assert.equal(plainText(text), text);
  }
});

test('a joiner without anything to join is marked', () => {
  assert.deepEqual(marks('a\u200db\u200cc'), ['U+200D', 'U+200C']);
});

test('property: nothing is lost, and no run that is shown as text hides anything', () => {
  const unit = fc.oneof(
    fc.constantFrom('a', ' ', '\u202e', '\u200b', '\u001b', '👍', '\ufe0f', '\u200d', '\ud800'),
    fc.string({ unit: 'binary', maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), (list) => {
      const text = list.join('');
      const runs = textRuns(text);
      assert.equal(
        runs.filter((run) => !run.hidden).every((run) => text.includes(run.text)),
        true,
      );
      for (const run of runs) {
        if (!run.hidden)
          assert.doesNotMatch(run.text, /[\u0000-\u0008\u000b\u000c\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
        assert.match(run.text, /^[^]+$/);
      }
    }),
    { seed: 20260105, numRuns: 1000 },
  );
});

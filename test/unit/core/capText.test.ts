import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capEnds, capParts, capText, countCodePoints, endsAt } from '../../../src/core/capText.ts';

const pieces = [
  'a',
  'Z',
  '9',
  ' ',
  '\n',
  '你',
  '好',
  'é',
  '🚀',
  '🇩🇪',
  '🇯🇵',
  '👨‍👩‍👧‍👦',
  '👍🏽',
  'e\u0301',
  '한',
  'ก็',
  '\r\n',
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 120 }).map((list) => list.join(''));
const seed = 20_240_607;

test('never longer than the limit, never half a character, unchanged when it fits', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 50 }), (text, limit) => {
      const capped = capText(text, limit);
      assert.ok(countCodePoints(capped) <= limit);
      assert.ok(capped.isWellFormed());
      if (countCodePoints(text) <= limit) assert.equal(capped, text);
    }),
    { seed, numRuns: 2000 },
  );
});

test('head and tail are whole graphemes of the text, and the gap counts what lies between', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const boundaries = (text: string): Set<number> =>
    new Set([...segmenter.segment(text)].map((one) => one.index).concat(text.length));
  fc.assert(
    fc.property(texts, fc.integer({ min: 40, max: 70 }), (text, limit) => {
      const gap = /… \[([\d,]+) of ([\d,]+) characters left out\] …/.exec(capText(text, limit));
      if (!gap) return;
      const head = capText(text, limit).slice(0, gap.index);
      const tail = capText(text, limit).slice(gap.index + gap[0].length);
      const between = text.slice(head.length, text.length - tail.length);
      assert.ok(text.startsWith(head) && text.endsWith(tail));
      assert.equal(Number(gap[1]?.replaceAll(',', '')), countCodePoints(between));
      assert.equal(Number(gap[2]?.replaceAll(',', '')), countCodePoints(text));
      assert.ok(boundaries(text).has(head.length) && boundaries(text).has(text.length - tail.length));
    }),
    { seed, numRuns: 2000 },
  );
});

test('what was shortened is shortened again as the text itself: one gap, true numbers, head and tail of the whole', () => {
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      (text, once, again) => {
        const { head, gap, tail } = capParts(text, once);
        const ends = endsAt(head + gap + tail, countCodePoints(head));
        if (gap === '') return assert.equal(ends, undefined);
        const total = tail === '' ? undefined : countCodePoints(text);
        assert.deepEqual(ends, { first: head, last: tail, total });
        const shorter = capEnds(ends, again);
        assert.ok(text.startsWith(shorter.head) && text.endsWith(shorter.tail));
        if (again <= once) assert.ok(countCodePoints(shorter.head + shorter.gap + shorter.tail) <= again);
        const [, left] = /\[([\d,]+) of/.exec(shorter.gap) ?? [];
        const shown = countCodePoints(shorter.head) + countCodePoints(shorter.tail);
        if (left !== undefined) assert.equal(Number(left), countCodePoints(text) - shown);
        else assert.equal(shorter.gap, '…');
      },
    ),
    { seed, numRuns: 2000 },
  );
});

test('says how much is left out, with two thirds of the room for the head', () => {
  const capped = capText(`${'0123456789'.repeat(523)}wxyz`, 100);
  assert.equal(
    capped,
    `${'0123456789'.repeat(4)}… [5,174 of 5,234 characters left out] …456789${'0123456789'}wxyz`,
  );
});

test('a lone surrogate of the text becomes U+FFFD, cut or not', () => {
  assert.equal(capText('a\ud83d', 10), 'a\ufffd');
  assert.ok(capText(`${'\ud83d'.repeat(60)}${'\ude80'.repeat(60)}`, 50).isWellFormed());
});

test('one grapheme longer than the window is cut rather than everything lost', () => {
  const zalgo = `a${'\u0301'.repeat(5000)}`;
  assert.equal(countCodePoints(capText(zalgo, 1000)), 1000);
});

test('of ten megabytes only what stands around the cuts is looked at for graphemes', (t) => {
  const { mock } = t.mock.method(Intl.Segmenter.prototype, 'segment');
  assert.equal(countCodePoints(capText('🚀'.repeat(2_500_000), 4000)) <= 4000, true);
  const looked = mock.calls.reduce((sum, call) => sum + (call.arguments[0]?.length ?? 0), 0);
  assert.ok(looked > 0 && looked < 10_000, `${looked} units`);
});

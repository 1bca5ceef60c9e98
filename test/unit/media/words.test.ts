import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWords } from '../../../media/words.ts';
import type { PanelWords } from '../../../src/core/panelWords.ts';

const table = {
  'tokens.one': '{n} token',
  'tokens.other': '{n} tokens',
  milliseconds: '{n} ms',
  seconds: '{n} s',
  minutes: '{n} min',
  bytes: '{n} B',
  kilobytes: '{n} KB',
  megabytes: '{n} MB',
  compare: '{now} against {before}',
} as unknown as PanelWords;

test('numbers are grouped, words follow the number, names are filled in', () => {
  const say = createWords(table, 'en');
  assert.equal(say.count('tokens', 1), '1 token');
  assert.equal(say.count('tokens', 1270), '1,270 tokens');
  assert.equal(
    say('compare', { now: 'round 4', before: '{now}' }),
    'round 4 against {now}',
    'a value is no template',
  );
  assert.equal(say('compare', { now: 'x' }), 'x against {before}');
});

test('times, sizes and errors read as people write them', () => {
  const say = createWords(table, 'en');
  assert.deepEqual(
    [12, 999.6, 1400, 119_000, 3_600_000].map((ms) => say.duration(ms)),
    ['12 ms', '1 s', '1.4 s', '119 s', '60 min'],
  );
  assert.deepEqual(
    [999, 12_345, 3_200_000].map((size) => say.bytes(size)),
    ['999 B', '12.3 KB', '3.2 MB'],
  );
  assert.deepEqual(
    [-2 / 217, 15 / 7081, 0].map((error) => say.percent(error)),
    ['−0.9 %', '+0.2 %', '0.0 %'],
  );
});

test('a word of a later version says itself; a strange locale is no crash', () => {
  const say = createWords(table, 'not a locale!');
  assert.equal(say('outcome.postponed' as never), 'outcome.postponed');
});

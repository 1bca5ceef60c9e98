import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hitRule } from '../../../src/debug/hitCondition.ts';

const forms: readonly (readonly [text: string, hits: readonly number[]])[] = [
  ['5', [5]],
  [' 5 ', [5]],
  ['= 5', [5]],
  ['== 5', [5]],
  ['===5', [5]],
  ['>= 6', [6, 7, 8]],
  ['>6', [7, 8]],
  ['< 3', [1, 2]],
  ['<=3', [1, 2, 3]],
  ['% 3', [3, 6]],
  ['%1', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['0', []],
  ['>= 0', [1, 2, 3, 4, 5, 6, 7, 8]],
];

test('a hit condition names the hits that count', () => {
  for (const [text, expected] of forms) {
    const isHit = hitRule(text);
    assert.ok(isHit, text);
    assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8].filter(isHit), expected, text);
  }
});

test('anything else is no hit condition', () => {
  const wrong = [
    '',
    ' ',
    'x',
    '>',
    '%',
    '% 0',
    '>= x',
    '=> 3',
    '!= 3',
    '-1',
    '>= -1',
    '1.5',
    '3 3',
    '>>3',
    '==== 3',
  ];
  for (const text of [...wrong, '1e3', '9'.repeat(16), '５', 'round > 1'])
    assert.equal(hitRule(text), undefined, text);
});

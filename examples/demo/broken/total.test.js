import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './total.js';

test('the sum of the prices', () => {
  assert.equal(total([1000, 500]), 1500);
});

test('a discount of 10 percent', () => {
  assert.equal(total([1000, 500], 10), 1350);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualSizes } from '../../../media/virtualSizes.ts';

const keys = Array.from({ length: 10_000 }, (_, index) => `m${index}`);

test('what is not measured is guessed by what is, and every item of a height is found', () => {
  const sizes = new VirtualSizes();
  sizes.setKeys(keys);
  assert.equal(sizes.offset(10_000), 400_000);
  for (let index = 0; index < 30; index++) sizes.measure(index, 20);
  assert.equal(sizes.offset(10_000), 200_000);
  sizes.measure(0, 120);
  assert.equal(sizes.offset(1), 120);
  for (const top of [0, 119, 120, 5000, 100_000, sizes.offset(10_000) - 1]) {
    const [from, to] = sizes.range(top, top + 100);
    assert.ok(sizes.offset(from) <= top && sizes.offset(to) >= Math.min(top + 100, sizes.offset(10_000)));
    assert.ok(to - from <= 7, `${to - from} items for 100 pixels`);
  }
});

test('an item keeps its height where the list around it changes; the same height is no news', () => {
  const sizes = new VirtualSizes();
  sizes.setKeys(['a', 'b', 'c']);
  assert.equal(sizes.measure(1, 77), true);
  assert.equal(sizes.measure(1, 77.2), false);
  assert.equal(sizes.measure(9, 5), false, 'no item');
  sizes.setKeys(['b', 'c']);
  assert.equal(sizes.offset(1), 77);
  assert.deepEqual(sizes.range(-100, 1), [0, 1]);
  sizes.setKeys([]);
  assert.deepEqual(sizes.range(0, 500), [0, 0]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laneLayout, scrollTo, visibleCells } from '../../../media/laneLayout.ts';

test('few rounds fill the lane and no more; many are as narrow as the zoom allows, and only a part is drawn', () => {
  assert.deepEqual(laneLayout(3, 900, 52), { width: 180, total: 552, fits: true });
  assert.deepEqual(laneLayout(10, 900, 52), { width: 86, total: 900, fits: true });
  const near = laneLayout(500, 900, 52);
  assert.deepEqual(near, { width: 52, total: 28_000, fits: false });
  const [from, to] = visibleCells(near, 500, 14_000, 900);
  assert.ok(from <= 250 && to >= 267 && to - from < 40, `${from}–${to}`);
  const far = laneLayout(100, 900, 5);
  assert.equal(far.fits, true);
  assert.deepEqual(visibleCells(far, 100, 0, 900), [0, 100]);
});

test('a cell is scrolled to only where it is not seen whole: to the middle, as far as the lane goes', () => {
  const layout = laneLayout(500, 900, 52);
  assert.equal(scrollTo(layout, 5, 0, 900), 0);
  assert.equal(scrollTo(layout, 100, 5000, 900), 5000);
  assert.equal(scrollTo(layout, 499, 0, 900), 28_000 - 900);
  assert.equal(scrollTo(layout, 2, 5000, 900), 0);
  const middle = scrollTo(layout, 100, 100 * 56 + 1, 900);
  assert.equal(middle, 100 * 56 + 28 - 450);
  // From there on many steps need no scrolling.
  for (let at = 93; at <= 107; at++) assert.equal(scrollTo(layout, at, middle, 900), middle, String(at));
});

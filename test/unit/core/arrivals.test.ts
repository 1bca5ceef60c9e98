import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arrivals, withArrivals } from '../../../src/core/arrivals.ts';

const isNew = (id: string) => id.startsWith('n');

test('new items are grouped by what they came in front of', () => {
  assert.deepEqual(arrivals(['n1', 'n2', 'a', 'b', 'n3', 'c', 'n4'], isNew), [
    { from: 0, to: 2, before: 'a' },
    { from: 4, to: 5, before: 'c' },
    { from: 6, to: 7 },
  ]);
  assert.deepEqual(arrivals(['a', 'b'], isNew), []);
  assert.deepEqual(arrivals([], isNew), []);
});

test('a history keeps what left: arrivals stand before the item that they came in front of', () => {
  const ids = ['n1', 'b', 'n2', 'n3'];
  assert.deepEqual(withArrivals(['a', 'b', 'c'], ids, arrivals(ids, isNew)), [
    'a',
    'n1',
    'b',
    'c',
    'n2',
    'n3',
  ]);
});

test('property: put into the list that they came to, in order, they give the list that they are in', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (news) => {
      const ids = news.map((one, index) => `${one ? 'n' : 'a'}${index}`);
      const old = ids.filter((id) => !isNew(id));
      assert.deepEqual(withArrivals(old, ids, arrivals(ids, isNew)), ids);
    }),
    { seed: 20260404, numRuns: 1000 },
  );
});

test('each item is looked at a few times, however many groups there are', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `${index % 2 === 0 ? 'n' : 'a'}${index}`);
  const old = ids.filter((id) => !isNew(id));
  let looks = 0;
  const counted = <Item>(list: readonly Item[]) =>
    new Proxy(list, {
      get(target, key) {
        looks++;
        return Reflect.get(target, key) as unknown;
      },
    });
  const groups = arrivals(counted(ids), (id) => {
    looks++;
    return isNew(id);
  });
  assert.equal(groups.length, 10_000);
  assert.equal(withArrivals(counted(old), counted(ids), groups).length, 20_000);
  assert.ok(looks < 8 * ids.length, `${looks} looks`);
});

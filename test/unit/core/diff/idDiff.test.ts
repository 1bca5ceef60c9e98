import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idDiff } from '../../../../src/core/diff/idDiff.ts';
import { applyListDiff, type ListDiff } from '../../../../src/core/diff/listDiff.ts';

interface Item {
  readonly id: string;
  readonly part: string;
}

const item = (id: string, part = `text of ${id}`): Item => ({ id, part });
const items = (...ids: string[]) => ids.map((id) => item(id));

/** Counts how often an id was asked for: the work that is done. */
function diffOf(
  before: readonly Item[],
  after: readonly Item[],
): ListDiff<Item> & { readonly asked: number } {
  let asked = 0;
  const diff = idDiff(before, after, {
    idOf: ({ id }) => {
      asked++;
      return id;
    },
    isSame: (a, b) => a.part === b.part,
  });
  return { ...diff, asked };
}

function told(before: readonly Item[], after: readonly Item[]): string[] {
  const diff = diffOf(before, after);
  assert.deepEqual(applyListDiff(before, diff), after);
  return diff.steps.map((step) => {
    if (step.kind === 'removed') return `removed ${step.from} ×${step.count}`;
    if (step.kind === 'added') return `added ${step.to} ×${step.items.length}`;
    assert.equal(step.by, 'identity');
    const more = step.kind === 'kept' ? ` ×${step.count}` : '';
    return `${step.kind} ${step.from}→${step.to}${more}`;
  });
}

test('dropped in front, edited, appended: what stays is one step a run', () => {
  const before = items('m1', 'm2', 'm3', 'm4', 'm5', 'm6');
  const after = [item('m1'), item('m4'), item('m5', 'edited'), item('m6'), item('m7')];
  assert.deepEqual(told(before, after), [
    'kept 0→0 ×1',
    'removed 1 ×2',
    'kept 3→1 ×1',
    'edited 4→2',
    'kept 5→3 ×1',
    'added 4 ×1',
  ]);
});

test('folded: what went stands before the summary that came in its place', () => {
  assert.deepEqual(told(items('m1', 'm2', 'm3', 'm4'), items('m1', 's1', 'm4')), [
    'kept 0→0 ×1',
    'removed 1 ×2',
    'added 1 ×1',
    'kept 3→2 ×1',
  ]);
});

test('moved to either end, and moved and edited', () => {
  assert.deepEqual(told(items('a', 'b', 'c', 'd'), items('b', 'c', 'd', 'a')), ['kept 1→0 ×3', 'moved 0→3']);
  assert.deepEqual(told(items('a', 'b', 'c', 'd'), items('d', 'a', 'b', 'c')), ['moved 3→0', 'kept 0→1 ×3']);
  const diff = diffOf(items('a', 'b', 'c'), [item('c', 'new'), item('a'), item('b')]);
  assert.deepEqual(diff.steps[0], { kind: 'moved', from: 2, to: 0, by: 'identity', item: item('c', 'new') });
});

test('nothing at all, and nothing in common', () => {
  assert.deepEqual(told([], []), []);
  assert.deepEqual(told(items('a', 'b'), []), ['removed 0 ×2']);
  assert.deepEqual(told([], items('a')), ['added 0 ×1']);
  assert.deepEqual(told(items('a', 'b'), items('c')), ['removed 0 ×2', 'added 0 ×1']);
});

const list = fc.array(
  fc.tuple(fc.nat(20), fc.nat(2)).map(([id, part]) => item(`m${id}`, `p${part}`)),
  { maxLength: 25 },
);

test('property: applied to the old list it gives the new one, ids repeated or not', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const diff = diffOf(before, after);
      assert.deepEqual(applyListDiff(before, diff), after);
      const old = diff.steps.flatMap((step) => {
        const count = 'count' in step ? step.count : 1;
        return 'from' in step ? Array.from({ length: count }, (_, index) => step.from + index) : [];
      });
      assert.deepEqual(
        old.sort((a, b) => a - b),
        before.map((_, index) => index),
        'each old item is accounted for once',
      );
    }),
    { seed: 20260160, numRuns: 4000 },
  );
});

test('property: of unique ids each that both lists have is a pair, and only those', () => {
  const unique = fc.uniqueArray(fc.nat(30), { maxLength: 25 });
  fc.assert(
    fc.property(unique, unique, (from, to) => {
      const [before, after] = [from, to].map((ids) => ids.map((id) => item(`m${id}`)));
      const paired: string[] = [];
      for (const step of diffOf(before!, after!).steps) {
        if (step.kind === 'removed' || step.kind === 'added') continue;
        const count = step.kind === 'kept' ? step.count : 1;
        for (let n = 0; n < count; n++) {
          assert.equal(before![step.from + n]!.id, after![step.to + n]!.id);
          paired.push(after![step.to + n]!.id);
        }
      }
      const shared = to.filter((id) => from.includes(id)).map((id) => `m${id}`);
      assert.deepEqual(paired.sort(), shared.sort());
    }),
    { seed: 20260161, numRuns: 3000 },
  );
});

test('work grows with the changes, beside one look at each id', () => {
  const before = Array.from({ length: 10_000 }, (_, n) => item(`m${n}`));
  const after = [before[0]!, ...before.slice(51), item('n1'), item('n2')];
  const { asked, steps } = diffOf(before, after);
  assert.equal(steps.length, 4);
  assert.ok(asked < 20_000 + 8 * 52, `${asked} ids asked for`);
  const reversed = diffOf(before, before.toReversed());
  assert.ok(reversed.asked < 100_000, `${reversed.asked} ids asked for`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonDiff } from '../../../../src/core/diff/jsonDiff.ts';
import { createJsonClasses } from '../../../../src/core/diff/jsonClasses.ts';
import { readJsonText } from '../../../../src/core/diff/jsonText.ts';
import { valueDiff } from '../../../../src/core/diff/valueDiff.ts';
import { createWordBudget, type WordDiff } from '../../../../src/core/diff/wordDiff.ts';

const oldText = (diff: WordDiff) => textOf(diff, 'removed');
const newText = (diff: WordDiff) => textOf(diff, 'added');
function textOf(diff: WordDiff, side: 'removed' | 'added'): string {
  return diff.pieces.map(({ kind, text }) => (kind === 'same' || kind === side ? text : '')).join('');
}

function shown(before: string, after: string): string {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;
  const diff = jsonDiff(before, after);
  assert.ok(typeof diff === 'object', 'compared as JSON');
  assert.equal(newText(diff), after);
  assert.deepEqual(JSON.parse(oldText(diff)), JSON.parse(before));
  return diff.pieces.map(({ kind, text }) => marks[kind][0] + text + marks[kind][1]).join('');
}

test('objects are compared by key: order and space are no change', () => {
  assert.equal(shown('{"a":1,"b":2}', '{ "b": 2, "a": 1 }'), '{ "b": 2, "a": 1 }');
  assert.equal(shown('{"a":1,"b":2}', '{"b":3,"a":1}'), '{"b":[-2-]{+3+},"a":1}');
});

test('members that came and went stand where they stood, with the commas they need', () => {
  assert.equal(shown('{"a":1,"b":2}', '{"b":2}'), '{[-"a":1,-]"b":2}');
  assert.equal(shown('{"a":1}', '{"a":1,"b":2}'), '{"a":1{+,"b":2+}}');
  assert.equal(shown('{}', '{"a":1}'), '{{+"a":1+}}');
  assert.equal(shown('{"a":1}', '{}'), '{[-"a":1-]}');
  assert.equal(shown('{"a":1,"c":3}', '{"b":2,"c":3}'), '{[-"a":1-]{+"b":2+},"c":3}');
});

test('elements of an array: equal ones are found, pairs are compared inside', () => {
  assert.equal(shown('[1,2,3,4]', '[2,3,5,4]'), '[[-1,-]2,3{+,5+},4]');
  assert.equal(
    shown(
      '{"items":[{"id":1,"done":false},{"id":2,"done":false}]}',
      '{"items":[{"id":1,"done":true},{"id":2,"done":false}]}',
    ),
    '{"items":[{"id":1,"done":[-false-]{+true+}},{"id":2,"done":false}]}',
  );
  assert.equal(
    shown(
      '[{"id":1,"t":"one"},{"id":2,"t":"two"}]',
      '[{"id":0,"t":"zero"},{"id":1,"t":"one!"},{"id":2,"t":"two"}]',
    ),
    '[{+{"id":0,"t":"zero"},+}{"id":1,"t":"one{+!+}"},{"id":2,"t":"two"}]',
  );
});

test('strings go by words, and no escape is cut', () => {
  assert.equal(
    shown('{"text":"reply to the mail"}', '{"text":"answer the mail"}'),
    '{"text":"[-reply to-]{+answer+} the mail"}',
  );
  assert.equal(shown('["a\\nfoo"]', '["a\\tfoo"]'), '["a[-\\n-]{+\\t+}foo"]');
  assert.equal(shown('["\\u4f60好 \\\\n"]', '["你好 \\\\t"]'), '["你好 \\\\[-n-]{+t+}"]');
});

test('numbers are compared by value where a double holds it, and as written where it does not', () => {
  assert.equal(shown('[1.0,10]', '[1,1e1]'), '[1,1e1]');
  assert.equal(
    shown('{"id":12345678901234567890}', '{"id":12345678901234567891}'),
    '{"id":[-12345678901234567890-]{+12345678901234567891+}}',
  );
  assert.equal(shown('[1e400]', '[1e401]'), '[[-1e400-]{+1e401+}]');
  assert.equal(shown('[0]', '[-0]'), '[[-0-]{+-0+}]');
});

test('what is no JSON, or not surely read the same by all, is left to the words', () => {
  for (const text of [
    '45',
    '"a"',
    '{"a":1',
    "{'a':1}",
    '',
    '{"a":1,"a":2}',
    `${'['.repeat(300)}${']'.repeat(300)}`,
  ]) {
    assert.equal(jsonDiff(text, '{"a":1}'), undefined, text.slice(0, 20));
    assert.equal(jsonDiff('{"a":1}', text), undefined, text.slice(0, 20));
  }
  assert.equal(
    readJsonText(`${'['.repeat(200_000)}${']'.repeat(200_000)}`, {
      values: 1e6,
      classes: createJsonClasses(),
    }),
    undefined,
  );
});

test('a key of the prototype is a key', () => {
  assert.equal(
    shown('{"__proto__":1,"toString":1}', '{"toString":1,"__proto__":2}'),
    '{"toString":1,"__proto__":[-1-]{+2+}}',
  );
});

test('values: as JSON where both are; the writing of it, when only that differs, as text', () => {
  assert.equal(valueDiff('{"a":1}', '{"a":2}').by, 'json');
  assert.equal(valueDiff('{"a":1}', 'a').by, 'words');
  const spaced = valueDiff('{"a":1,"b":2}', '{"b":2,"a":1}');
  assert.equal(spaced.by, 'words');
  assert.ok(spaced.pieces.some(({ kind }) => kind === 'added'));
});

/** JSON text of a value as somebody might write it: keys in any order, spaces anywhere. */
function written(value: unknown, random: () => number): string {
  const space = () => [' ', '\n', '', '', '\t'][Math.floor(random() * 5)]!;
  if (Array.isArray(value))
    return `[${space()}${value.map((item) => written(item, random)).join(`${space()},${space()}`)}${space()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(() => random() - 0.5);
    const text = members.map(
      ([key, item]) => `${JSON.stringify(key)}${space()}:${space()}${written(item, random)}`,
    );
    return `{${space()}${text.join(`,${space()}`)}${space()}}`;
  }
  return JSON.stringify(value);
}

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(1, 2, 'a', 'b c', 'b d', '你好', '\n"\\', '\ud83d', true, null, 0.5),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'id', '"', 'd\n'), tie('value'), { maxKeys: 5 }),
  ),
}));
const container = fc.oneof(
  fc.array(json.value, { maxLength: 6 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), json.value),
);

test('property: one reading is the new text to the letter, the other is JSON of the old value', () => {
  fc.assert(
    fc.property(
      container,
      container,
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (a, b, stream) => {
        const random = () => stream.next().value as number;
        const [before, after] = [written(a, random), written(b, random)];
        const diff = jsonDiff(before, after);
        assert.ok(typeof diff === 'object');
        assert.equal(newText(diff), after);
        assert.deepEqual(JSON.parse(oldText(diff)), JSON.parse(before));
        diff.pieces.forEach(({ kind, text }, index) => {
          assert.notEqual(text, '');
          assert.notEqual(kind, diff.pieces[index + 1]?.kind, 'neighbours differ in kind');
        });
      },
    ),
    { seed: 20260130, numRuns: 4000 },
  );
});

test('property: equal values show no change, however they are written', () => {
  fc.assert(
    fc.property(
      container,
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (value, stream) => {
        const random = () => stream.next().value as number;
        const diff = jsonDiff(written(value, random), written(value, random));
        assert.ok(typeof diff === 'object' && diff.pieces.every(({ kind }) => kind === 'same'));
      },
    ),
    { seed: 20260131, numRuns: 1500 },
  );
});

/** As many as fit in 48 kB. */
function manyOf(make: (n: number) => unknown, more = 0): string {
  const count = Math.floor(48_000 / (JSON.stringify(make(1000)).length + 1));
  return JSON.stringify(Array.from({ length: count + more }, (_, n) => make(n)));
}

const countless: Readonly<Record<string, readonly [(n: number) => unknown, (n: number) => unknown]>> = {
  'short texts': [(n) => `a${n}`, (n) => `b${n}`],
  'texts of two words': [(n) => `old ${n}`, (n) => `new ${n}`],
  'Chinese texts': [(n) => `旧${n}`, (n) => `新${n}`],
  'rows of small texts': [(n) => ({ a: `x${n}`, b: `y${n}` }), (n) => ({ a: `p${n}`, b: `q${n}` })],
  'lists of small texts': [(n) => [`x${n}`, 'y'], (n) => [`z${n}`, 'w']],
};
for (const [name, [old, now]] of Object.entries(countless)) {
  test(`thousands of changed values are work, too; where it is not done the answer says so: ${name}`, () => {
    const [before, after] = [manyOf(old), manyOf(now)];
    const budget = createWordBudget();
    const diff = jsonDiff(before, after, budget);
    assert.ok(typeof diff === 'object' && diff.coarse);
    // A little more than there was: what is left is not begun.
    assert.ok(budget.steps > -10_000, String(budget.steps));
    assert.equal(newText(diff), after);
    assert.deepEqual(JSON.parse(oldText(diff)), JSON.parse(before));
  });
}

test('a hundred kilobytes with one text of each row changed is compared in full', () => {
  const row = (word: string) => (n: number) => ({
    id: n,
    title: `${word} ${n} ${'of the report '.repeat(5)}`,
  });
  const diff = valueDiff(manyOf(row('draft')), manyOf(row('final')));
  assert.deepEqual([diff.by, diff.coarse], ['json', false]);
});

test('rows that nobody looks at for likeness make the answer coarse; numbers can not be alike', () => {
  assert.ok(
    valueDiff(
      manyOf((n) => ({ n, a: 1 })),
      manyOf((n) => ({ n: -n - 1, a: 1 }), 1),
    ).coarse,
  );
  assert.equal(
    valueDiff(
      manyOf((n) => 2 * n),
      manyOf((n) => 2 * n + 1, 1),
    ).coarse,
    false,
  );
});

test('a text in it that is too different to be compared by words makes the answer coarse', () => {
  const noise = (seed: number) =>
    Array.from({ length: 30_000 }, (_, n) => ['yes', 'no', 'so'][((n * n * seed) >>> 9) % 3]).join(' ');
  assert.equal(valueDiff(JSON.stringify([noise(31)]), JSON.stringify([noise(37)])).coarse, true);
});

test('each pair of values that are not the same takes of the budget, whatever they are', () => {
  const budget = createWordBudget();
  const { steps } = budget;
  jsonDiff(JSON.stringify(Array(500).fill(1)), JSON.stringify(Array(500).fill(true)), budget);
  assert.ok(steps - budget.steps >= 500 * 50, `${steps - budget.steps} steps`);
});

test('each member of an object that is looked into takes of the budget', () => {
  const budget = createWordBudget();
  const { steps } = budget;
  const members = Array.from({ length: 1_000 }, (_, n) => [`key${n}`, n] as const);
  const [before, after] = [members, [...members, ['more', 1] as const]].map((list) =>
    Object.fromEntries(list),
  );
  jsonDiff(JSON.stringify(before), JSON.stringify(after), budget);
  assert.ok(steps - budget.steps >= 2_000 * 25, `${steps - budget.steps} steps`);
});

test('what is compared by key is bounded in size, and in values with their keys', () => {
  const long = (letter: string) => JSON.stringify([letter.repeat(520_000)]);
  assert.equal(jsonDiff(long('a'), long('b')), 'too large');
  const members = (value: number) => Object.fromEntries(Array.from({ length: 18_000 }, (_, n) => [n, value]));
  assert.equal(jsonDiff(JSON.stringify(members(1)), JSON.stringify(members(2))), 'too large');
});

test('equal in an array: in the same order inside, however an escape is written, and each for one alone', () => {
  assert.equal(shown('[[1,2],3]', '[[2,1],3]'), '[[[-1,-]2{+,1+}],3]');
  assert.equal(shown('["\\u0061",1,2]', '[0,"a",1,2]'), '[{+0,+}"a",1,2]');
  assert.equal(
    shown('[{"a":1,"b":2}]', '[{"a":1,"b":3},{"a":1,"b":4}]'),
    '[{"a":1,"b":[-2-]{+3+}}{+,{"a":1,"b":4}+}]',
  );
});

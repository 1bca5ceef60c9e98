import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { foreignDiff } from '../../../../src/core/diff/foreignDiff.ts';
import { applyListDiff } from '../../../../src/core/diff/listDiff.ts';
import type { WireMessage } from '../../../../src/core/messages.ts';

const user = (content: string): WireMessage => ({ role: 'user', content });
const result = (id: string, content: string): WireMessage => ({ role: 'tool', tool_call_id: id, content });
const manyCalls = (name: string, count: number): WireMessage => ({
  role: 'assistant',
  content: `The same words in each of them, but not ${name}.`,
  tool_calls: Array.from({ length: count }, (_, n) => ({
    id: `${name}-${n}`,
    type: 'function',
    function: { name: 'f', arguments: '{}' },
  })),
});
const copy = <Value>(value: Value): Value => structuredClone(value);

test('minus zero is not zero', () => {
  const [before, after] = [[{ role: 'user', n: 0 }], [{ role: 'user', n: -0 }]];
  assert.ok(
    Object.is((applyListDiff<unknown>(before, foreignDiff(before, after))[0] as { n: number }).n, -0),
  );
});

test('what an object has from its prototype is no content of it', () => {
  const [before, after] = ['{"role":"user","__proto__":{}}', '{"role":"user","more":{}}'].map(
    (text) => [JSON.parse(text)] as unknown[],
  );
  assert.equal(
    foreignDiff(before!, after!).steps.some(({ kind }) => kind === 'kept'),
    false,
  );
});

test('values too deep to be compared are two', () => {
  const deep = () => {
    let value: unknown = 1;
    for (let n = 0; n < 20_000; n++) value = [value];
    return value;
  };
  assert.deepEqual(
    foreignDiff([deep()], [deep()]).steps.map(({ kind }) => kind),
    ['edited'],
  );
});

test('a call in a message of another role is another message', () => {
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  const [before, after] = ['assistant', 'user'].map((role) => [{ role, tool_calls: [call] }]);
  assert.deepEqual(
    foreignDiff(before!, after!).steps.map(({ kind }) => kind),
    ['removed', 'added'],
  );
});

test('an edited Chinese message is known by its characters, beside one that is new', () => {
  const words = (start: string, end: string) =>
    user(`${start}：本周完成了登录页面和报表导出，下周开始做移动端适配和性能优化${end}`);
  const other = user('明天上午九点在三楼会议室开会讨论新的预算方案，请准时参加');
  const steps = foreignDiff(
    [words('周报', '，谢谢')],
    [other, words('汇总一下给大家看', '。有问题联系我')],
  ).steps;
  assert.deepEqual(
    steps.map((step) => `${step.kind} ${'by' in step ? step.by : ''}`),
    ['added ', 'edited similar'],
  );
});

test('lists made to be hard end in bounded work and apply exactly', () => {
  const many = (make: (n: number) => unknown, count = 10_000) =>
    Array.from({ length: count }, (_, n) => make(n));
  const wordsOf = (n: number) => `the same words in each of them, again and again, but ${n} times`;
  const long = (n: number) => user(wordsOf(n));
  const lists: Readonly<Record<string, readonly [unknown[], unknown[]]>> = {
    'all equal, fewer': [many(() => user('a')), many(() => user('a'), 7_000)],
    'a period against another': [many((n) => user(`${n % 3}`)), many((n) => user(`${n % 5}`))],
    reversed: [many(long), many((n) => long(9_999 - n))],
    shuffled: [many(long), many((n) => long((n * 7_919) % 10_000))],
    'each a little edited': [many(long), many((n) => user(`${wordsOf(n)} more`))],
    'every other edited': [many(long), many((n) => (n % 2 === 0 ? long(n) : user(`${wordsOf(n)} more`)))],
    'calls with one id': [many((n) => result('call_0', `${n}`)), many((n) => result('call_0', `${n + 0.5}`))],
    'calls with new ids': [
      many((n) => result(`a${n}`, `${n % 7}`)),
      many((n) => result(`b${n}`, `${n % 11}`)),
    ],
    'messages of thousands of calls': [
      many((n) => manyCalls(`${n}`, 5_000), 8),
      many((n) => manyCalls(`${n + 100}`, 5_000), 8),
    ],
    'one megabyte each': [
      many((n) => user(`${n}${'x'.repeat(1e6)}`), 20),
      many((n) => user(`${'x'.repeat(1e6)}${n}`), 20),
    ],
    'a key of the prototype': [
      [JSON.parse('{"role":"user","__proto__":{"a":1}}')],
      [JSON.parse('{"role":"user","__proto__":{"a":2}}')],
    ],
  };
  for (const [name, [before, after]] of Object.entries(lists)) {
    const now: unknown[] = copy(after);
    const given = applyListDiff(before, foreignDiff(before, now));
    assert.equal(given.length, now.length, name);
    assert.ok(
      given.every((item, index) => isDeepStrictEqual(item, now[index])),
      name,
    );
  }
});

test('thousands that were all edited, and some of them dropped: each is known again', () => {
  const wordsOf = (n: number) => `the same words in each of them, but ${n} times`;
  const before = Array.from({ length: 3_000 }, (_, n) => user(wordsOf(n)));
  const edited = before.map((_, n) => user(`${wordsOf(n)} more`));
  const kinds = (after: readonly WireMessage[]) =>
    new Set(foreignDiff(before, after).steps.map((step) => `${step.kind} ${'by' in step ? step.by : ''}`));
  assert.deepEqual(kinds(edited), new Set(['edited similar']));
  const left = edited.filter((_, index) => index % 5 > 0);
  assert.deepEqual(kinds(left), new Set(['removed ', 'edited similar']));
});

test('shuffled: each message that both lists have is kept or moved', () => {
  const before = Array.from({ length: 1_000 }, (_, n) =>
    user(`message number ${n}, and more words than thirty-two units`),
  );
  const after = copy(before.map((_, n) => before[(n * 389) % 1_000]!));
  for (const { kind } of foreignDiff(before, after).steps)
    assert.ok(kind === 'kept' || kind === 'moved', kind);
});

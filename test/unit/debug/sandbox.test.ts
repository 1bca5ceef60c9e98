import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedNode } from '../../../src/debug/described.ts';
import { compileProblem, evaluate } from '../../../src/debug/sandbox.ts';

/** `value type`, or what went wrong. */
async function shown(expression: string, scope: Record<string, unknown> = {}): Promise<string> {
  const result = await evaluate(expression, scope);
  if (!result.ok) return `refused: ${result.message}`;
  const { value, type } = describedNode('result', result.value);
  return `${value} ${type}`;
}

const values: readonly (readonly [expression: string, shown: string])[] = [
  ['undefined', 'undefined undefined'],
  ['void 0', 'undefined undefined'],
  ['"undefined"', '"undefined" string'],
  ['null', 'null null'],
  ['NaN', 'NaN number'],
  ['"NaN"', '"NaN" string'],
  ['Infinity', 'Infinity number'],
  ['-1/0', '-Infinity number'],
  ['-0', '-0 number'],
  ['0', '0 number'],
  ['1.5', '1.5 number'],
  ['10n', '10n bigint'],
  ['"10n"', '"10n" string'],
  ['true', 'true boolean'],
  ['Symbol("s")', 'Symbol(s) symbol'],
  ['() => 1', 'ƒ () function'],
  ['function named(a) { return a }', 'ƒ named() function'],
  ['Math.max', 'ƒ max() function'],
  ['class Point {}; Point', 'class Point function'],
  ['/a+/g', '/a+/g regexp'],
  ['new TypeError("no")', 'TypeError: no error'],
  ['new Date(NaN)', 'Invalid Date date'],
  ['[1, undefined, NaN, , -0]', '(5) [1,undefined,NaN,<empty>,-0] array'],
  ['({ a: undefined, b: 1n, f() {} })', '{"a":undefined,"b":1n,"f":ƒ f()} object'],
  ['{ a: 1 }', '{"a":1} object'],
  ['class Point { x = 1 }; new Point()', 'Point {"x":1} object'],
  ['Object.create(null)', '{} object'],
  ['new Map([["k", 1]])', '(1) Map {{"key":"k","value":1}} map'],
  ['new Set([1, 1, 2])', '(2) Set {1,2} set'],
  ['const a = []; a.push(a); a', '(1) [[circular]] array'],
  ['const o = {}; o.self = o; o', '{"self":[circular]} object'],
  ['const o = { x: 1 }; [o, o]', '(2) [{"x":1},{"x":1}] array'],
  ['({ get bad() { throw new Error("no") } })', '{"bad":[Error: no]} object'],
  ['new Proxy({}, { ownKeys() { throw new Error("trap") } })', '[Error: trap] error'],
  ['"a" + "\\ud800"', '"a\\ud800" string'],
  ['JSON.stringify = () => "x"; 1', '1 number'],
  ['Object.keys = null; ({ a: 1 })', '{"a":1} object'],
  ['1 // a comment', '1 number'],
];

test('values are shown as a JavaScript debugger shows them, with their type', async () => {
  for (const [expression, expected] of values) assert.equal(await shown(expression), expected, expression);
});

test('a nested value keeps its types where it is expanded', async () => {
  const result = await evaluate('({ list: [NaN, 2n], none: undefined })', {});
  assert.ok(result.ok);
  const [list, none] = describedNode('result', result.value).children?.() ?? [];
  assert.deepEqual([none?.value, none?.type], ['undefined', 'undefined']);
  assert.equal(list?.indexed, 2);
  assert.deepEqual(
    list?.children?.().map(({ name, value, type }) => [name, value, type]),
    [
      ['0', 'NaN', 'number'],
      ['1', '2n', 'bigint'],
    ],
  );
});

test('an expression is run once, whatever it throws', async () => {
  for (const expression of [
    'log("once") && JSON.parse("{")',
    'log("once"), new Function("}")',
    'log("once"); JSON.parse("{")',
    'log("once"), (() => { throw new SyntaxError("made") })()',
  ]) {
    const result = await evaluate(expression, {});
    assert.deepEqual([result.ok, result.logs], [false, ['once']], expression);
    assert.match(result.ok ? '' : result.message, /^SyntaxError/);
  }
});

test('what does not compile is not run', async () => {
  const result = await evaluate('log("never"); call..name', {});
  assert.deepEqual([result.ok, result.logs], [false, []]);
});

test('log says values as they are shown', async () => {
  const result = await evaluate('log("text", undefined, NaN, 1n, { a: [1] }, log)', {});
  assert.deepEqual(result.logs, ['text undefined NaN 1n {"a":[1]} ƒ ()']);
});

test('compiling says what is wrong, without running', async () => {
  for (const good of [
    'round > 3',
    'call?.name === "x"',
    'const a = 1; a',
    '{ a: 1 }',
    'nobody.knows',
    'JSON.parse("{")',
  ])
    assert.equal(await compileProblem(good), undefined, good);
  for (const bad of ['call..name', 'round >', ')(', 'if (', '1 +* 2', 'const a'])
    assert.match((await compileProblem(bad)) ?? '', /^SyntaxError: ./, bad);
});

test('limits of time, memory and depth are said in words, and the next expression works', async () => {
  assert.match(await shown('while (true) {}'), /took longer than 250 ms/);
  assert.match(await shown('const a = []; for (;;) a.push("x".repeat(1e6) + a.length)'), /more than 64 MB/);
  assert.match(await shown('(function f() { f() })()'), /called itself too deeply/);
  assert.match(await shown('"[".repeat(100000)'), /^"\[\[\[/);
  assert.match(await shown('JSON.parse("[".repeat(100000))'), /^refused/);
  assert.equal(await shown('1 + 1'), '2 number');
});

test('there is no way out: no host, and the scope is frozen', async () => {
  for (const name of ['process', 'require', 'fetch', 'setTimeout', 'emit', 'scopeText', 'describe'])
    assert.equal(await shown(`typeof ${name}`), '"undefined" string');
  assert.match(await shown('messages[0].content = 1', { messages: [{ content: '' }] }), /read-only/);
});

test('wherever the time limit strikes, the answer says so and the engine lives on', async (t) => {
  const messages = Array.from({ length: 20_000 }, (_, index) => ({ role: 'user', content: `text ${index}` }));
  const answers = new Set<string>();
  for (let asked = 1; asked <= 12; asked++) {
    // The clock leaps at its n-th reading: while compiling, bringing values in, evaluating or describing.
    let reading = 0;
    const { mock } = t.mock.method(Date, 'now', () => (reading++ < asked ? 1000 : 1_000_000));
    answers.add(await shown('messages.length', { messages }));
    mock.restore();
  }
  answers.delete('20000 number');
  assert.deepEqual([...answers], ['refused: The expression took longer than 250 ms and was stopped.']);
});

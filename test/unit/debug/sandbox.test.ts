import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedNode } from '../../../src/debug/described.ts';
import { createPlainSandbox, createPlainValues } from '../../doubles/plainSandbox.ts';
import { createSandbox } from '../../../src/debug/sandbox.ts';

const sandbox = createPlainSandbox('messages', 'text');
const { compileProblem, evaluate } = sandbox;

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
  ['1 // a comment', '1 number'],
  ['const a = 1', 'undefined undefined'],
  ['debugger', 'undefined undefined'],
  [';', 'undefined undefined'],
  ['', 'undefined undefined'],
  ['eval("var leaked = 1"); typeof leaked', '"undefined" string'],
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
  for (const endless of [
    'while (true) {}',
    'class A extends Array { static get [Symbol.species]() { for (;;); } }; new A(1, 2).map((x) => x)',
    '({ [Symbol.toPrimitive]() { for (;;); } }) + ""',
    'new Date({ valueOf() { for (;;); } })',
    '[1, 2].sort(() => { for (;;); })',
    'new Proxy(() => 1, { apply() { for (;;); } })()',
    '/^(?:(?:a|aa)+)+$/.test("a".repeat(60) + "!")',
    '/(?=(a*)*b)/.test("a".repeat(35))',
    '"x".repeat(1e5).replace(/(x+x+)+y/, "")',
  ])
    assert.match(await shown(endless), /took longer than 250 ms/, endless);
  // What waits for a turn of its own never gets one.
  for (const later of [
    'Promise.resolve().then(() => { for (;;); }); 1',
    '(async function f() { await null; return f() })(); 1',
  ])
    assert.equal(await shown(later), '1 number', later);
  assert.match(await shown('new ArrayBuffer(1e8)'), /more than 64 MB/);
  assert.match(await shown('(function f() { f() })()'), /called itself too deeply/);
  assert.match(await shown('"[".repeat(100000)'), /^"\[\[\[/);
  assert.match(await shown('JSON.parse("[".repeat(100000))'), /^refused/);
  assert.equal(await shown('1 + 1'), '2 number');
});

test('the time limit counts every step, also those that take long', async () => {
  // Each step copies megabytes: counted in tens of thousands, it would be minutes before the clock is looked at.
  for (const slow of [
    'for (;;) "x".repeat(1e7) + 1',
    'const text = JSON.stringify(Array(1e5).fill({ a: 1 })); for (;;) JSON.parse(text)',
    'const a = "x".repeat(2e7), b = "x".repeat(2e7); for (;;) if (a !== b) break',
    'for (;;) "a,".repeat(1e5).split(",")',
  ])
    assert.match(await shown(slow), /took longer than 250 ms/, slow);
});

test('there is no way out: no host, and the scope is frozen', async () => {
  for (const name of ['process', 'require', 'fetch', 'setTimeout', 'emit', 'scopeText', 'describe'])
    assert.equal(await shown(`typeof ${name}`), '"undefined" string');
  assert.match(await shown('messages[0].content = 1', { messages: [{ content: '' }] }), /read-only/);
});

test('wherever the time limit strikes, the answer says so and the engine lives on', async (t) => {
  const messages = Array.from({ length: 2000 }, (_, index) => ({ role: 'user', content: `text ${index}` }));
  const answers = new Set<string>();
  for (let asked = 1; asked <= 24; asked++) {
    // The clocks leap at the n-th reading: while compiling, bringing values in, evaluating or describing.
    let reading = 0;
    const wall = t.mock.method(Date, 'now', () => (reading++ < asked ? 1000 : 1_000_000));
    const cpu = t.mock.method(process, 'cpuUsage', () => ({
      user: reading < asked ? 1000 : 1_000_000_000,
      system: 0,
    }));
    answers.add(await shown('messages.length', { messages }));
    wall.mock.restore();
    cpu.mock.restore();
    assert.equal(
      await shown('messages.length', { messages }),
      '2000 number',
      `after the limit struck at ${asked}`,
    );
  }
  answers.delete('2000 number');
  assert.deepEqual([...answers], ['refused: The expression took longer than 250 ms and was stopped.']);
});

test('time in which nothing is computed does not count', async (t) => {
  let wall = 0;
  const { mock } = t.mock.method(Date, 'now', () => (wall += 1000));
  const answer = await shown('[1, 2, 3].map((one) => one + 1).length', {});
  mock.restore();
  assert.equal(answer, '3 number');
});

test('a memory that earlier expressions filled is not a later one’s fault', async () => {
  const own = createPlainSandbox();
  await own.evaluate('try { for (let i = 0; ; i++) Symbol.for("x".repeat(1e6) + i) } catch { 1 }', {});
  const after = await own.evaluate('"x".repeat(2e7).length', {});
  assert.ok(after.ok, after.ok ? '' : after.message);
});

test('a value is brought in when it is named, and once for a moment', async () => {
  const asked: string[] = [];
  const own = createSandbox(() => {
    const values = createPlainValues(['one', 'two']);
    return { ...values, bring: (name) => (asked.push(name), values.bring(name)) };
  });
  const scope = { one: 1, two: 2 };
  await own.evaluate('1 + 1', scope);
  assert.deepEqual(asked, []);
  const both = await own.evaluate('one + one + one', scope);
  assert.deepEqual(both.ok && both.value.text, '3');
  assert.deepEqual(asked, ['one']);
  await own.evaluate('eval("tw" + "o")', { ...scope, two: 3 });
  assert.deepEqual(asked, ['one', 'two']);
});

test('a value that can not be brought in refuses the expression, and the next one works', async () => {
  let isBroken = true;
  const own = createSandbox(() => {
    const values = createPlainValues(['one']);
    return { ...values, bring: (name) => (isBroken ? '{"messages":' : values.bring(name)) };
  });
  const broken = await own.evaluate('try { one } catch { 7 }', { one: 1 });
  isBroken = false;
  const mended = await own.evaluate('one', { one: 1 });
  assert.deepEqual([broken.ok && broken.value.text, mended.ok && mended.value.text], ['7', '1']);
});

const assignments = [
  'messages[0].content = "x"',
  ' messages[0]["content"]="x" ',
  'messages.at(-1).content = "a=b"',
  'a = b',
  'a.b = c = d',
  'messages.find((m) => m.role === "user").content = "x"',
  'x += 1',
  'x.y ??= 2',
  'x >>>= 1',
  'x **= 2',
  'a\n=\n1',
  'messages[i = 0].content = 1',
  '({ a: 1 }).a = 2',
  'a[`${b = 1}`] = 2',
  'a = () => { b = 1 }',
];
const others = [
  'a == b',
  'a === b',
  'a != b',
  'a !== b',
  'a <= b',
  'a >= b',
  '(a) => b',
  'a => (b = 1)',
  '"a = b"',
  '`a = ${b}`',
  'f(a = 1)',
  '(a = 1)',
  'const a = 1; a',
  'if (a) b = 1',
  '/=/.test(a)',
  '1',
  '',
  'a =',
  '= a',
  'a++',
  'x ? a = 1 : b',
  '/* a = */ b',
  'for (a = 1;;) {}',
  '[a, b] = [1, 2]',
];

test('an assignment is told from what has one inside, by compiling', async () => {
  for (const text of assignments) assert.equal(await sandbox.isAssignment(text), true, text);
  for (const text of others) assert.equal(await sandbox.isAssignment(text), false, text);
});

test('an assignment tells what it would set, and sets nothing', async () => {
  const scope = {
    messages: [
      { role: 'system', content: 'one', list: [1] },
      { role: 'user', content: 'two' },
    ],
    text: 'abc',
  };
  const written = async (expression: string) => {
    const result = await sandbox.assign(expression, scope);
    return result.ok
      ? result.writes.map(({ path, json }) => `${path.join('/')} ${json ?? 'no JSON'}`).join()
      : result.message;
  };
  for (const [expression, expected] of [
    ['messages[1].content = "x"', 'messages/1/content "x"'],
    ['messages.at(-1).content += "!"', 'messages/1/content "two!"'],
    ['messages.find((m) => m.role === "system").content = text.toUpperCase()', 'messages/0/content "ABC"'],
    ['messages[0].list = [...messages[0].list, 2]', 'messages/0/list [1,2]'],
    ['messages[0].list[0] = 9', 'messages/0/list/0 9'],
    [
      'messages[0] = { ...messages[0], content: "z" }',
      'messages/0 {"role":"system","content":"z","list":[1]}',
    ],
    ['messages = []', 'messages []'],
    ['text = undefined', 'text no JSON'],
    ['messages[0].content = () => 1', 'messages/0/content no JSON'],
    ['({}).a = 1', ''],
    [
      'messages[1].content = messages[0].content = "both"',
      'messages/0/content "both",messages/1/content "both"',
    ],
    ['messages[9].content = 1', "TypeError: cannot set property 'content' of undefined"],
    ['nothing = 1', "ReferenceError: 'nothing' is not defined"],
    ['Array.prototype.at = 1', "TypeError: 'at' is read-only"],
  ] as const)
    assert.equal(await written(expression), expected, expression);
  assert.equal(await shown('messages[1].content', scope), '"two" string');
});

test('members are those of the value and of what it inherits from, with limits', async () => {
  const names = async (expression: string, scope = {}) =>
    (await sandbox.members(expression, scope)).map(([name]) => name);
  const scope = { messages: [{ role: 'user', 'odd name': 1, '\u001b[2J': 2, '': 3, __proto__x: 4 }] };
  assert.deepEqual((await sandbox.members('messages[0]', scope)).slice(0, 5), [
    ['role', 'property', 0],
    ['odd name', 'property', 0],
    ['\u001b[2J', 'property', 0],
    ['', 'property', 0],
    ['__proto__x', 'property', 0],
  ]);
  const ofList = await names('messages', scope);
  assert.ok(ofList.includes('filter') && ofList.includes('length') && !ofList.includes('0'));
  assert.ok((await names('"text"')).includes('toUpperCase'));
  assert.ok(
    (await sandbox.members('({})', {})).some(([name, kind]) => name === 'toString' && kind === 'method'),
  );
  for (const nothing of [
    'null',
    'undefined',
    'nobody',
    'for (;;) {}',
    '(() => { for (;;) {} })()',
    'throw 1',
    '(',
    ')(',
    '',
  ])
    assert.deepEqual(await names(nothing), [], nothing);
  assert.deepEqual(await names('new Proxy({}, { ownKeys() { for (;;) {} } })'), []);
  assert.deepEqual(await names('new Proxy({}, { getPrototypeOf() { return new Proxy({}, this) } })'), []);
  assert.ok(
    (await names('Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["k" + i, 1]))')).length <= 1000,
  );
});

/** What one expression does is nothing to the next: built-ins, names, values, memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedNode } from '../../../src/debug/described.ts';
import { createPlainSandbox } from '../../doubles/plainSandbox.ts';

const { evaluate } = createPlainSandbox('messages');

/** `value type`, or what went wrong. */
async function shown(expression: string, scope: Record<string, unknown> = {}): Promise<string> {
  const result = await evaluate(expression, scope);
  if (!result.ok) return `refused: ${result.message}`;
  const { value, type } = describedNode('result', result.value);
  return `${value} ${type}`;
}

/** Each would change what later expressions answer, if it could; some are refused, none does. */
const poisons = [
  'Array.prototype.filter = () => []',
  'Array.prototype.push = function () { return 666 }',
  'Object.prototype.polluted = 1',
  'Object.prototype.toJSON = () => 666',
  '({}).__proto__.polluted = 1',
  'messages.__proto__.at = () => 666',
  'messages.constructor.prototype.at = () => 666',
  'Object.setPrototypeOf(Array.prototype, { polluted: 1 })',
  'Object.setPrototypeOf(globalThis, { polluted: 1 })',
  'Object.defineProperty(Object.prototype, "polluted", { get: () => 1 })',
  'Object.defineProperty(globalThis, "messages", { value: [] })',
  'delete globalThis.messages',
  'globalThis.messages = []',
  'messages = []',
  'messages.push({ role: "user" })',
  'messages.length = 0',
  'messages.reverse()',
  'messages[0] = 1',
  'messages[0].content = "changed"',
  'messages[0].parts.push(1)',
  'delete messages[0].content',
  'Object.defineProperty(messages, 0, { value: 1 })',
  'Object.assign(messages[0], { content: "changed" })',
  'globalThis.polluted = 1',
  'polluted = 1',
  'var polluted = 1; polluted',
  'let polluted = 1; polluted',
  'const polluted = 1; polluted',
  'function polluted() {}; polluted',
  'class polluted {}; polluted',
  '(0, eval)("var polluted = 1")',
  '(0, eval)("let polluted = 1; polluted")',
  '(0, eval)("function polluted() {}")',
  'new Function("polluted = 1")()',
  'new Function("this.polluted = 1")()',
  'JSON.stringify = () => "x"',
  'JSON.parse = () => 666',
  'String = () => "x"',
  'Object.keys = () => []',
  'Object.getPrototypeOf = () => null',
  'Reflect.ownKeys = () => []',
  'Map.prototype.get = () => 666',
  'Map.prototype.has = () => true',
  'Set.prototype.has = () => true',
  'Function.prototype.call = () => 666',
  'Function.prototype.apply = () => 666',
  'RegExp.prototype.exec = () => null',
  'Symbol.prototype.toString = () => "x"',
  'Proxy = undefined',
  'eval = () => 666',
  'log = () => 666',
  'log.call = () => 666',
  'Math.max = () => 666',
  'Error.prototype.toString = () => "x"',
  'Error.prepareStackTrace = () => 666',
  'Error.stackTraceLimit = 0',
  '(function* () {}).__proto__.prototype.next = () => 666',
  '(function* () {})().__proto__.__proto__.next = () => 666',
  '[].values().__proto__.next = () => ({ done: true })',
  '[].values().__proto__.__proto__[Symbol.iterator] = () => []',
  'new Map().entries().__proto__.next = () => ({ done: true })',
  '(async () => 1).__proto__.polluted = 1',
  '(async () => 1)().__proto__.then = () => 666',
  'Promise.resolve().then(() => { throw 1 }); 1',
  'Object.prototype.__defineGetter__("polluted", () => 1)',
  'Array.prototype[0] = 666',
  'Array.prototype.length = 5',
  'Object.getOwnPropertyDescriptor(Object.prototype, "toString").set.call(Object.prototype, () => "x")',
  'Object.getOwnPropertyDescriptor(Object.prototype, "toString").get.builtIn = () => 666',
  'Uint8Array.prototype.__proto__.fill = () => 666',
  'BigInt.prototype.toString = () => "x"',
  'Symbol.for("x").description.constructor.prototype.at = () => 666',
  'Date.now = () => 0',
  'for (;;) {}',
  '(function f() { f() })()',
  'try { (function f() { f() })() } catch { 1 }',
  'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)',
  'try { const a = []; for (;;) a.push("x".repeat(1e6) + a.length) } catch { 1 }',
  'for (let i = 0; i < 40; i++) { const kept = "x".repeat(1e6) + i; Promise.resolve().then(() => kept) }',
  'try { for (let i = 0; ; i++) Symbol.for("x".repeat(1e6) + i) } catch { 1 }',
  '/^(a+)+$/.test("a".repeat(40) + "b")',
  'const o = {}; o.toJSON = () => { for (;;) {} }; throw o',
  'new Proxy({}, { ownKeys() { for (;;) {} } })',
];

const witness = `[
  messages.length, messages[0].content, messages[0].parts.length, messages.filter((m) => m.role === 'user').length,
  messages.at(-1).content, typeof polluted, ({}).polluted, [].polluted, JSON.stringify(JSON.parse('{"a":[1]}')),
  String(Symbol('s')), new Map([[1, 2]]).get(1), new Map().has(1), new Set().has(1), Math.max(1, 2), [...[1, 2]].length,
  [...new Map([[1, 2]])].length, [...(function* () { yield 1; })()].length, Object.keys({ a: 1 }).length, /a/.test('a'),
  String(new Error('no')), log.call(null, 'x'), String(10n), eval('1 + 1'), typeof Proxy, [].length, ({}).toString(),
  Date.now() > 0, new Uint8Array(2).fill(7)[0], Object.getPrototypeOf(globalThis) === Object.prototype, [][0],
]`;

test('no expression changes what a later one answers', async () => {
  const scope = {
    messages: [
      { role: 'user', content: 'one', parts: [1] },
      { role: 'tool', content: 'two' },
    ],
  };
  const clean = await shown(witness, scope);
  assert.ok(!clean.startsWith('refused'), clean);
  for (const poison of poisons) {
    await evaluate(poison, scope);
    assert.equal(await shown(witness, scope), clean, poison);
    assert.deepEqual((await evaluate('log("text", [1])', scope)).logs, ['text [1]'], poison);
  }
});

test('a poisoned expression is told so', async () => {
  const scope = { messages: [{ content: 'one' }] };
  const told: readonly (readonly [expression: string, message: RegExp])[] = [
    ['Array.prototype.filter = () => []', /^refused: TypeError: 'filter' is read-only/],
    ['globalThis.x = 1', /^refused: TypeError: .*not extensible/],
    ['x = 1', /^refused: ReferenceError/],
    ['messages = []', /^refused: TypeError: messages is read-only/],
    ['messages.push(1)', /^refused: TypeError: object is not extensible/],
    ['messages[0].content = 1', /^refused: TypeError: 'content' is read-only/],
  ];
  for (const [expression, message] of told) assert.match(await shown(expression, scope), message, expression);
});

test('everything that an expression can reach is frozen', async () => {
  const loose = `
    const seen = new Set(), loose = [];
    const left = [[globalThis, 'globalThis'], [(function* () {}), 'generator'], [async () => 1, 'async'],
      [async function* () {}, 'async generator'], [[].values(), 'array iterator'], [new Map().keys(), 'map iterator'],
      [new Set().keys(), 'set iterator'], ['x'.matchAll(/x/g), 'match iterator'], [''[Symbol.iterator](), 'string iterator'],
      [[].values().filter(() => 1), 'iterator helper'], [Iterator.from({ next() {} }), 'wrapped iterator'],
      [(async () => 1)(), 'promise'], [messages[0], 'message']];
    const own = new Set(left.slice(1, -1).map(([one]) => one));
    while (left.length) {
      const [one, name] = left.pop();
      if ((typeof one !== 'object' && typeof one !== 'function') || one === null || seen.has(one)) continue;
      seen.add(one);
      if (!own.has(one) && one !== messages && !Object.isFrozen(one) && !name.startsWith('generator.prototype')
        && !name.startsWith('async generator.prototype')) loose.push(name);
      left.push([Object.getPrototypeOf(one), name + '.__proto__']);
      for (const key of Reflect.ownKeys(one)) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(one, key);
        left.push([value, name + '.' + String(key)], [get, name + '.get ' + String(key)], [set, name + '.set ' + String(key)]);
      }
    }
    [seen.size > 500, loose.join()]`;
  assert.equal(await shown(loose, { messages: [{ a: { b: [1] } }] }), '(2) [true,""] array');
});

test('objects of an expression may have properties that prototypes have', async () => {
  for (const [expression, expected] of [
    ['const o = {}; o.toString = () => "mine"; `${o}`', '"mine" string'],
    ['const o = {}; o.constructor = 1; o', '{"constructor":1} object'],
    [
      'class Odd extends Error { constructor(m) { super(m); this.name = "Odd"; } }; new Odd("x")',
      'Odd: x error',
    ],
    ['const e = new TypeError("a"); e.message = "b"; e', 'TypeError: b error'],
    ['({}).hasOwnProperty.call({ a: 1 }, "a")', 'true boolean'],
  ] as const)
    assert.equal(await shown(expression), expected, expression);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { serialise, wellFormedJson } from '../../../src/core/serialise.ts';

const circular: Record<string, unknown> = { name: 'loop' };
circular['self'] = circular;

const cases: readonly (readonly [string, unknown, string])[] = [
  ['BigInt', { n: 12345678901234567890n }, '{"n":"12345678901234567890"}'],
  ['cycle', circular, '{"name":"loop","self":"[circular]"}'],
  ['undefined at the top', undefined, 'null'],
  ['undefined field', { a: undefined, b: 1 }, '{"b":1}'],
  ['undefined item', [undefined, 1], '[null,1]'],
  ['function', { f: function add() {} }, '{"f":"[function add]"}'],
  ['NaN and infinities', [NaN, Infinity, -Infinity], '["NaN","Infinity","-Infinity"]'],
  ['Error', new TypeError('bad'), '{"name":"TypeError","message":"bad"}'],
  ['Map', new Map([['a', 1]]), '[["a",1]]'],
  ['Set', new Set([1, 2]), '[1,2]'],
  ['Date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ['invalid Date', new Date(NaN), '"Invalid Date"'],
  ['bytes', new Uint8Array(3), '"[3 bytes]"'],
  ['lone surrogate', { s: 'a\ud83d' }, '{"s":"a\\ufffd"}'],
  ['lone surrogate in a key', { 'k\udc00': 1 }, '{"k\\ufffd":1}'],
  ['symbol', Symbol('x'), '"Symbol(x)"'],
  ['a key named __proto__', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ['toJSON', { toJSON: () => ({ a: 1n }) }, '{"a":"1"}'],
];

for (const [name, value, expected] of cases) {
  test(`serialise: ${name}`, () => assert.equal(serialise(value), expected));
}

test('serialise: a getter and a toJSON that throw are said in words', () => {
  const value = {
    get bad(): string {
      throw new Error('no');
    },
    ok: 1,
  };
  assert.equal(serialise(value), '{"bad":"[unreadable: no]","ok":1}');
  const hostile = {
    toJSON: () => {
      throw new Error('never');
    },
  };
  assert.equal(serialise(hostile), '"[unreadable: never]"');
});

test('serialise: a hostile proxy does not throw', () => {
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('trap');
      },
    },
  );
  assert.equal(serialise(proxy), '"[unreadable: trap]"');
});

test('serialise: hostile at every place', () => {
  const throws = (): never => {
    throw Object.defineProperty(new Error('x'), 'message', { get: () => throws() });
  };
  const named = Object.defineProperty(() => 1, 'name', { get: throws });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const everything = new Proxy({}, { get: throws, ownKeys: throws, has: throws, getPrototypeOf: throws });
  const stringless = Object.create(null) as object;
  const values = [
    named,
    proxy,
    everything,
    { a: everything },
    [everything, 1],
    new Map<unknown, unknown>([[everything, named]]),
    { toJSON: throws },
    {
      toJSON() {
        throw stringless; // eslint-disable-line @typescript-eslint/only-throw-error -- what hostile code does
      },
    },
    {
      get toJSON() {
        return throws();
      },
    },
    Object.defineProperty(new Error('e'), 'cause', { get: throws }),
    Object.defineProperty(new Date(), 'getTime', { value: throws }),
    Object.defineProperty([1], Symbol.iterator, { value: throws }),
  ];
  for (const value of values) {
    const text = serialise(value);
    JSON.parse(text);
    assert.match(serialise({ before: 1, value, after: 2 }), /^\{"before":1,.*"after":2\}$/);
  }
  assert.equal(serialise([everything, 1]), '["[unreadable]",1]');
});

test('serialise: errors with what they carry, boxed values, promises', () => {
  const inner = new TypeError('inner');
  assert.equal(
    serialise(new Error('outer', { cause: inner })),
    '{"name":"Error","message":"outer","cause":{"name":"TypeError","message":"inner"}}',
  );
  const self: Error & { cause?: unknown } = new Error('self');
  self.cause = self;
  assert.equal(serialise(self), '{"name":"Error","message":"self","cause":"[circular]"}');
  assert.equal(
    serialise(new AggregateError([inner], 'all')),
    '{"name":"AggregateError","message":"all","errors":[{"name":"TypeError","message":"inner"}]}',
  );
  assert.equal(
    serialise(Object.assign(new Error('no file'), { code: 'ENOENT' })),
    '{"name":"Error","message":"no file","code":"ENOENT"}',
  );
  assert.equal(serialise([Object(1), Object('s'), Object(true)]), '[1,"s",true]');
  assert.equal(serialise({ later: Promise.resolve(1) }), '{"later":"[promise]"}');
});

test('serialise: what is small and stands for billions comes to an end', () => {
  let shared: unknown = 'x';
  for (let n = 0; n < 60; n++) shared = [shared, shared];
  assert.match(serialise(shared), /too many values/);
  assert.match(serialise(new Array(2 ** 31)), /too many values/);
  let deep: unknown = 1;
  for (let n = 0; n < 100_000; n++) deep = { deep };
  assert.match(serialise(deep), /too deep/);
  function* endless(): Generator<number> {
    for (;;) yield 1;
  }
  assert.match(
    serialise(Object.defineProperty(new Set(), Symbol.iterator, { value: endless })),
    /too many values/,
  );
});

test('serialise: JSON values are themselves, and what comes out always parses', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(serialise(value)), JSON.parse(JSON.stringify(value)));
    }),
    { seed: 1 },
  );
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
      (value) => {
        assert.doesNotThrow(() => JSON.parse(serialise(value)));
      },
    ),
    { seed: 2 },
  );
});

test('wellFormedJson: only real lone escapes are replaced', () => {
  assert.equal(wellFormedJson('"\\ud83d\\ude80"'), '"\\ud83d\\ude80"');
  assert.equal(wellFormedJson('"\\\\ud83d"'), '"\\\\ud83d"');
  assert.equal(wellFormedJson('"\\ud83d"'), '"\\ufffd"');
  assert.equal(wellFormedJson('"\\udE80\\ud83d"'), '"\\ufffd\\ufffd"');
});

test('serialise: what keeps its content to itself says what it is, and is no empty object', () => {
  class Result {
    readonly #value = 1;
    get value() {
      return this.#value;
    }
  }
  const cases: readonly (readonly [unknown, string])[] = [
    [new Blob(['abc']), '"[Blob]"'],
    [new Request('http://model.test'), '"[Request]"'],
    [new WeakMap(), '"[WeakMap]"'],
    [(function* () {})(), '"[Generator]"'],
    [new Result(), '"[Result]"'],
    [Object.create({ constructor: null }), '"[Object]"'],
    [Object.create(null), '{}'],
    [new Headers({ a: '1' }), '[["a","1"]]'],
    [new URLSearchParams('a=1&a=2'), '[["a","1"],["a","2"]]'],
    [new URL('http://model.test/a'), '"http://model.test/a"'],
    [Object(1n), '"1"'],
    [Object(Symbol('s')), '"Symbol(s)"'],
  ];
  for (const [value, expected] of cases) assert.equal(serialise(value), expected);
});

test('serialise: what comes from another realm is what it is there', () => {
  for (const [code, expected] of [
    ['new TypeError("no")', '{"name":"TypeError","message":"no"}'],
    ['new Map([[1, { a: 2 }]])', '[[1,{"a":2}]]'],
    ['new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['/x/', '"/x/"'],
    ['Promise.resolve(1)', '"[promise]"'],
    ['({})', '{}'],
    ['({ a: [1n] })', '{"a":["1"]}'],
  ] as const)
    assert.equal(serialise(runInNewContext(code)), expected, code);
});

test('serialise: an error whose toJSON gives a text is still an error', () => {
  const named = Object.assign(new Error('no'), { toJSON: () => 'text' });
  assert.equal(serialise(named), '{"name":"Error","message":"no"}');
});

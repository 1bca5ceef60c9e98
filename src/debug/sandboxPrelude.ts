import { describeSource } from './sandboxDescribe.ts';

/**
 * JavaScript that runs inside the sandbox before any expression. It defines the names of the scope and `log`, freezes
 * everything an expression can reach, and returns what the host calls: `take` brings values in, `begin` starts an
 * expression's moment, `run` and `assign` evaluate code, `members` lists what can stand behind a dot.
 *
 * Nothing of one expression is left for the next: the built-ins, the global object and all values are frozen, and code
 * is evaluated strictly, which keeps its own names to itself.
 */
export const sandboxPrelude = String.raw`((names, need, emit) => {
  'use strict';
  const { stringify, parse } = JSON;
  const { freeze, keys, getPrototypeOf, getOwnPropertyDescriptor, defineProperty } = Object;
  const { ownKeys } = Reflect;
  const { isArray } = Array;
  const evaluate = eval;
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  ${describeSource}

  const freezeAll = (root) => {
    const left = [root];
    while (left.length > 0) {
      const value = left.pop();
      if (typeof value !== 'object' || value === null) continue;
      freeze(value);
      for (const key of keys(value)) left.push(value[key]);
    }
    return root;
  };

  // Messages that were brought in, by id and text: one of a kind, whatever lists they stand in.
  const known = new Map();
  const lists = new Map();
  const values = new Map();

  const refuseWrite = (name) => () => {
    throw new TypeError(name + ' is read-only');
  };
  // Not frozen: it grows with the history, and freezing it anew each time would cost as much as the history is long.
  const listOf = (name) => {
    let list = lists.get(name);
    if (!list) {
      const items = [];
      const refuse = refuseWrite(name);
      const guard = {
        set: refuse, defineProperty: refuse, deleteProperty: refuse, setPrototypeOf: refuse, preventExtensions: refuse,
      };
      list = { items, shown: new Proxy(items, guard) };
      lists.set(name, list);
    }
    return list;
  };
  const made = (form, name) => {
    if ('json' in form) return freezeAll(form.json);
    if ('ref' in form) return known.get(form.ref) ?? null;
    if ('keys' in form) {
      const { items, shown } = listOf(name);
      items.length = form.keep;
      for (const key of form.keys) items.push(known.get(key));
      return shown;
    }
    const fields = {};
    for (const field of keys(form.fields)) fields[field] = made(form.fields[field], name + '.' + field);
    return freeze(fields);
  };
  const take = (name, text) => {
    const { messages, form } = parse(text);
    for (const [key, id, wire, isReadable] of messages)
      known.set(key, freezeAll(isReadable ? { ...parse(wire), id } : { id, text: wire }));
    values.set(name, made(form, name));
  };
  const read = (name) => {
    if (!values.has(name)) need(name);
    return values.get(name);
  };

  // What an assignment sets is found by letting it happen on stand-ins that know the way that led to them.
  let writes;
  const standIn = (value, path) => {
    if (typeof value !== 'object' || value === null) return value;
    return new Proxy(isArray(value) ? [...value] : { ...value }, {
      get: (target, key) =>
        typeof key === 'string' && getOwnPropertyDescriptor(target, key)
          ? standIn(target[key], [...path, key])
          : target[key],
      set(target, key, set) {
        writes.push({ path: [...path, toText(key)], json: stringify(set) });
        return true;
      },
      defineProperty: refuseWrite(path.join('.')),
      deleteProperty: refuseWrite(path.join('.')),
    });
  };
  const show = (value) => ({ value: inner(() => value, []), truthy: !!value });
  const run = (code) => stringify(show(evaluate(code)));
  const assign = (code) => {
    writes = [];
    try {
      const shown = show(evaluate(code));
      return stringify({ ...shown, writes });
    } finally {
      writes = undefined;
    }
  };

  const mostMembers = 1000;
  const kindOf = (owner, key) => {
    const { value, get } = getOwnPropertyDescriptor(owner, key) ?? {};
    // The built-ins that were made assignable below are methods all the same.
    return typeof (get?.builtIn ?? value) === 'function' ? 'method' : 'property';
  };
  const members = (code) => {
    const value = evaluate(code);
    if (value === undefined || value === null) return '[]';
    const found = new Map();
    const isList = isArray(value) || typeof value === 'string';
    let depth = 0;
    for (let owner = Object(value); owner !== null && found.size < mostMembers; owner = getPrototypeOf(owner)) {
      for (const key of ownKeys(owner)) {
        if (typeof key !== 'string' || found.has(key) || found.size >= mostMembers) continue;
        if (isList && depth === 0 && key !== 'length') continue;
        found.set(key, [key, kindOf(owner, key), depth]);
      }
      depth++;
    }
    return stringify([...found.values()]);
  };

  const begin = () => values.clear();

  for (const name of names) {
    defineProperty(globalThis, name, {
      enumerable: true,
      get: () => (writes ? standIn(read(name), [name]) : read(name)),
      set(value) {
        if (!writes) throw new TypeError(name + ' is read-only');
        writes.push({ path: [name], json: stringify(value) });
      },
    });
  }
  globalThis.log = (...logged) => {
    emit(stringify(logged.map((value) => (typeof value === 'string' ? value : describe(value, [])))));
    return true;
  };

  // A frozen prototype would forbid its heirs to have a property of the same name: these heirs commonly do.
  const makeAssignable = (prototype) => {
    for (const key of ownKeys(prototype)) {
      const { value, configurable, get, set } = getOwnPropertyDescriptor(prototype, key);
      if (get || set || !configurable) continue;
      const read = () => value;
      read.builtIn = value;
      defineProperty(prototype, key, {
        get: freeze(read),
        set(own) {
          if (this === prototype) throw new TypeError(toText(key) + ' is read-only');
          defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
        },
      });
    }
  };
  const errors = [
    Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, InternalError, AggregateError,
  ];
  makeAssignable(Object.prototype);
  for (const one of errors) makeAssignable(one.prototype);

  // Everything that an expression can get hold of; a good part of it has no name.
  const left = [
    globalThis, function* () {}, async function* () {}, async () => 1, (function* () {})(), (async function* () {})(),
    [][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator](),
    ''.matchAll(/x/g), [].values().map((one) => one), Iterator.from({ next() {} }), (function () { return arguments; })(),
  ];
  const seen = new Set();
  while (left.length > 0) {
    const one = left.pop();
    if (!isObject(one) || seen.has(one)) continue;
    seen.add(one);
    left.push(getPrototypeOf(one));
    for (const key of ownKeys(one)) {
      const { value, get, set } = getOwnPropertyDescriptor(one, key);
      left.push(value, get, set);
    }
  }
  for (const one of seen) freeze(one);
  return { take, begin, run, assign, members };
})`;

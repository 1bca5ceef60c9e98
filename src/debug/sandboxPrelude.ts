/**
 * JavaScript that runs inside the sandbox before any expression: it defines the names of the scope (frozen) and
 * `log`, and returns the function that describes a value as `Described`, in JSON. What it needs of the built-ins it
 * takes before an expression can replace them.
 */
export const sandboxPrelude = `((scopeText, emit) => {
  'use strict';
  const { stringify, parse } = JSON;
  const { is, keys, getPrototypeOf, prototype: plain } = Object;
  const { isArray } = Array;
  const toText = String;
  const most = 10000;
  const deepest = 20;
  const classes = [
    ['error', Error], ['date', Date], ['regexp', RegExp], ['map', Map], ['set', Set],
    ['promise', Promise], ['weakmap', WeakMap], ['weakset', WeakSet],
  ];

  const quietly = (read, otherwise) => {
    try { return read(); } catch (error) { return otherwise; }
  };
  const className = (value) => quietly(() => {
    const prototype = getPrototypeOf(value);
    const name = prototype === null || prototype === plain ? '' : prototype.constructor.name;
    return typeof name === 'string' ? name : '';
  }, '');
  const leaf = (type, text) => ({ type, text: toText(text) });
  const inner = (read, path) => {
    try { return describe(read(), path); } catch (error) { return leaf('error', '[' + toText(error) + ']'); }
  };
  const functionText = (value) => {
    const source = quietly(() => toText(value), '');
    const name = quietly(() => toText(value.name), '');
    return source.startsWith('class') ? 'class ' + name : '\\u0192 ' + name + '()';
  };
  const numbered = (type, text, list, path) => ({
    type, text, length: list.length,
    items: list.slice(0, most).map((item, index) => [toText(index), describe(item, path)]),
  });
  const arrayOf = (value, path) => {
    const items = [];
    for (let index = 0; index < value.length && index < most; index++) {
      const item = index in value ? inner(() => value[index], path) : leaf('undefined', '<empty>');
      items.push([toText(index), item]);
    }
    return { type: 'array', text: '', length: value.length, items };
  };
  const objectOf = (type, value, path) => ({
    type, text: className(value),
    items: keys(value).slice(0, most).map((key) => [key, inner(() => value[key], path)]),
  });
  const container = (value, above) => {
    if (above.includes(value)) return leaf('object', '[circular]');
    if (above.length > deepest) return leaf('object', '\\u2026');
    const path = [...above, value];
    if (isArray(value)) return arrayOf(value, path);
    const [type = 'object'] = classes.find(([, one]) => value instanceof one) ?? [];
    switch (type) {
      case 'error': return leaf(type, value);
      case 'date': case 'regexp': return leaf(type, value);
      case 'map': return numbered(type, 'Map', [...value].map(([key, item]) => ({ key, value: item })), path);
      case 'set': return numbered(type, 'Set', [...value], path);
      default: return objectOf(type, value, path);
    }
  };
  const describe = (value, path) => {
    if (value === null) return leaf('null', 'null');
    const type = typeof value;
    switch (type) {
      case 'string': return leaf(type, stringify(value));
      case 'number': return leaf(type, is(value, -0) ? '-0' : value);
      case 'bigint': return leaf(type, toText(value) + 'n');
      case 'function': return leaf(type, functionText(value));
      case 'object': return container(value, path);
      default: return leaf(type, value);
    }
  };

  const freeze = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  for (const [name, value] of Object.entries(parse(scopeText))) {
    Object.defineProperty(globalThis, name, { value: freeze(value), enumerable: true });
  }
  globalThis.log = (...values) => {
    emit(stringify(values.map((value) => (typeof value === 'string' ? value : describe(value, [])))));
    return true;
  };
  return (value) => stringify({ value: inner(() => value, []), truthy: !!value });
})`;

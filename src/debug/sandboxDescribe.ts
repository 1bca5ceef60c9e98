/**
 * Part of the sandbox's prelude: `describe(value, path)` makes a `Described` of a value, and `inner(read, path)` does so
 * of one that may throw when it is read. Uses what the prelude has taken of the built-ins before.
 */
export const describeSource = String.raw`
  const { is, prototype: plain } = Object;
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
    return source.startsWith('class') ? 'class ' + name : '\u0192 ' + name + '()';
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
    if (above.length > deepest) return leaf('object', '\u2026');
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
`;

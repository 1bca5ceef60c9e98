import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prettyJson } from '../../../src/core/prettyJson.ts';

test('line breaks and indents, and every token as it was written', () => {
  const text = '{"a":1e400,"big":12345678901234567890,"e":"\\u0041 {\\"x\\": [1,2]}","l":[1,[],{}],"a":2}';
  assert.equal(
    prettyJson(text),
    [
      '{',
      '  "a": 1e400,',
      '  "big": 12345678901234567890,',
      '  "e": "\\u0041 {\\"x\\": [1,2]}",',
      '  "l": [',
      '    1,',
      '    [],',
      '    {}',
      '  ],',
      '  "a": 2',
      '}',
    ].join('\n'),
  );
});

test('what is no JSON object or list is left alone', () => {
  for (const text of ['', 'plain', '"text"', '12', '{"cut": "off', '[1, 2', '{a: 1}'])
    assert.equal(prettyJson(text), undefined);
});

test('property: it is the same JSON, and the same as JSON.stringify prints', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const pretty = prettyJson(text);
      if (pretty === undefined) return !/^\s*[[{]/.test(text);
      assert.equal(pretty, JSON.stringify(JSON.parse(text), undefined, 2));
      return true;
    }),
    { seed: 7, numRuns: 300 },
  );
});

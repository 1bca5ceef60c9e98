import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { joinBody } from '../../../src/core/body.ts';
import { createBodyDigest } from '../../../src/planner/bodyDigest.ts';

const body = fc.record({
  head: fc.constantFrom('{"messages":[', '{"model":"界","messages":['),
  texts: fc.array(fc.constantFrom('{"a":1}', '{"b":"🐢"}', '"c"', '""'), { maxLength: 6 }),
  tail: fc.constantFrom([']', '}'], [']'], ['],"x":"é"', '}']),
});

test('the digest of each body is that of its text, whatever the bodies before it were', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 8 }), (bodies) => {
      const digest = createBodyDigest();
      for (const one of bodies) {
        const text = joinBody(one.head, one.texts, one.tail);
        assert.deepEqual(digest(one), {
          hash: createHash('sha256').update(text).digest('hex'),
          bytes: Buffer.byteLength(text),
        });
      }
    }),
    { seed: 7, numRuns: 500 },
  );
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestBody } from '../../../src/core/body.ts';
import { createBodyEncoder } from '../../../src/planner/bodyEncoder.ts';
import { createBodyDigest } from '../../../src/planner/bodyDigest.ts';

const body = fc.record({
  head: fc.constantFrom('{"messages":[', '{"model":"界","messages":['),
  texts: fc.array(fc.constantFrom('{"a":1}', '{"b":"🐢"}', '"c"', '""'), { maxLength: 6 }),
  tail: fc.constantFrom([']', '}'], [']'], ['],"x":"é"', '}']),
});

test('the digest and the bytes of each body are those of its text, whatever the bodies before it were', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 8 }), (bodies) => {
      const digest = createBodyDigest();
      const encode = createBodyEncoder();
      const sent = [];
      for (const { head, texts, tail } of bodies) {
        const one = requestBody(head, texts, tail);
        const { text } = one;
        assert.deepEqual(digest(one), {
          hash: createHash('sha256').update(text).digest('hex'),
          bytes: Buffer.byteLength(text),
        });
        sent.push({ pieces: encode(one), text });
        assert.equal(Buffer.concat(sent.at(-1)!.pieces).toString(), text);
      }
      // Nor does a later body change what is still on its way.
      for (const { pieces, text } of sent) assert.equal(Buffer.concat(pieces).toString(), text);
    }),
    { seed: 7, numRuns: 500 },
  );
});

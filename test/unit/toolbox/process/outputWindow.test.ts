import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createOutputWindow } from '../../../../src/toolbox/process/outputWindow.ts';

function read(chunks: readonly Uint8Array[], limit: number) {
  const window = createOutputWindow(limit);
  for (const chunk of chunks) window.add(Buffer.from(chunk));
  return window.output();
}

test('a text that fits comes out as it went in, wherever it was cut into chunks', () => {
  const text = 'añ€😀 👩‍👩‍👧 中文\r\n';
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    const got = read([bytes.subarray(0, at), bytes.subarray(at)], 1000);
    assert.deepEqual(got, { text, bytes: bytes.length, left: 0 });
  }
  assert.equal(
    read(
      [...bytes].map((byte) => Uint8Array.of(byte)),
      1000,
    ).text,
    text,
  );
  assert.equal(read([Uint8Array.of(0xff, 0x41)], 1000).text, '�A');
  assert.equal(read([Buffer.from('\ufeffA')], 1000).text, 'A');
  assert.deepEqual(read([], 1000), { text: '', bytes: 0, left: 0 });
});

test('what is longer keeps its head and its tail, counts the rest, and cuts no character', () => {
  const got = read([Buffer.from('€'.repeat(1000))], 100);
  // 50 bytes hold 16 of three bytes; the tail begins within one.
  assert.equal(got.text, `${'€'.repeat(16)}… [2,904 of 3,000 bytes left out] …${'€'.repeat(16)}`);
  assert.deepEqual([got.bytes, got.left], [3000, 2904]);
  assert.equal(read([Buffer.from('a'.repeat(101))], 100).left, 1);
  assert.equal(read([Buffer.from('a'.repeat(100))], 100).left, 0);
});

test('a window is head and tail of the whole, however the chunks fall', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40, max: 127 }), { maxLength: 40 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 30 }), (parts, half) => {
      const whole = Buffer.concat(parts).toString('latin1');
      const { text, bytes, left } = read(parts, 2 * half);
      assert.equal(bytes, whole.length);
      assert.equal(left, Math.max(0, whole.length - 2 * half));
      if (left === 0) return assert.equal(text, whole);
      assert.equal(text.slice(0, half), whole.slice(0, half));
      assert.equal(text.slice(-half), whole.slice(-half));
    }),
    { seed: 1, numRuns: 500 },
  );
});

/** The quick way of merging long pieces does what the plain way does, and does it in time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCharAt, endByte } from '../../../../src/planner/tokenizer/charKind.ts';
import type { Encoding } from '../../../../src/planner/tokenizer/encoding.ts';
import { createExactCounter } from '../../../../src/planner/tokenizer/exactCounter.ts';
import { mergeLong } from '../../../../src/planner/tokenizer/mergeLong.ts';
import { mergeShort, shortPiece } from '../../../../src/planner/tokenizer/mergeShort.ts';
import { cl100kPieceEnd } from '../../../../src/planner/tokenizer/splitCl100k.ts';
import { o200kPieceEnd } from '../../../../src/planner/tokenizer/splitO200k.ts';
import { loadTables } from '../../../../src/planner/tokenizer/tables.ts';
import { createFindBytePair, createFindPair } from '../../../../src/planner/tokenizer/vocabulary.ts';
import { createOracle } from './oracle.ts';
import { createRandom } from './random.ts';

const tables = await loadTables('o200k_base');
const { byteRanks } = tables.vocabulary;
const findPair = createFindPair(tables.vocabulary);
const findBytePair = createFindBytePair(tables.vocabulary, findPair);
const count = createExactCounter(tables);

test('long and short merging agree on any bytes', () => {
  // Few different bytes make many tokens, and runs of one byte make unions that overlap.
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: shortPiece }),
    fc.uint8Array({ minLength: 1, maxLength: shortPiece, min: 0x61, max: 0x64 }),
    fc
      .array(fc.constantFrom(0x20, 0x61, 0x61, 0xe4, 0xbd, 0xa0), { minLength: 1, maxLength: shortPiece })
      .map((list) => Uint8Array.from(list)),
  );
  fc.assert(
    fc.property(bytes, (piece) => {
      const short = mergeShort(piece, 0, piece.length, byteRanks, findBytePair, findPair);
      assert.equal(mergeLong(piece, 0, piece.length, byteRanks, findPair), short);
    }),
    { numRuns: 2000, seed: 4 },
  );
});

test('pieces of thousands of characters count as in tiktoken', () => {
  const oracle = createOracle('o200k_base');
  const { repeat, below } = createRandom(5);
  const letters = repeat(4000, () => String.fromCharCode(97 + below(26)));
  const han = repeat(3000, () => String.fromCharCode(0x4e00 + below(20_000)));
  for (const text of [
    'a'.repeat(5000),
    ' '.repeat(5000),
    '\n'.repeat(4000),
    letters,
    han,
    'ab'.repeat(2500),
  ]) {
    assert.equal(count(text), oracle(text), text.slice(0, 20));
  }
});

/** 100 kB each of what makes published tokenizers quadratic, and of what could make this one so. */
function longPieces(): Readonly<Record<string, string>> {
  const { repeat, below } = createRandom(6);
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return {
    'one letter': 'a'.repeat(1e5),
    spaces: ' '.repeat(1e5),
    'line ends': '\n'.repeat(1e5),
    NUL: '\0'.repeat(1e5),
    Han: repeat(33_333, () => String.fromCharCode(0x4e00 + below(20_000))),
    emoji: repeat(25_000, () => String.fromCodePoint(0x1f300 + below(700))),
    base64: repeat(1e5, () => base64.charAt(below(64))),
    letters: repeat(1e5, () => String.fromCharCode(97 + below(26))),
    'capitals after Han': `中${'A'.repeat(1e5)}`,
    'marks and capitals': '\u0301A'.repeat(33_333),
    'spaces and line ends': ' \n'.repeat(50_000),
    'lone surrogates': '\ud800'.repeat(33_333),
    apostrophes: "'".repeat(1e5),
  };
}

for (const encoding of ['o200k_base', 'cl100k_base'] satisfies Encoding[]) {
  test(`the steps for a long text of anything are a few per byte: ${encoding}`, async () => {
    const { classes, vocabulary } = await loadTables(encoding);
    const pieceEnd = encoding === 'o200k_base' ? o200kPieceEnd : cl100kPieceEnd;
    let steps = 0;
    const counted = <Args extends readonly unknown[]>(call: (...args: Args) => number) => {
      return (...args: Args) => {
        steps++;
        return call(...args);
      };
    };
    const charAt = counted(createCharAt(classes));
    const find = counted(createFindPair(vocabulary));
    for (const [name, text] of Object.entries(longPieces())) {
      const bytes = Buffer.concat([Buffer.from(text), Buffer.from([endByte])]);
      const length = bytes.length - 1;
      steps = 0;
      for (let at = 0; at < length;) {
        at = pieceEnd(bytes, at, charAt);
      }
      assert.ok(steps <= 4 * length, `${name}: ${steps} characters looked at`);
      steps = 0;
      mergeLong(bytes, 0, length, vocabulary.byteRanks, find);
      assert.ok(steps <= 3 * length, `${name}: ${steps} pairs looked for`);
    }
  });
}

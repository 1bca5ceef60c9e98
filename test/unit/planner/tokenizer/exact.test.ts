import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounter } from '../../../../src/planner/tokenizer/createCounter.ts';
import type { Encoding } from '../../../../src/planner/tokenizer/encoding.ts';
import { loadTables } from '../../../../src/planner/tokenizer/tables.ts';
import { oddKinds } from './oddStrings.ts';
import { createOracle, tokensOf } from './oracle.ts';
import { createRandom } from './random.ts';

const encodings: readonly Encoding[] = ['o200k_base', 'cl100k_base'];
/** Of each kind; there are some fifty kinds. */
const perKind = 120;

for (const encoding of encodings) {
  const oracle = createOracle(encoding);
  const exact = loadTables(encoding).then((tables) => createCounter(tables));

  for (const [index, [kind, make]] of oddKinds.entries()) {
    test(`${encoding} counts as tiktoken does: ${kind}`, async () => {
      const count = await exact;
      const random = createRandom(1000 + index);
      for (let made = 0; made < perKind; made++) {
        const text = make(random);
        assert.equal(count(text), oracle(text), JSON.stringify(text));
      }
    });
  }

  test(`${encoding} counts as tiktoken does: all kinds in one text`, async () => {
    const count = await exact;
    const random = createRandom(7);
    for (let made = 0; made < 200; made++) {
      const text = random.repeat(6, () => random.pick(oddKinds)[1](random));
      assert.equal(count(text), oracle(text), JSON.stringify(text));
    }
  });

  test(`${encoding} counts as tiktoken does: texts beyond the memory that is kept, of one to four bytes a character`, async () => {
    const count = await exact;
    for (const word of ['word ', 'é, ', '中文，', '😀 '])
      for (const units of [20_000, 70_000]) {
        const text = word.repeat(units / word.length);
        assert.equal(count(text), oracle(text), `${word} ${units}`);
      }
  });

  test(`${encoding} knows the contractions that tiktoken knows, in any case and folding`, async () => {
    const count = await exact;
    for (const text of contractions(encoding)) assert.equal(count(text), oracle(text), JSON.stringify(text));
  });

  test(`${encoding} counts every code point between letters as tiktoken does`, async () => {
    const count = await exact;
    const step = 32;
    for (let first = 0; first < 0x110000; first += step) {
      const text = Array.from({ length: step }, (_, at) => `a${String.fromCodePoint(first + at)}B `).join('');
      // Most of planes 4 to 16 is not assigned: a sample is enough there.
      if (first >= 0x40000 && first % 0x1000 !== 0) continue;
      assert.equal(count(text), oracle(text), `from U+${first.toString(16)}`);
    }
  });
}

/**
 * What folds to a letter of ASCII: the letter, its capital, and beyond ASCII the long s and the Kelvin sign; with
 * letters that only look as if they did (dotless and dotted i, those with a mark).
 */
const folding = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', ...'\u017f\u212aİıẞß\u1e9bÅéÉµ'];
/** Tokens that begin with the same letter and are tried behind an apostrophe. */
const tailsPerLetter = 100;

/**
 * Where a contraction ends shows in a count only if a token would go on beyond it: so words behind an apostrophe that
 * are tokens, and letters behind tokens that end with an apostrophe (`l'`, `qu'`).
 */
function* contractions(encoding: Encoding): Generator<string> {
  const tokens = tokensOf(encoding).map((bytes) => Buffer.from(bytes, 'latin1').toString());
  for (const letter of folding.slice(0, 52)) {
    const tails = tokens.filter((token) => token.length > 1 && token.startsWith(letter));
    for (const tail of tails.slice(0, tailsPerLetter)) yield `we'${tail}`;
  }
  for (const head of tokens.filter((token) => /\p{L}'$/u.test(token)).slice(0, tailsPerLetter)) {
    for (const letter of folding) yield `${head}${letter}${letter}`;
    for (const first of 'lLrRvV') for (const letter of folding) yield `${head}${first}${letter}x`;
  }
}

test('an empty text has no tokens', async () => {
  assert.equal(createCounter(await loadTables('o200k_base'))(''), 0);
});

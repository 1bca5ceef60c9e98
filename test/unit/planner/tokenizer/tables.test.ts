/** The data files against the package they are made of: they are not out of date, and nothing was lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as kinds from '../../../../src/planner/tokenizer/charKind.ts';
import type { Encoding } from '../../../../src/planner/tokenizer/encoding.ts';
import { encodingFor } from '../../../../src/planner/tokenizer/encoding.ts';
import { loadTables } from '../../../../src/planner/tokenizer/tables.ts';
import {
  createFindBytePair,
  createFindPair,
  unranked,
  type Vocabulary,
} from '../../../../src/planner/tokenizer/vocabulary.ts';
import { createPatternOracle, modelsOfTiktoken, tokensOf } from './oracle.ts';

for (const encoding of ['o200k_base', 'cl100k_base'] satisfies Encoding[]) {
  test(`the pairs of ${encoding} spell the tokens of tiktoken`, async () => {
    const tokens = tokensOf(encoding);
    const { vocabulary } = await loadTables(encoding);
    assert.deepEqual(
      [...vocabulary.byteRanks].map((rank) => tokens[rank]?.charCodeAt(0)),
      Array.from({ length: 256 }, (_, byte) => byte),
    );
    const findPair = createFindPair(vocabulary);
    const spelled = new Set<string>();
    for (const [left, right] of pairsIn(vocabulary)) {
      const rank = findPair(left, right);
      assert.equal(`${tokens[left]}${tokens[right]}`, tokens[rank]);
      assert.ok(rank > left && rank > right, 'a token comes after its halves');
      spelled.add(tokens[rank]!);
    }
    assert.equal(spelled.size + 256, tokens.length);
  });

  test(`two bytes of ${encoding} form the tokens of tiktoken that have two, asked once or again`, async () => {
    const { vocabulary } = await loadTables(encoding);
    const findBytePair = createFindBytePair(vocabulary, createFindPair(vocabulary));
    const ranks = new Map(tokensOf(encoding).map((token, rank) => [token, rank]));
    for (let times = 0; times < 2; times++) {
      for (let bytes = 0; bytes < 1 << 16; bytes++) {
        const [left, right] = [bytes >> 8, bytes & 255];
        const rank = ranks.get(String.fromCharCode(left, right)) ?? unranked;
        assert.equal(findBytePair(left, right), rank, `${left} ${right}`);
      }
    }
  });
}

/** Both halves of each entry, of which a part is in the number of its bucket. */
function* pairsIn({ starts, keys }: Vocabulary): Generator<readonly [left: number, right: number]> {
  const buckets = starts.length - 1;
  for (let bucket = 0; bucket < buckets; bucket++) {
    for (const key of keys.subarray(starts[bucket], starts[bucket + 1])) {
      const left = key & ((1 << 18) - 1);
      const scattered = Math.imul(left, 0x9e3779b1) >>> (32 - Math.log2(buckets));
      yield [left, ((key >>> 18) & 7) * buckets + (bucket ^ scattered)];
    }
  }
}

test('tokens that never stand side by side in a token have no union', async () => {
  const findPair = createFindPair((await loadTables('cl100k_base')).vocabulary);
  assert.equal(findPair(100_255, 100_255), unranked);
});

test('every code point has the kind that the engine of tiktoken gives it', async () => {
  const { classes } = await loadTables('o200k_base');
  const charAt = kinds.createCharAt(classes);
  const patterns: readonly (readonly [number, string])[] = [
    [kinds.upper, '[\\p{Lu}\\p{Lt}]'],
    [kinds.lower, '\\p{Ll}'],
    [kinds.uncased, '[\\p{Lm}\\p{Lo}]'],
    [kinds.mark, '\\p{M}'],
    [kinds.digit, '\\p{N}'],
    [kinds.lineEnd, '[\\r\\n]'],
    [kinds.space, '[^\\S\\r\\n]'],
    [kinds.other, '[^\\p{L}\\p{M}\\p{N}\\s]'],
  ];
  const oracles = patterns.map(([kind, pattern]) => [kind, createPatternOracle(pattern)] as const);
  const step = 1024;
  for (let first = 0; first < 0x110000; first += step) {
    if (first >= 0xd800 && first < 0xe000) continue;
    const text = Array.from({ length: step }, (_, at) => String.fromCodePoint(first + at)).join('');
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([kinds.endByte])]);
    const sizes = new Map<number, number>();
    let at = 0;
    for (let char = charAt(bytes, at); (char & kinds.end) === 0; char = charAt(bytes, at)) {
      const kind = char & ((1 << kinds.lengthShift) - 1);
      sizes.set(kind, (sizes.get(kind) ?? 0) + (char >> kinds.lengthShift));
      at += char >> kinds.lengthShift;
    }
    assert.equal(at, bytes.length - 1);
    for (const [kind, matched] of oracles) {
      assert.equal(sizes.get(kind) ?? 0, matched(text), `kind ${kind} from U+${first.toString(16)}`);
    }
  }
});

test('a model is counted with the encoding that tiktoken names for it', () => {
  const models = [...modelsOfTiktoken()].filter(([, encoding]) => /^(o200k|cl100k)_base$/.test(encoding));
  assert.ok(models.length > 50);
  for (const [model, encoding] of models) assert.equal(encodingFor(model), encoding, model);
  assert.equal(encodingFor('openai/gpt-4-turbo'), 'cl100k_base');
  assert.equal(encodingFor('ft:gpt-3.5-turbo:acme::x1'), 'cl100k_base');
  assert.equal(encodingFor('ft:gpt-4o:acme::x1'), 'o200k_base');
  assert.equal(encodingFor('qwen3-32b'), 'o200k_base');
});

/** The data files against the package they are made of: they are not out of date, and nothing was lost. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as kinds from '../../../../src/planner/tokenizer/charKind.ts';
import type { Encoding } from '../../../../src/planner/tokenizer/encoding.ts';
import { encodingFor } from '../../../../src/planner/tokenizer/encoding.ts';
import { loadTables } from '../../../../src/planner/tokenizer/tables.ts';
import {
  createFindPair,
  rankOfBytePair,
  readVocabulary,
  unranked,
} from '../../../../src/planner/tokenizer/vocabulary.ts';
import { createPatternOracle, modelsOfTiktoken, tokensOf } from './oracle.ts';

for (const encoding of ['o200k_base', 'cl100k_base'] satisfies Encoding[]) {
  test(`the pairs of ${encoding} spell the tokens of tiktoken`, async () => {
    const tokens = tokensOf(encoding);
    const { vocabulary } = await loadTables(encoding);
    const { pairs, byteRanks } = vocabulary;
    assert.deepEqual(
      [...byteRanks].map((rank) => tokens[rank]?.charCodeAt(0)),
      Array.from({ length: 256 }, (_, byte) => byte),
    );
    const findPair = createFindPair(vocabulary);
    const spelled = new Set<string>();
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at + 1] === 0) continue;
      const left = pairs[at]! & unranked;
      const right = (pairs[at]! >>> 18) | ((pairs[at + 1]! >>> 18) << 14);
      const rank = findPair(left, right);
      assert.equal(`${tokens[left]}${tokens[right]}`, tokens[rank]);
      assert.ok(rank > left && rank > right, 'a token comes after its halves');
      spelled.add(tokens[rank]!);
    }
    assert.equal(spelled.size + 256, tokens.length);
  });
}

for (const encoding of ['o200k_base', 'cl100k_base'] satisfies Encoding[]) {
  test(`the table of two bytes of ${encoding} says what the table of all pairs says`, async () => {
    const { vocabulary } = await loadTables(encoding);
    const { bytePairs, byteRanks } = vocabulary;
    const findPair = createFindPair(vocabulary);
    let tokens = 0;
    for (let left = 0; left < 256; left++) {
      for (let right = 0; right < 256; right++) {
        const rank = rankOfBytePair(bytePairs, left, right);
        assert.equal(rank, findPair(byteRanks[left]!, byteRanks[right]!), `${left} ${right}`);
        if (rank !== unranked) tokens++;
      }
    }
    assert.equal(tokens, tokensOf(encoding).filter((token) => token.length === 2).length);
  });
}

test('reading a vocabulary lets others run in between', async () => {
  const source = new URL('../../../../src/planner/tokenizer/data/o200k_base.bin', import.meta.url);
  const data = await readFile(source);
  let turns = 0;
  let isRead = false;
  const turn = () => {
    turns++;
    if (!isRead) setImmediate(turn);
  };
  setImmediate(turn);
  await readVocabulary(data);
  isRead = true;
  assert.ok(turns >= 5, `${turns} turns`);
});

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

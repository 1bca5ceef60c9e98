import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endByte } from '../../../../src/planner/tokenizer/charKind.ts';
import { createPieceCache, readAhead } from '../../../../src/planner/tokenizer/pieceCache.ts';
import { createRandom } from './random.ts';

/** The piece inside a text: what stands around it must not matter. */
function inText(piece: string): { readonly view: DataView; readonly from: number; readonly length: number } {
  const bytes = Buffer.from(`b${piece}a`);
  const text = new Uint8Array(bytes.length + 1 + readAhead).fill(endByte);
  text.set(bytes);
  return { view: new DataView(text.buffer), from: 1, length: bytes.length - 2 };
}

for (const [words, setBits] of [
  [4, 6],
  [16, 2],
] as const) {
  const create = () => {
    const cache = createPieceCache(words, setBits);
    const find = (piece: string) => {
      const { view, from, length } = inText(piece);
      return cache.find(view, from, length);
    };
    return { cache, find };
  };

  test(`${words} words: a piece of any length is found again, and nothing that only resembles it`, () => {
    const { cache, find } = create();
    for (let length = 1; length <= cache.longest; length++) {
      const piece = 'x'.repeat(length);
      assert.equal(find(piece), 0, `${length} bytes`);
      cache.keep(length);
      assert.equal(find(piece), length);
      if (length < cache.longest) assert.equal(find(`${piece}\0`), 0);
      assert.equal(find(`${piece.slice(1)}\0`), 0);
      assert.equal(find(`${piece.slice(1)}y`), 0);
    }
  });

  test(`${words} words: whatever comes in, an answer is never another piece's`, () => {
    const { cache, find } = create();
    const { below, repeat, pick } = createRandom(9);
    const tokens = new Map<string, number>();
    let known = 0;
    for (let asked = 0; asked < 20_000; asked++) {
      const piece = repeat(1 + below(6), () => pick(['\0', 'a', 'b', 'é']));
      const answer = find(piece);
      if (answer > 0) known++;
      if (answer > 0) assert.equal(answer, tokens.get(piece), JSON.stringify(piece));
      else {
        tokens.set(piece, 1 + below(255));
        cache.keep(tokens.get(piece)!);
      }
    }
    assert.ok(known > 1000 && known < 19_000, `${known} were known`);
  });

  test(`${words} words: of pieces of one set the four newest are kept`, () => {
    const cache = createPieceCache(words, 1);
    const found = (piece: string) => {
      const { view, from, length } = inText(piece);
      return cache.find(view, from, length);
    };
    const pieces = Array.from({ length: 40 }, (_, index) => `p${index}`);
    for (const piece of pieces) if (found(piece) === 0) cache.keep(1);
    assert.equal(pieces.filter((piece) => found(piece) > 0).length, 8);
    assert.equal(found('p39'), 1);
  });
}

/**
 * Makes the data files of the token counter (`npm install`, then `node src/planner/tokenizer/data/generate.mjs`;
 * the same package gives the same bytes).
 *
 * Everything comes from the npm package `tiktoken` (MIT, https://github.com/dqbd/tiktoken), which carries
 * OpenAI's vocabularies (MIT, https://github.com/openai/tiktoken) and their regular expression engine.
 *
 * - `<encoding>.bin`: every token of 2 bytes and more is the union of two earlier tokens, so a vocabulary is
 *   a list of pairs, here as the hash table that `vocabulary.ts` asks: how many buckets and entries there are, where
 *   each bucket starts, the keys of the entries, the high bits of their ranks, and the ranks of the 256 single bytes.
 * - `classes.bin`: what kind of character each code point is, in two stages: 8,704 block numbers, then
 *   blocks of 128 kinds. The engine is asked itself, because its Unicode version is not Node's.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Tiktoken } from 'tiktoken/lite';

const require = createRequire(import.meta.url);

const encodings = ['o200k_base', 'cl100k_base'];

/** As `charKind.ts` names them, one bit each; what is in none of these classes is `other`. */
const other = 1;
const kinds = [
  [2, '[\\p{Lu}\\p{Lt}]'],
  [4, '\\p{Ll}'],
  [8, '[\\p{Lm}\\p{Lo}]'],
  [16, '\\p{M}'],
  [32, '\\p{N}'],
  [64, '[\\r\\n]'],
  [128, '[^\\S\\r\\n]'],
];

/** Tokens a bucket has in the mean, at most: one line of the processor's cache holds twice as many. */
const bucketSize = 8;

await report('classes.bin', classes());
for (const encoding of encodings) {
  const source = JSON.parse(await readFile(require.resolve(`tiktoken/encoders/${encoding}.json`), 'utf8'));
  await report(`${encoding}.bin`, table(tokensOf(source.bpe_ranks)));
}

async function report(name, bytes) {
  await writeFile(new URL(name, import.meta.url), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}

/** Lines of `! first-rank base64 base64 …`; latin1 strings by rank, each unit one byte. */
function tokensOf(ranks) {
  const tokens = [];
  for (const line of ranks.split('\n')) {
    const [, first, ...encoded] = line.split(' ');
    encoded.forEach(
      (text, index) => (tokens[Number(first) + index] = Buffer.from(text, 'base64').toString('latin1')),
    );
  }
  return tokens;
}

function table(tokens) {
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  const bits = Math.ceil(Math.log2(tokens.length / bucketSize));
  const buckets = Array.from({ length: 2 ** bits }, () => []);
  const byteRanks = new Uint8Array(256);
  tokens.forEach((token, rank) => {
    if ((token.length === 1) !== rank < 256)
      throw new Error(`rank ${rank}: the single bytes are not the first 256`);
    if (rank < 256) {
      byteRanks[token.charCodeAt(0)] = rank;
      return;
    }
    const [left, right] = halves(token, rank, ranks);
    const highRight = right >> bits;
    if (left >> 18 > 0 || highRight >> 3 > 0) throw new Error(`rank ${rank} does not fit into an entry`);
    const bucket = (right & (buckets.length - 1)) ^ (Math.imul(left, 0x9e3779b1) >>> (32 - bits));
    buckets[bucket].push({ key: left | (highRight << 18) | (rank << 21), highRank: rank >> 11 });
  });
  const entries = buckets.flat();
  let end = 0;
  const starts = [0, ...buckets.map((bucket) => (end += bucket.length))];
  return Buffer.concat([
    int32s([buckets.length, entries.length, ...starts, ...entries.map(({ key }) => key)]),
    Uint8Array.from(entries, ({ highRank }) => highRank),
    byteRanks,
  ]);
}

function int32s(numbers) {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => bytes.writeInt32LE(number, 4 * index));
  return bytes;
}

/** The two tokens that are left when byte-pair encoding of this token's own bytes is one step from its end. */
function halves(token, rank, ranks) {
  let parts = [...token];
  while (parts.length > 2) {
    let best = rank;
    let at = -1;
    for (let index = 0; index + 1 < parts.length; index++) {
      const found = ranks.get(parts[index] + parts[index + 1]) ?? rank;
      if (found < best) [best, at] = [found, index];
    }
    if (at < 0) throw new Error(`rank ${rank} is not the union of two earlier tokens`);
    parts = [...parts.slice(0, at), parts[at] + parts[at + 1], ...parts.slice(at + 2)];
  }
  return parts.map((part) => ranks.get(part));
}

function classes() {
  const all = new Uint8Array(0x110000).fill(other);
  for (const [kind, pattern] of kinds) {
    for (const codePoint of matching(pattern)) all[codePoint] = kind;
  }
  const blocks = new Map();
  const index = Buffer.alloc(all.length / 128);
  for (let block = 0; block < index.length; block++) {
    const content = Buffer.from(all.subarray(block * 128, (block + 1) * 128)).toString('latin1');
    if (!blocks.has(content)) blocks.set(content, blocks.size);
    index[block] = blocks.get(content);
  }
  if (blocks.size > 256) throw new Error('a block number no longer fits into a byte');
  return Buffer.concat([index, ...[...blocks.keys()].map((content) => Buffer.from(content, 'latin1'))]);
}

/** Code points that the engine's pattern matches: a vocabulary of single bytes gives tokens for them alone. */
function* matching(pattern) {
  const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64'));
  const engine = new Tiktoken(`! 0 ${bytes.join(' ')}`, {}, pattern);
  const found = (text) => engine.encode_ordinary(text).length;
  const step = 256;
  for (let first = 0; first < 0x110000; first += step) {
    if (first >= 0xd800 && first < 0xe000) continue; // no characters of their own
    const block = Array.from({ length: step }, (_, offset) => String.fromCodePoint(first + offset));
    if (found(block.join('')) === 0) continue;
    for (const character of block) if (found(character) > 0) yield character.codePointAt(0);
  }
  engine.free();
}

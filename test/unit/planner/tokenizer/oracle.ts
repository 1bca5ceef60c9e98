/** The real tokenizer, OpenAI's Rust code compiled to WASM by the package `tiktoken`: what counts are compared with. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Tiktoken } from 'tiktoken/lite';
import type { Encoding } from '../../../../src/planner/tokenizer/encoding.ts';

const require = createRequire(import.meta.url);

interface EncodingFile {
  readonly pat_str: string;
  readonly special_tokens: Record<string, number>;
  readonly bpe_ranks: string;
}

function encodingFile(encoding: Encoding): EncodingFile {
  return JSON.parse(
    readFileSync(require.resolve(`tiktoken/encoders/${encoding}.json`), 'utf8'),
  ) as EncodingFile;
}

/** Tokens of a text with special tokens as plain text. It takes minutes for long texts without a break. */
export function createOracle(encoding: Encoding): (text: string) => number {
  const { bpe_ranks: ranks, special_tokens: special, pat_str: pattern } = encodingFile(encoding);
  const tiktoken = new Tiktoken(ranks, special, pattern);
  return (text) => tiktoken.encode_ordinary(text).length;
}

/** Which characters of a text a pattern of the engine's matches, as bytes of UTF-8. */
export function createPatternOracle(pattern: string): (text: string) => number {
  const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64'));
  const tiktoken = new Tiktoken(`! 0 ${bytes.join(' ')}`, {}, pattern);
  return (text) => tiktoken.encode_ordinary(text).length;
}

/** Tokens by rank, each unit of a string one byte. */
export function tokensOf(encoding: Encoding): readonly string[] {
  return encodingFile(encoding)
    .bpe_ranks.split('\n')
    .flatMap((line) => line.split(' ').slice(2))
    .map((base64) => Buffer.from(base64, 'base64').toString('latin1'));
}

/** The names of models of both encodings, from the package's own list. */
export function modelsOfTiktoken(): ReadonlyMap<string, string> {
  const file = readFileSync(require.resolve('tiktoken/model_to_encoding.json'), 'utf8');
  return new Map(Object.entries(JSON.parse(file) as Record<string, string>));
}

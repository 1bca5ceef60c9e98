/** The contestants of the token benchmark, each loaded on its own and asked for plain counts (o200k_base). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const libraryNames = [
  'loopscope',
  'gpt-tokenizer',
  'ai-tokenizer',
  'tiktoken',
  'js-tiktoken',
] as const;
export type LibraryName = (typeof libraryNames)[number];
/** Our older encoding has a load of its own to show. */
export type Contestant = LibraryName | 'loopscope cl100k_base';

/** Exact versions, so that tables of different days compare. */
export const peerVersions = {
  'gpt-tokenizer': '4.0.0',
  'ai-tokenizer': '1.0.6',
  tiktoken: '1.0.22',
  'js-tiktoken': '1.0.21',
};

type Count = (text: string) => number;

export async function loadLibrary(name: Contestant): Promise<Count> {
  switch (name) {
    case 'loopscope':
      return (await import('../../src/planner/tokens.ts')).createTokenCounter();
    case 'loopscope cl100k_base':
      return (await import('../../src/planner/tokens.ts')).createTokenCounter('cl100k_base');
    case 'gpt-tokenizer':
      return loadGptTokenizer();
    case 'ai-tokenizer':
      return loadAiTokenizer();
    case 'tiktoken':
      return loadTiktoken();
    case 'js-tiktoken':
      return loadJsTiktoken();
  }
}

/** Peers are no dependencies of ours, so their types are written down here as far as they are used. */
async function peer<Exports>(specifier: string): Promise<Exports> {
  return (await import(specifier)) as Exports;
}

async function loadGptTokenizer(): Promise<Count> {
  interface Exports {
    readonly countTokens: (text: string, options: { disallowedSpecial: ReadonlySet<string> }) => number;
  }
  const { countTokens } = await peer<Exports>('gpt-tokenizer/encoding/o200k_base');
  const plainText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, plainText);
}

async function loadAiTokenizer(): Promise<Count> {
  interface Exports {
    readonly Tokenizer: new (encoding: object) => {
      encode(text: string, allowed: [], disallowed: []): number[];
    };
  }
  const { Tokenizer } = await peer<Exports>('ai-tokenizer');
  const tokenizer = new Tokenizer(await peer<object>('ai-tokenizer/encoding/o200k_base'));
  return (text) => tokenizer.encode(text, [], []).length;
}

async function loadTiktoken(): Promise<Count> {
  interface Exports {
    readonly Tiktoken: new (
      ranks: string,
      special: object,
      pattern: string,
    ) => { encode_ordinary(text: string): { readonly length: number } };
  }
  interface EncodingFile {
    readonly bpe_ranks: string;
    readonly special_tokens: object;
    readonly pat_str: string;
  }
  const { Tiktoken } = await peer<Exports>('tiktoken/lite');
  const file = createRequire(import.meta.url).resolve('tiktoken/encoders/o200k_base.json');
  const encoding = JSON.parse(readFileSync(file, 'utf8')) as EncodingFile;
  const tokenizer = new Tiktoken(encoding.bpe_ranks, encoding.special_tokens, encoding.pat_str);
  return (text) => tokenizer.encode_ordinary(text).length;
}

async function loadJsTiktoken(): Promise<Count> {
  interface Exports {
    readonly Tiktoken: new (encoding: object) => {
      encode(text: string, allowed: [], disallowed: []): number[];
    };
  }
  const { Tiktoken } = await peer<Exports>('js-tiktoken/lite');
  const { default: encoding } = await peer<{ default: object }>('js-tiktoken/ranks/o200k_base');
  const tokenizer = new Tiktoken(encoding);
  return (text) => tokenizer.encode(text, [], []).length;
}

/**
 * The encodings that are counted exactly, and which one a model uses: by its name, since no server tells.
 * https://github.com/openai/tiktoken/blob/main/tiktoken/model.py
 */

export type Encoding = 'o200k_base' | 'cl100k_base';

/** GPT-3.5, GPT-4 (but not 4o, 4.1, 4.5) and older ones, also behind a provider's name or as `ft:…` (fine-tuned). */
const usesCl100k = /(^|[/:])(gpt-4(?![\w.])|gpt-3\.5|gpt-35|text-embedding-|davinci-002|babbage-002)/i;

/**
 * What a model of OpenAI's is counted with. Models of others have vocabularies of their own; they get the newer
 * one, as the nearer guess. Source: https://github.com/openai/tiktoken/blob/main/tiktoken/model.py
 */
export function encodingFor(model: string): Encoding {
  return usesCl100k.test(model) ? 'cl100k_base' : 'o200k_base';
}

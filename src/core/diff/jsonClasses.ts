/**
 * Equal JSON values, equal number, whatever the order of their keys or the escapes in their strings: each value
 * is named by the numbers of the values in it, so a whole tree is numbered in one pass (hash consing).
 * https://en.wikipedia.org/wiki/Hash_consing
 */
import type { JsonNode } from './jsonText.ts';

export interface JsonClasses {
  /** One more than the highest number given out. */
  readonly count: number;
  /** The number of a value in this text. */
  numberOf(text: string, node: JsonNode): number;
}

export function createJsonClasses(): JsonClasses {
  const numbers = new Map<string, number>();
  const known = new Map<JsonNode, number>();
  const numberOf = (text: string, node: JsonNode): number => {
    const seen = known.get(node);
    if (seen !== undefined) return seen;
    const name = nameOf(text, node, numberOf);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    known.set(node, number);
    return number;
  };
  return {
    get count() {
      return numbers.size;
    },
    numberOf,
  };
}

function nameOf(text: string, node: JsonNode, numberOf: (text: string, node: JsonNode) => number): string {
  switch (node.kind) {
    case 'object': {
      const members = node.members.map(({ key, value }) => `${JSON.stringify(key)}:${numberOf(text, value)}`);
      return `{${members.sort().join()}}`;
    }
    case 'array':
      return `[${node.items.map((item) => numberOf(text, item)).join()}]`;
    case 'string':
    case 'number':
    case 'literal':
      return scalarName(text.slice(node.start, node.end), node.kind);
  }
}

/** Digits that a double surely keeps: longer numbers are told apart as they are written. */
const sureDigits = 15;

/** What a scalar means, as text: `1.0` is `1`, an escaped letter is that letter. */
export function scalarName(raw: string, kind: 'string' | 'number' | 'literal'): string {
  if (kind === 'string') return raw.includes('\\') ? JSON.stringify(JSON.parse(raw)) : raw;
  if (kind === 'literal' || raw.replace(/\D/g, '').length > sureDigits) return raw;
  // Too large, too small, minus zero: JSON.parse would make different numbers one.
  const value = Number(raw);
  return Number.isFinite(value) && value !== 0 ? String(value) : raw;
}

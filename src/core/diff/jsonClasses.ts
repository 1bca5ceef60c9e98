/**
 * Equal JSON values, equal number, whatever the order of their keys or the escapes in their strings: each value
 * is named by the numbers of the values in it, so a whole tree is numbered in one pass (hash consing).
 * https://en.wikipedia.org/wiki/Hash_consing
 */
import type { JsonNode, JsonObject } from './jsonText.ts';

export interface JsonClasses {
  /** One more than the highest number given out. */
  readonly count: number;
  /** The number of a value in this text. */
  numberOf(text: string, node: JsonNode): number;
}

export function createJsonClasses(): JsonClasses {
  const numbers = new Map<string, number>();
  const keys = new Map<string, number>();
  const known = new Map<JsonNode, number>();
  const keyNumber = (key: string) => numberIn(keys, key);
  const numberOf = (text: string, node: JsonNode): number => {
    const seen = known.get(node);
    if (seen !== undefined) return seen;
    const number = numberIn(numbers, nameOf(text, node, numberOf, keyNumber));
    // Scalars are named again in less time than they are remembered.
    if (node.kind === 'object' || node.kind === 'array') known.set(node, number);
    return number;
  };
  return {
    get count() {
      return numbers.size;
    },
    numberOf,
  };
}

function numberIn(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}

type NumberOf = (text: string, node: JsonNode) => number;

function nameOf(
  text: string,
  node: JsonNode,
  numberOf: NumberOf,
  keyNumber: (key: string) => number,
): string {
  switch (node.kind) {
    case 'object':
      return objectName(text, node, numberOf, keyNumber);
    case 'array': {
      let name = '[';
      for (const item of node.items) name += `${numberOf(text, item)},`;
      return name;
    }
    case 'string':
    case 'number':
    case 'literal':
      return scalarName(text.slice(node.start, node.end), node.kind);
  }
}

/** Members in the order of their keys' numbers: in rows of one making they stand so already. */
function objectName(
  text: string,
  { members }: JsonObject,
  numberOf: NumberOf,
  keyNumber: (key: string) => number,
): string {
  const keys = members.map(({ key }) => keyNumber(key));
  const isSorted = keys.every((key, index) => index === 0 || keys[index - 1]! < key);
  const order = isSorted ? undefined : [...keys.keys()].sort((a, b) => keys[a]! - keys[b]!);
  let name = '{';
  for (let index = 0; index < members.length; index++) {
    const place = order ? order[index]! : index;
    name += `${keys[place]}:${numberOf(text, members[place]!.value)},`;
  }
  return name;
}

/** Digits that a double surely keeps: longer numbers are told apart as they are written. */
const sureDigits = 15;

/** What a scalar means, as text: `1.0` is `1`, an escaped letter is that letter. */
export function scalarName(raw: string, kind: 'string' | 'number' | 'literal'): string {
  if (kind === 'string') return raw.includes('\\') ? JSON.stringify(JSON.parse(raw)) : raw;
  if (kind === 'literal' || isPlainInteger(raw)) return raw;
  if (raw.length > sureDigits && raw.replace(/\D/g, '').length > sureDigits) return raw;
  // Too large, too small, minus zero: JSON.parse would make different numbers one.
  const value = Number(raw);
  return Number.isFinite(value) && value !== 0 ? String(value) : raw;
}

/** Nearly all numbers, told without a pattern: as `String` would write them. */
function isPlainInteger(raw: string): boolean {
  const first = raw.charCodeAt(0);
  if (raw.length > sureDigits || first < 0x31 || first > 0x39) return false;
  for (let at = 1; at < raw.length; at++)
    if (raw.charCodeAt(at) < 0x30 || raw.charCodeAt(at) > 0x39) return false;
  return true;
}

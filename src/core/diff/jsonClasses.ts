/**
 * Equal JSON values, equal number, whatever the order of their keys or the escapes in their strings. A container is
 * named by the numbers of what is in it, so values are numbered from the inside out and each is looked at once (hash
 * consing). https://en.wikipedia.org/wiki/Hash_consing
 */
import { createNumberedLists } from './numberedLists.ts';

export interface JsonClasses {
  /** One more than the highest number of a value, and of a key. */
  readonly count: number;
  readonly keyCount: number;
  /** `raw` is the text of the value. */
  ofScalar(kind: 'string' | 'number' | 'literal', raw: string): number;
  /** By the parts' numbers, and of an object by their keys; -1 for an object that has a key twice. */
  ofContainer(kind: 'object' | 'array', parts: readonly Part[]): number;
  /** The number of a key by what stands between its quotes. */
  ofKey(written: string): number;
}

interface Part {
  readonly key: number;
  readonly valueNumber: number;
}

/** A member as one integer, so that they sort by key: numbers of values are below this. */
const keyFactor = 2 ** 26;

export function createJsonClasses(): JsonClasses {
  const scalars = new Map<string, number>();
  const keys = new Map<string, number>();
  const containers = createNumberedLists();
  let count = 0;
  /** The list that names a container: its kind, then its parts. */
  let name = new Float64Array(64);
  return {
    get count() {
      return count;
    },
    get keyCount() {
      return keys.size;
    },
    ofScalar(kind, raw) {
      const scalar = scalarName(raw, kind);
      const known = scalars.get(scalar);
      if (known !== undefined) return known;
      scalars.set(scalar, count);
      return count++;
    },
    ofContainer(kind, parts) {
      const length = parts.length + 1;
      if (length > name.length) name = new Float64Array(2 * length);
      name[0] = kind === 'object' ? 1 : 0;
      for (let index = 0; index < parts.length; index++) {
        const { key, valueNumber } = parts[index]!;
        name[index + 1] = kind === 'object' ? key * keyFactor + valueNumber : valueNumber;
      }
      if (kind === 'object' && !sortMembers(name, length)) return -1;
      const number = containers.numberOf(name, length, count);
      if (number === count) count++;
      return number;
    },
    ofKey(written) {
      const key = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
      const known = keys.get(key);
      if (known !== undefined) return known;
      keys.set(key, keys.size);
      return keys.size - 1;
    },
  };
}

/** Sorts the members in a name by their keys, as in rows of one making they stand already; false when a key is there twice. */
function sortMembers(name: Float64Array, length: number): boolean {
  if (isInOrder(name, length)) return true;
  name.subarray(1, length).sort();
  return isInOrder(name, length);
}

function isInOrder(name: Float64Array, length: number): boolean {
  for (let index = 2; index < length; index++)
    if (Math.floor(name[index]! / keyFactor) <= Math.floor(name[index - 1]! / keyFactor)) return false;
  return true;
}

/** Digits that a double surely keeps: longer numbers are told apart as they are written. */
const sureDigits = 15;

/** What a scalar means, as text: `1.0` is `1`, an escaped letter is that letter. */
function scalarName(raw: string, kind: 'string' | 'number' | 'literal'): string {
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

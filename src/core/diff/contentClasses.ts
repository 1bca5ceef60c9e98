/**
 * Equal content, equal number, for values that came from JSON. A fingerprint of a few samples of each value
 * finds the candidates, and a real comparison decides; where too many candidates share a fingerprint (results
 * that differ in one digit), a hash of the whole content takes over. So a list of messages is numbered in time
 * linear in its size, and nearly without reading it when the messages are long.
 * https://en.wikipedia.org/wiki/Hash_table#Separate_chaining
 */
import { createHashChains, full, none } from './hashChains.ts';

export interface ContentClasses {
  /** One more than the highest number given out. */
  readonly count: number;
  /** The number of a value, a new one where no value like it was numbered. */
  numberOf(value: unknown): number;
  /** The number of a value if one like it was numbered, or -1. */
  find(value: unknown): number;
}

export function createContentClasses(): ContentClasses {
  const known: unknown[] = [];
  const [samples, wholes] = [createHashChains(), createHashChains()];
  /** What is looked up, where `isValue` finds it: a closure for each value would cost more than the look. */
  let value: unknown;
  const isValue = (number: number) => isSameContent(known[number], value);
  const lookUp = (asked: unknown, isNumbered: boolean): number => {
    value = asked;
    const sample = sampleOf(value);
    const found = samples.find(sample, isValue);
    if (found >= 0 || (found === none && !isNumbered)) return found;
    const whole = found === full ? fingerprint(value, Infinity, 0) : 0;
    const again = found === full ? wholes.find(whole, isValue) : none;
    if (again >= 0) return again;
    if (!isNumbered) return none;
    if (found === full) wholes.add(whole, known.length);
    else samples.add(sample, known.length);
    return known.push(value) - 1;
  };
  return {
    get count() {
      return known.length;
    },
    numberOf: (value) => lookUp(value, true),
    find: (value) => lookUp(value, false),
  };
}

/** Units of a text, and elements of a list, that a fingerprint looks at. */
const fewSamples = 8;
/** Deeper values are not looked into: they are the same only when they are the very same. */
const maxDepth = 64;

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Units of a content that tell most messages apart; of two with less, the other fields have to be asked. */
const tellingContent = 16;

/** Most values are chat messages: the text of one is read without the names and calls around it. */
function sampleOf(value: unknown): number {
  const content = (value as { readonly content?: unknown } | null | undefined)?.content;
  if (typeof content !== 'string' || content.length < tellingContent)
    return fingerprint(value, fewSamples, 0);
  return textFingerprint(content, fewSamples) & 0x3fff_ffff;
}

/** 30 bits, which V8 keeps without an object for each. */
function fingerprint(value: unknown, most: number, depth: number): number {
  return rawFingerprint(value, most, depth) & 0x3fff_ffff;
}

function rawFingerprint(value: unknown, most: number, depth: number): number {
  switch (typeof value) {
    case 'string':
      return textFingerprint(value, most);
    case 'number':
      return mix(3, value | 0) ^ mix(5, (value * 4096) | 0);
    case 'boolean':
      return value ? 7 : 11;
    case 'object':
      if (value === null || depth > maxDepth) return 13;
      return Array.isArray(value)
        ? listFingerprint(value, most, depth)
        : recordFingerprint(value as Record<string, unknown>, most, depth);
    default:
      return 17;
  }
}

function textFingerprint(text: string, most: number): number {
  const { length } = text;
  let hash = mix(19, length);
  if (length === 0) return hash;
  const stride = Math.max(1, (length / most) | 0);
  for (let at = 0; at < length; at += stride) hash = mix(hash, text.charCodeAt(at));
  // What differs often differs at the end.
  return mix(mix(hash, text.charCodeAt(length - 1)), text.charCodeAt(length >> 1));
}

function listFingerprint(list: readonly unknown[], most: number, depth: number): number {
  let hash = mix(23, list.length);
  for (let index = 0; index < list.length && index < most; index++) {
    hash = mix(hash, rawFingerprint(list[index], most, depth + 1));
  }
  return hash;
}

/** A sum over the members: their order does not matter. */
function recordFingerprint(record: Record<string, unknown>, most: number, depth: number): number {
  let sum = 29;
  for (const key in record) {
    const name = mix(key.length, key.charCodeAt(0));
    sum = (sum + mix(name, rawFingerprint(record[key], most, depth + 1))) | 0;
  }
  return sum;
}

/** Whether two values from JSON are equal, whatever the order of their keys; `-0` is not `0`. */
export function isSameContent(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return a !== 0 || Object.is(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > maxDepth)
    return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && isSameList(a, b, depth);
  }
  return isSameRecord(a as Record<string, unknown>, b as Record<string, unknown>, depth);
}

function isSameList(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++)
    if (!isSameContent(a[index], b[index], depth + 1)) return false;
  return true;
}

function isSameRecord(a: Record<string, unknown>, b: Record<string, unknown>, depth: number): boolean {
  let extra = 0;
  for (const key in a) {
    const other = b[key];
    // Inherited from the prototype, or undefined for want of the key: rare, and then looked at closely.
    if (a[key] !== other || typeof other !== 'string') {
      if (!Object.hasOwn(b, key) || !isSameContent(a[key], other, depth + 1)) return false;
    }
    extra++;
  }
  for (const _ in b) extra--;
  return extra === 0;
}

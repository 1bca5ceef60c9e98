/**
 * Equal content, equal number, for values that came from JSON. A fingerprint of a few samples of each value
 * finds the candidates, and a real comparison decides; where too many candidates share a fingerprint (results
 * that differ in one digit), a hash of the whole content takes over. So a list of messages is numbered in time
 * linear in its size, and nearly without reading it when the messages are long.
 */
export interface ContentClasses {
  /** One more than the highest number given out. */
  readonly count: number;
  numberOf(value: unknown): number;
}

/** Candidates compared for one fingerprint, and for one hash: beyond, made to collide, equal values get two numbers. */
const mostCandidates = 8;

export function createContentClasses(): ContentClasses {
  const known: unknown[] = [];
  const samples = createChains();
  const wholes = createChains();
  const find = (chains: Chains, hash: number, value: unknown): number => {
    let left = mostCandidates;
    let number = chains.first(hash);
    while (number >= 0 && !isSameContent(known[number], value))
      number = --left > 0 ? chains.next(number) : full;
    return number;
  };
  return {
    get count() {
      return known.length;
    },
    numberOf(value) {
      const sample = fingerprint(value, fewSamples, 0);
      let found = find(samples, sample, value);
      if (found >= 0) return found;
      const number = known.length;
      if (found !== full) samples.add(sample, number);
      else {
        const whole = fingerprint(value, Infinity, 0);
        found = find(wholes, whole, value);
        if (found >= 0) return found;
        wholes.add(whole, number);
      }
      known.push(value);
      return number;
    },
  };
}

const none = -1;
/** As many candidates as are compared, and none of them was it. */
const full = -2;

/** Numbers by hash: one map and one array, where lists of numbers would be ten thousand small arrays. */
interface Chains {
  first(hash: number): number;
  next(number: number): number;
  add(hash: number, number: number): void;
}

function createChains(): Chains {
  const heads = new Map<number, number>();
  const behind: number[] = [];
  return {
    first: (hash) => heads.get(hash) ?? none,
    next: (number) => behind[number] ?? none,
    add(hash, number) {
      behind[number] = heads.get(hash) ?? none;
      heads.set(hash, number);
    },
  };
}

/** Units of a text, and elements of a list, that a fingerprint looks at. */
const fewSamples = 12;
/** Deeper values are not looked into: they are the same only when they are the very same. */
const maxDepth = 64;

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function fingerprint(value: unknown, most: number, depth: number): number {
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
    hash = mix(hash, fingerprint(list[index], most, depth + 1));
  }
  return hash;
}

/** A sum over the members: their order does not matter. */
function recordFingerprint(record: Record<string, unknown>, most: number, depth: number): number {
  let sum = 29;
  for (const key in record) {
    sum = (sum + mix(mix(key.length, key.charCodeAt(0)), fingerprint(record[key], most, depth + 1))) | 0;
  }
  return sum;
}

/** Whether two values from JSON are equal, whatever the order of their keys. */
export function isSameContent(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > maxDepth)
    return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSameContent(item, b[index], depth + 1));
  }
  return isSameRecord(a as Record<string, unknown>, b as Record<string, unknown>, depth);
}

function isSameRecord(a: Record<string, unknown>, b: Record<string, unknown>, depth: number): boolean {
  let extra = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !isSameContent(a[key], b[key], depth + 1)) return false;
    extra++;
  }
  for (const _ in b) extra--;
  return extra === 0;
}

/**
 * The one serialiser for values that tools, models and users hand over: it is total. Whatever it is given
 * (BigInt, cycles, functions, NaN, Map, Error, bytes, lone surrogates, getters that throw), it returns
 * JSON text that every JSON reader takes, and what JSON can't carry is said in words.
 */

/** JSON text of any value; never throws, never returns undefined, well-formed Unicode. */
export function serialise(value: unknown): string {
  return wellFormedJson(JSON.stringify(plain(value, [])) ?? 'null');
}

/**
 * JSON text without half surrogate pairs: each becomes U+FFFD, also where it is written as an escape
 * (`JSON.stringify` writes lone surrogates as `\ud800`, and strict servers refuse them).
 */
export function wellFormedJson(json: string): string {
  const whole = json.isWellFormed() ? json : json.toWellFormed();
  return whole.includes('\\u')
    ? whole.replace(loneEscape, (_, pairOrSlashes?: string) => pairOrSlashes ?? '\\ufffd')
    : whole;
}

/** Consumes escaped backslashes and proper pairs first, so that only real lone escapes are left to replace. */
const loneEscape =
  /(\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u[dD][89a-fA-F][\da-fA-F]{2}/g;

/** The same value in JSON's types. `path` holds the containers above, to find cycles. */
function plain(value: unknown, path: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return String(value);
    case 'undefined':
      return null;
    case 'function':
      return `[function ${value.name || 'anonymous'}]`;
    case 'symbol':
      return String(value);
    case 'object':
      return value === null ? null : container(value, path);
  }
}

const maxDepth = 64;

function container(value: object, path: readonly object[]): unknown {
  if (path.includes(value)) return '[circular]';
  if (path.length >= maxDepth) return '[too deep]';
  const inner = [...path, value];
  try {
    if (Array.isArray(value)) return value.map((item) => plain(item, inner));
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof Error) return { name: value.name, message: value.message };
    if (value instanceof Map) return [...value].map((entry) => plain(entry, inner));
    if (value instanceof Set) return [...value].map((item) => plain(item, inner));
    if (value instanceof RegExp) return String(value);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    return record(value, inner);
  } catch (error) {
    return `[unreadable: ${error instanceof Error ? error.message : String(error)}]`;
  }
}

function record(value: object, inner: readonly object[]): unknown {
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') return plain(toJson.call(value), inner);
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const field = property(value, key);
    // JSON leaves out undefined fields; so do we. defineProperty: a key named __proto__ is a key.
    if (field !== undefined) {
      Object.defineProperty(result, key, {
        value: plain(field, inner),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return result;
}

function property(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (error) {
    return `[unreadable: ${error instanceof Error ? error.message : String(error)}]`;
  }
}

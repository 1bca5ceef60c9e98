/**
 * The one serialiser for values that tools, models and users hand over: it is total. Whatever it is given
 * (BigInt, cycles, functions, NaN, Map, Error, bytes, lone surrogates, getters that throw), it returns
 * JSON text that every JSON reader takes, and what JSON can't carry is said in words.
 */

/** JSON text of any value; never throws, never returns undefined, well-formed Unicode. */
export function serialise(value: unknown): string {
  try {
    return wellFormedJson(JSON.stringify(plain(value, { path: [], budget: { left: maxValues } })) ?? 'null');
  } catch (error) {
    // Longer than a string can be, for example.
    return JSON.stringify(unreadable(error));
  }
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

/** Where it stands, and how much it may still write. */
interface Walk {
  /** The containers above, to find cycles. */
  readonly path: readonly object[];
  /** Values left, of the whole walk. */
  readonly budget: { left: number };
}

/** A small object can stand for billions of values (shared parts, sparse arrays): there is an end to it. */
const maxValues = 1_000_000;
const maxDepth = 64;

/** The same value in JSON's types. */
function plain(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'undefined':
      return null;
    case 'function':
    case 'object':
      return value === null ? null : container(value, walk);
  }
}

function container(value: object, walk: Walk): unknown {
  const { path } = walk;
  if (path.includes(value)) return '[circular]';
  if (path.length >= maxDepth) return '[too deep]';
  const inner = { ...walk, path: [...path, value] };
  try {
    return special(value, inner) ?? record(value, inner);
  } catch (error) {
    return unreadable(error);
  }
}

/** What is no plain record: in words, or as the list of what it holds. Undefined for all others. */
function special(value: object, walk: Walk): unknown {
  if (typeof value === 'function') return `[function ${value.name || 'anonymous'}]`;
  if (Array.isArray(value)) return list(value, walk);
  if (isPlain(value)) return undefined;
  if (value instanceof Error) return errorFields(value, walk);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  return ofKind(value, walk);
}

/** A record, of whichever realm: there is nothing behind its prototype. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** By what it calls itself: what comes from another realm is an instance of nothing here. */
function ofKind(value: object, walk: Walk): unknown {
  const kind = kindOf(value);
  switch (kind) {
    case 'Error':
      return errorFields(value as Error, walk);
    case 'Date':
      return Number.isNaN((value as Date).getTime()) ? 'Invalid Date' : (value as Date).toISOString();
    case 'RegExp':
      return (value as RegExp).toString();
    case 'Promise':
      return '[promise]';
    case 'Number':
    case 'String':
    case 'Boolean':
    case 'BigInt':
    case 'Symbol':
      return plain(value.valueOf(), walk);
    default:
      return lists.has(kind) && Symbol.iterator in value ? list(value as Iterable<unknown>, walk) : undefined;
  }
}

/** What can be gone through as often as one likes. A generator can not: what is read of it is gone. */
const lists: ReadonlySet<string> = new Set(['Map', 'Set', 'Headers', 'URLSearchParams', 'FormData']);

function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function list(values: Iterable<unknown>, walk: Walk): unknown[] {
  const result: unknown[] = [];
  for (const value of values) {
    if (walk.budget.left-- <= 0) {
      result.push('[too many values: the rest is left out]');
      break;
    }
    result.push(plain(value, walk));
  }
  return result;
}

/** Name and message first, then what else it carries: cause, code, the errors of an aggregate. */
function errorFields(error: Error, walk: Walk): unknown {
  const { name, message, cause } = error;
  const { errors } = error as { errors?: unknown };
  const told = toJsonOf(error) ? record(error, walk) : fields(error, walk);
  return {
    name: plain(name, walk),
    message: plain(message, walk),
    ...(typeof told === 'object' ? told : {}),
    ...(cause === undefined ? {} : { cause: plain(cause, walk) }),
    ...(errors === undefined ? {} : { errors: plain(errors, walk) }),
  };
}

function record(value: object, walk: Walk): unknown {
  const toJson = toJsonOf(value);
  if (toJson) return plain(toJson.call(value), walk);
  const kept = fields(value, walk);
  // An object that keeps what it has to itself is no empty one.
  return Object.keys(kept).length > 0 || isPlain(value) ? kept : `[${nameOf(value)}]`;
}

function toJsonOf(value: object): (() => unknown) | undefined {
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON as () => unknown) : undefined;
}

function nameOf(value: object): string {
  const { constructor } = value as { constructor?: { name?: unknown } | null };
  const name = constructor?.name;
  return typeof name === 'string' && name !== '' ? name : kindOf(value);
}

function fields(value: object, walk: Walk): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (walk.budget.left-- <= 0) {
      result['…'] = '[too many values: the rest is left out]';
      break;
    }
    const field = property(value, key);
    // JSON leaves out undefined fields; so do we. defineProperty: a key named __proto__ is a key.
    if (field !== undefined) {
      Object.defineProperty(result, key, {
        value: plain(field, walk),
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
    return unreadable(error);
  }
}

/** What was thrown may be hostile too. */
function unreadable(error: unknown): string {
  try {
    return `[unreadable: ${String(error instanceof Error ? error.message : error)}]`;
  } catch {
    return '[unreadable]';
  }
}

import { isRecord } from './parseMessage.ts';

/** The value at `a/0/b` inside a JSON value; undefined when there is none. Keys are as they stand (no escapes). */
export function atPointer(value: unknown, path: string): unknown {
  let at = value;
  for (const key of path === '' ? [] : path.split('/')) {
    if (!hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** A copy with another value at that path; everything off the path is shared. Only places that exist are set. */
export function setAtPointer(
  value: unknown,
  path: string,
  leaf: unknown,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  if (path === '') return { ok: true, value: leaf };
  const slash = path.indexOf('/');
  const key = slash < 0 ? path : path.slice(0, slash);
  if (!hasOwn(value, key)) return { ok: false };
  const inner = setAtPointer(
    (value as Record<string, unknown>)[key],
    slash < 0 ? '' : path.slice(slash + 1),
    leaf,
  );
  if (!inner.ok) return inner;
  if (Array.isArray(value)) return { ok: true, value: value.with(Number(key), inner.value) };
  return { ok: true, value: { ...(value as Record<string, unknown>), [key]: inner.value } };
}

function hasOwn(value: unknown, key: string): boolean {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(key) && Number(key) < value.length;
  return isRecord(value) && Object.hasOwn(value, key);
}

/** `m3/tool_calls/0` → `['m3', 'tool_calls/0']`. */
export function splitTarget(target: string): [root: string, path: string] {
  const slash = target.indexOf('/');
  return slash < 0 ? [target, ''] : [target.slice(0, slash), target.slice(slash + 1)];
}

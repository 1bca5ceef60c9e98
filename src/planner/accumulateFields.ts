import { isRecord } from '../core/parseMessage.ts';

/**
 * Fields that the API does not define (reasoning, signatures): kept, because their provider wants them back
 * with the message. Streamed text grows, objects take the newer fields, other values are replaced; null says nothing.
 * Lists grow too; an item with the index of one that is there goes on with it, as the API streams its own lists.
 */
export interface Fields {
  add(name: string, value: unknown): void;
  /** In order of arrival. */
  all(): Record<string, unknown>;
}

/** Of a list item that is streamed in pieces, what grows; anything else (`type`, `format`, `signature`) is said as a whole. */
const growing: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'content', 'thinking', 'reasoning']);

export function createFields(): Fields {
  const fields = new Map<string, unknown>();
  return {
    add(name, value) {
      if (value !== null && value !== undefined) fields.set(name, joined(fields.get(name), value));
    },
    // fromEntries defines properties: a field named __proto__ stays a field.
    all: () => Object.fromEntries(fields),
  };
}

function joined(held: unknown, next: unknown): unknown {
  if (typeof held === 'string' && typeof next === 'string') return held + next;
  if (Array.isArray(next))
    return joinedLists(Array.isArray(held) ? (held as unknown[]) : [], next as unknown[]);
  if (isRecord(held) && isRecord(next)) {
    return Object.fromEntries([...Object.entries(held), ...Object.entries(next)]);
  }
  return next;
}

function joinedLists(held: readonly unknown[], next: readonly unknown[]): unknown[] {
  const all = [...held];
  for (const item of next) {
    const at = all.findLastIndex((one) => goesOn(one, item));
    if (at < 0) all.push(item);
    else all[at] = joinedItem(all[at] as Record<string, unknown>, item as Record<string, unknown>);
  }
  return all;
}

function goesOn(held: unknown, next: unknown): boolean {
  if (!isRecord(held) || !isRecord(next) || !Number.isInteger(next['index'])) return false;
  return held['index'] === next['index'] && (held['type'] ?? next['type']) === (next['type'] ?? held['type']);
}

function joinedItem(
  held: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = new Map(Object.entries(held));
  for (const [name, value] of Object.entries(next)) {
    if (value === null) continue;
    fields.set(name, growing.has(name) ? joined(fields.get(name), value) : value);
  }
  return Object.fromEntries(fields);
}

import { isRecord } from '../core/parseMessage.ts';

/**
 * Fields that the API does not define (reasoning, signatures): kept, because their provider wants them back
 * with the message. Streamed text and lists grow, objects take the newer fields, other values are replaced;
 * null says nothing.
 */
export interface Fields {
  add(name: string, value: unknown): void;
  /** In order of arrival. */
  all(): Record<string, unknown>;
}

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
  if (Array.isArray(held) && Array.isArray(next)) return [...(held as unknown[]), ...(next as unknown[])];
  if (isRecord(held) && isRecord(next)) {
    return Object.fromEntries([...Object.entries(held), ...Object.entries(next)]);
  }
  return next;
}

import { isDeeper } from './isDeeper.ts';
import type { WireMessage } from './messages.ts';

/** The message that a text holds, or undefined when it is not a JSON object with a role. */
export function parseMessage(text: string): WireMessage | undefined {
  const value = parseJson(text);
  return isRecord(value) && typeof value['role'] === 'string' ? (value as WireMessage) : undefined;
}

/** Deeper values would overflow the stack of whoever walks them, `JSON.stringify` included. */
const maxDepth = 500;

/** JSON.parse that answers undefined instead of throwing; also for what is nested deeper than any message is. */
export function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return text.length > 2 * maxDepth && isDeeper(value, maxDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { WireMessage } from './messages.ts';

/** The message that a text holds, or undefined when it is not a JSON object with a role. */
export function parseMessage(text: string): WireMessage | undefined {
  const value = parseJson(text);
  return isRecord(value) && typeof value['role'] === 'string' ? (value as WireMessage) : undefined;
}

/** JSON.parse that answers undefined instead of throwing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

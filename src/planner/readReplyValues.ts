import { isRecord, parseJson } from '../core/parseMessage.ts';

/** `[DONE]` among the values of an event. */
export const endMark = Symbol('[DONE]');

/**
 * The values that an event holds: usually one. Servers that leave out the blank line between chunks make one
 * event of several, a value a line. Undefined when it can't be read.
 */
export function eventValues(data: string): unknown[] | undefined {
  const whole = lineValue(data);
  if (whole !== undefined) return [whole];
  const lines = data.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const values = lines.map(lineValue);
  return values.includes(undefined) ? undefined : values;
}

function lineValue(text: string): unknown {
  return text.trim() === '[DONE]' ? endMark : parseJson(text);
}

/** The error that a chunk or a document reports instead of, or beside, choices; undefined when it reports none. */
export function reportedError(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { error, object, type, detail, choices } = value;
  if (typeof error === 'string' ? error !== '' : isRecord(error)) return error;
  if (object === 'error' || type === 'error') return value;
  if (choices === undefined && (typeof detail === 'string' || Array.isArray(detail))) return value;
  return undefined;
}

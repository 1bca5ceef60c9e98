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
  return /^\s*\[done\]\s*$/i.test(text) ? endMark : lenientJson(text);
}

/** JSON as Python writes it too: `NaN` and `Infinity` are no JSON, and say nothing that a reply needs. */
export function lenientJson(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined || !/\b(?:NaN|Infinity)\b/.test(text)) return value;
  return parseJson(text.replace(notJson, (found) => (found.startsWith('"') ? found : 'null')));
}

/** Texts are taken first, so that what stands in them is left alone. */
const notJson = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** The error that a chunk or a document reports instead of, or beside, choices; undefined when it reports none. */
export function reportedError(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { error, object, type, detail, choices } = value;
  if (typeof error === 'string' ? error !== '' : isRecord(error)) return error;
  if (object === 'error' || type === 'error') return value;
  if (choices === undefined && (typeof detail === 'string' || Array.isArray(detail))) return value;
  return choices === undefined ? undisguised(value) : errorOfChoice(choices);
}

/** One that looks like no error: `{"code": 503, "msg": …}`, `{"success": false, …}`. */
function undisguised(value: Record<string, unknown>): unknown {
  const { success, code, status, status_code } = value;
  const isBad = [code, status, status_code].some((one) => Number(one) >= 400 && Number(one) < 600);
  return success === false || (isBad && hasErrorWords(value)) ? value : undefined;
}

/** Gateways put the error of the provider behind them into the choice that it ends. */
function errorOfChoice(choices: unknown): unknown {
  const [first] = Array.isArray(choices) ? (choices as unknown[]) : [];
  return isRecord(first) && isRecord(first['error']) ? first['error'] : undefined;
}

/** Whether an object without choices says in words what is wrong. */
export function hasErrorWords({ message, msg, errors }: Readonly<Record<string, unknown>>): boolean {
  return [message, msg].some((text) => typeof text === 'string' && text !== '') || Array.isArray(errors);
}

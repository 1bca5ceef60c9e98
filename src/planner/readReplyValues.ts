import { isRecord, parseJson } from '../core/parseMessage.ts';
import { isExplained } from './classifyText.ts';
import type { Notes } from './readReplyNotes.ts';

/** `[DONE]` among the values of an event. */
export const endMark = Symbol('[DONE]');

/**
 * The values that an event holds: usually one. Servers that leave out the blank line between chunks make one
 * event of several, a value a line. Undefined when it can't be read.
 */
export function eventValues(data: string, notes: Notes): unknown[] | undefined {
  const lineValue = (line: string) => valueOf(line, notes);
  const whole = lineValue(data);
  if (whole !== undefined) return [whole];
  const lines = data.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const values = lines.map(lineValue);
  return values.includes(undefined) ? undefined : values;
}

/** One line; also where a proxy has written `data:` before what had it already. */
function valueOf(line: string, notes: Notes): unknown {
  const text = line.replace(/^(?:\s*data:)+/, '');
  return /^\s*"?\[done\]"?\s*$/i.test(text) ? endMark : lenientJson(text, notes);
}

/** JSON as Python writes it too: `NaN` and `Infinity` are no JSON, and say nothing that a reply needs. */
export function lenientJson(text: string, notes: Notes): unknown {
  const value = parseJson(text);
  if (value !== undefined || !/\b(?:NaN|Infinity)\b/.test(text)) return value;
  const read = parseJson(text.replace(notJson, (found) => (found.startsWith('"') ? found : 'null')));
  if (read !== undefined)
    notes.add('not-json', 'NaN or Infinity stood in the reply, which JSON has not: null is meant');
  return read;
}

/** Texts are taken first, so that what stands in them is left alone. */
const notJson = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** The error that a chunk or a document reports instead of, or beside, choices; undefined when it reports none. */
export function reportedError(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { error, object, type, detail, x_groq: groq } = value;
  const choices = choicesOf(value);
  const said = [error, isRecord(groq) ? groq['error'] : undefined].map(saidIn).find(Boolean);
  if (said !== undefined) return said;
  if (object === 'error' || type === 'error') return value;
  if ((error === true || typeof error === 'number') && hasErrorWords(value)) return value;
  if (choices === undefined && (typeof detail === 'string' || Array.isArray(detail))) return value;
  return choices === undefined ? undisguised(value) : errorOfChoice(choices);
}

/** An error that says something: gateways also send the fields of one with nothing in them, beside a reply. */
function saidIn(error: unknown): unknown {
  if (Array.isArray(error)) return error.map(saidIn).find(Boolean);
  if (typeof error === 'string') return error === '' ? undefined : error;
  return isRecord(error) && Object.values(error).some(Boolean) ? error : undefined;
}

/** One that looks like no error: `{"code": 503, "msg": …}`, `{"success": false, …}`, `{"base_resp": {"status_code": 1008, …}}`. */
function undisguised(value: Record<string, unknown>): unknown {
  const { success, code, status, status_code, base_resp: base } = value;
  if (isRecord(base) && Boolean(base['status_code'])) return base;
  const isBad = [code, status, status_code].some((one) => Number(one) >= 400 && Number(one) < 600);
  return success === false || (isBad && hasErrorWords(value)) ? value : undefined;
}

/** Gateways put the error of the provider behind them into the choice that it ends. */
function errorOfChoice(choices: unknown): unknown {
  const [first] = Array.isArray(choices) ? (choices as unknown[]) : [];
  return isRecord(first) ? saidIn(first['error']) : undefined;
}

/** Whether an object without choices says in words what is wrong. */
export function hasErrorWords(value: Readonly<Record<string, unknown>>): boolean {
  return choicesOf(value) === undefined && isExplained(value);
}

/** Undefined for no choices, however they are written. */
function choicesOf({ choices }: Readonly<Record<string, unknown>>): unknown {
  return choices === null || (Array.isArray(choices) && choices.length === 0) ? undefined : choices;
}

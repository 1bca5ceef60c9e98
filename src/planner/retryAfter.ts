import { isRecord } from '../core/parseMessage.ts';

/** Looks up a response header by its lower-case name. */
export type HeaderLookup = (name: string) => string | null | undefined;

/**
 * Milliseconds that a server asks us to wait: `retry-after-ms`, `retry-after` in seconds or as an HTTP date
 * (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after), and as servers write it beside the standard: with a
 * unit (`1m30s`), as an ISO date, as seconds of the epoch. Undefined when it does not say.
 */
export function retryAfterMs(header: HeaderLookup, now: number): number | undefined {
  const ms = positive(header('retry-after-ms'));
  if (ms !== undefined) return Math.round(ms);
  const text = header('retry-after') ?? '';
  const seconds = positive(text);
  return seconds === undefined ? (durationMs(text) ?? dateMs(text, now)) : secondsMs(seconds, now);
}

/** More seconds than anybody waits: a time of the clock, in seconds since 1970. */
const epoch = 1_000_000_000;

function secondsMs(seconds: number, now: number): number {
  return seconds > epoch ? Math.max(0, seconds * 1000 - now) : Math.round(seconds * 1000);
}

/** An HTTP date begins with the name of a day, an ISO date with the year; `Date.parse` alone takes almost anything. */
function dateMs(text: string, now: number): number | undefined {
  if (!/^\s*(?:[A-Za-z]{3}|\d{4}-\d\d-\d\dT)/.test(text)) return undefined;
  // The oldest form of an HTTP date names no zone, and is one of Greenwich all the same.
  const zoned = /^\s*[A-Za-z]{3} [A-Za-z]{3} [ \d]\d [\d:]{8} \d{4}\s*$/.test(text) ? `${text} GMT` : text;
  const date = Date.parse(zoned);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Fields of an error that tell the wait, in milliseconds of their unit; a time of the clock is told by its size. */
const waitFields: readonly (readonly [name: string, unit: number])[] = [
  ['retry_after_ms', 1],
  ...['retry_after', 'retryAfter', 'retry_after_seconds', 'resets_in_seconds', 'estimated_time'].map(
    (name) => [name, 1000] as const,
  ),
  ['resets_at', 1000],
];

/** What an error says of the wait in its body: a field that holds a duration, else its words. */
export function waitInBody(
  fields: Readonly<Record<string, unknown>>,
  message: string,
  now: number,
): number | undefined {
  const [told] = waitFields.flatMap(([name, unit]) => {
    const value = fields[name];
    const number = typeof value === 'number' && value > 0 ? value : positive(textIn(value));
    if (number === undefined) return durationMs(textIn(value) ?? '') ?? [];
    return unit === 1 ? Math.round(number) : secondsMs(number, now);
  });
  return told ?? durationMs(delayIn(fields) ?? '') ?? resetIn(fields, now) ?? waitInWords(message, now);
}

/** `google.rpc.RetryInfo` among the details. */
function delayIn({ details }: Readonly<Record<string, unknown>>): string | undefined {
  const list: readonly unknown[] = Array.isArray(details) ? details : [];
  return list.map((one) => (isRecord(one) ? textIn(one['retryDelay']) : undefined)).find(Boolean);
}

/** A gateway hands on the headers of the provider behind it in the body; the time is in milliseconds since 1970. */
function resetIn({ metadata }: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const headers = isRecord(metadata) ? metadata['headers'] : undefined;
  const reset = isRecord(headers) ? positive(textIn(headers['X-RateLimit-Reset'])) : undefined;
  return reset !== undefined && reset > epoch * 1000 ? Math.max(0, reset - now) : undefined;
}

function waitInWords(message: string, now: number): number | undefined {
  const { span, date } = said.exec(message)?.groups ?? {};
  return span === undefined ? dateMs(date ?? '', now) : durationMs(span);
}

const unit = '(?:milliseconds?|millis?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])';
const duration = `\\d+(?:\\.\\d+)?\\s*${unit}\\.?`;
const said = new RegExp(
  '\\b(?:try again|retry(?: your request)?|resets?|available(?: again)?|wait(?: for)?)\\b' +
    '(?: (?:in|after|at|until|about|approximately))*' +
    `\\s+(?:(?<span>${duration}(?:(?:\\s|,|and)*${duration})*)|(?<date>\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:?\\d\\d)?))`,
  'i',
);

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `37s`, `1m30s`, `250ms`, `2 minutes` in milliseconds; undefined for anything else. */
function durationMs(text: string): number | undefined {
  if (!new RegExp(`^\\s*${duration}(?:(?:\\s|,|and)*${duration})*\\s*$`, 'i').test(text)) return undefined;
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)];
  const ms = parts.reduce((sum, [, size, name = '']) => sum + Number(size) * msOf(name), 0);
  return Math.round(ms);
}

function msOf(name: string): number {
  return /^(?:ms|milli)/.test(name) ? 1 : unitMs[name.charAt(0) as keyof typeof unitMs];
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A number as headers write it; undefined for a negative one, for words, and for more than a number holds. */
function positive(text: string | null | undefined): number | undefined {
  const number = text && /^\s*\+?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(text) ? Number(text) : NaN;
  return Number.isNaN(number) ? undefined : Math.min(number, Number.MAX_SAFE_INTEGER);
}

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
  const text = header('retry-after');
  const seconds = positive(text);
  if (seconds !== undefined)
    return seconds > epoch ? Math.max(0, seconds * 1000 - now) : Math.round(seconds * 1000);
  const span = durationMs(text ?? '');
  if (span !== undefined) return span;
  // Date.parse takes almost anything; an HTTP date begins with the name of a day, an ISO date with the year.
  const date = text && /^\s*(?:[A-Za-z]{3}|\d{4}-\d\d-\d\dT)/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** More seconds than anybody waits: a time of the clock, in seconds since 1970. */
const epoch = 1_000_000_000;

/** What an error says of the wait in its body: a field that holds a duration, else its words. */
export function waitInBody(fields: Readonly<Record<string, unknown>>, message: string): number | undefined {
  const details: readonly unknown[] = Array.isArray(fields['details']) ? fields['details'] : [];
  const delays = details.map((one) => (isRecord(one) ? one['retryDelay'] : undefined));
  const delay = delays.find((one) => typeof one === 'string');
  const said = /\b(?:try again|retry) (?:in|after) (?<span>[\d.]+ ?(?:ms|milli|s|m|h)[\dhms.]*)/i.exec(
    message,
  );
  return durationMs(delay ?? said?.groups?.['span'] ?? '');
}

const units: Readonly<Record<string, number>> = { ms: 1, milli: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `37s`, `1m30s`, `250ms` in milliseconds; undefined for anything else. */
function durationMs(text: string): number | undefined {
  if (!/^\s*(?:\d+(?:\.\d+)? ?(?:ms|milli|s|m|h)\.?)+\s*$/i.test(text)) return undefined;
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?) ?(ms|milli|s|m|h)/g)];
  return Math.round(parts.reduce((sum, [, size, unit]) => sum + Number(size) * (units[unit ?? ''] ?? 0), 0));
}

function positive(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** Looks up a response header by its lower-case name. */
export type HeaderLookup = (name: string) => string | null | undefined;

/**
 * Milliseconds that a server asks us to wait: `retry-after-ms`, `retry-after` in seconds or as an HTTP date
 * (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after); undefined when it does not say.
 */
export function retryAfterMs(header: HeaderLookup, now: number): number | undefined {
  const ms = positive(header('retry-after-ms'));
  if (ms !== undefined) return Math.round(ms);
  const text = header('retry-after');
  const seconds = positive(text);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  // Date.parse takes almost anything; an HTTP date begins with the name of a day.
  const date = text && /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function positive(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

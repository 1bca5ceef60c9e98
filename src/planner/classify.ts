/**
 * One classifier for every refusal: HTTP errors and errors that a server reports inside a 200. Structured fields
 * first, then the table of patterns, then the status alone.
 */
import type { FailureClass } from '../core/events.ts';
import { cleanText, type ErrorText, readErrorText } from './classifyText.ts';
import { failurePatterns, type FailurePattern, tokenPatterns } from './failurePatterns.ts';
import { type HeaderLookup, retryAfterMs } from './retryAfter.ts';

export interface Refusal {
  /** HTTP status; undefined for an error inside a reply. */
  readonly status?: number;
  readonly headers?: HeaderLookup;
  readonly body: string;
  /** The URL asked, for the message. */
  readonly url: string;
  readonly keySent: boolean;
  /** Epoch milliseconds: `Retry-After` may be a date. */
  readonly now: number;
}

export interface Classified {
  readonly class: FailureClass;
  readonly status?: number;
  /** What the server said and what to do about it, for people. */
  readonly message: string;
  readonly retryable: boolean;
  /** Milliseconds that the server asks us to wait. */
  readonly retryAfter?: number;
  /** Of an overflow: tokens of the request and of the model, where the error tells them. */
  readonly tokens?: { readonly asked?: number; readonly limit?: number };
}

export function classify(refusal: Refusal): Classified {
  const said = readErrorText(refusal.body);
  const status = refusal.status ?? said.status;
  const row = failurePatterns.find((pattern) => matches(pattern, said, status ?? 0)) ?? byStatus(status);
  const wait = refusal.headers && retryAfterMs(refusal.headers, refusal.now);
  const tokens = row.class === 'overflow' ? tokensOf(said) : undefined;
  return {
    class: row.class,
    ...(status === undefined ? {} : { status }),
    message: [sentence(refusal, said, status), adviceFor(row, refusal, said)].filter(Boolean).join(' '),
    retryable: row.retryable,
    ...(wait === undefined ? {} : { retryAfter: wait }),
    ...(tokens ? { tokens } : {}),
  };
}

function matches({ codes, text, statuses }: FailurePattern, said: ErrorText, status: number): boolean {
  if (statuses && !statuses.includes(status)) return false;
  if (codes) return said.codes.some((code) => codes.includes(code));
  return text ? text.test(said.message) : statuses !== undefined;
}

const redirected = {
  class: 'bad-request',
  retryable: false,
  advice: 'The server redirects: set api_base in the agent file to the new address.',
} as const satisfies FailurePattern;

/** What no row knows: the server's fault above 500 and inside a stream, otherwise the request's. */
function byStatus(status: number | undefined): FailurePattern {
  if (status !== undefined && status >= 300 && status < 400) {
    return redirected;
  }
  const server = status === undefined || status >= 500 || status === 408 || status === 425;
  return server ? { class: 'server', retryable: true } : { class: 'bad-request', retryable: false };
}

/** `The server answered 429: slow down.` */
function sentence({ status: http }: Refusal, { message }: ErrorText, status: number | undefined): string {
  const said = message === '' ? 'no explanation' : message;
  const shown = status === undefined ? '' : ` ${status}`;
  const what = http === undefined ? `The server reported an error${shown}` : `The server answered${shown}`;
  return `${what}: ${said}${/[.!?…]$/.test(said) ? '' : '.'}`;
}

function adviceFor(
  row: FailurePattern,
  { keySent, url, status, headers }: Refusal,
  { param }: ErrorText,
): string {
  const location = headers?.('location');
  if (row === redirected)
    return `${row.advice}${location ? ` It points to ${cleanText(location, 300)}` : ''}`;
  if (row.class === 'auth') {
    const key = keySent ? 'The API key was refused' : 'No API key was sent';
    return `${key}. Run “Loopscope: Set API Key”, or set the variable named by api_key_env in the agent file.`;
  }
  if (row.class === 'bad-request' && !row.advice && param) return `It refuses the parameter “${param}”.`;
  return status === 404 && row.advice?.includes('api_base')
    ? `${row.advice} Asked: ${url}`
    : (row.advice ?? '');
}

function tokensOf({ fields, message }: ErrorText): Classified['tokens'] {
  const asked = numberOf(fields['n_prompt_tokens']);
  const limit = numberOf(fields['n_ctx']);
  if (asked !== undefined && limit !== undefined) return { asked, limit };
  const found = tokenPatterns.map((pattern) => pattern.exec(message)?.groups).find(Boolean);
  const inText = { asked: numberOf(found?.['asked']), limit: numberOf(found?.['limit']) };
  if (inText.asked === undefined && inText.limit === undefined) return undefined;
  return {
    ...(inText.asked === undefined ? {} : { asked: inText.asked }),
    ...(inText.limit === undefined ? {} : { limit: inText.limit }),
  };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value.replaceAll(',', '')) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

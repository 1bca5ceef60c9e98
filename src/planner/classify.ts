/**
 * One classifier for every refusal: HTTP errors and errors that a server reports inside a 200. Structured fields
 * first, then the table of patterns, then the status alone.
 */
import type { FailureClass, OverflowTokens } from '../core/events.ts';
import { parseJson } from '../core/parseMessage.ts';
import { cleanText, type ErrorText, readErrorText } from './classifyText.ts';
import { failurePatterns, type FailurePattern, overflowStatuses, ownOverflow } from './failurePatterns.ts';
import { tokenPatterns } from './overflowPatterns.ts';
import { fieldsOf, refusedFields } from './refusedFields.ts';
import { type HeaderLookup, retryAfterMs, waitInBody } from './retryAfter.ts';

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
  /** The body that was refused: its fields are what an error may name. */
  readonly sent?: string;
  /** Texts that the user knows as an overflow, with the groups `asked` and `limit` where they tell numbers. */
  readonly overflowPatterns?: readonly RegExp[];
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
  readonly tokens?: OverflowTokens;
  /** Fields of the request that the server does not take: see `refusedFields`. */
  readonly refused?: readonly string[];
  /** Only the status says what it is: neither a code, nor the words, nor a parameter explains it. */
  readonly unexplained?: true;
}

export function classify(refusal: Refusal): Classified {
  const said = readErrorText(refusal.body);
  const status = refusal.status ?? said.status;
  const row = rowOf(refusal, said, status);
  const wait =
    (refusal.headers && retryAfterMs(refusal.headers, refusal.now)) ??
    (row.class === 'rate-limit' || row.class === 'server'
      ? waitInBody(said.fields, said.message, refusal.now)
      : undefined);
  const tokens = row.class === 'overflow' ? tokensOf(said, refusal.overflowPatterns) : undefined;
  const refused =
    row.class === 'bad-request' || row.class === 'server' ? refusedBy(refusal, said, status) : [];
  return {
    class: refused.length > 0 ? 'bad-request' : row.class,
    ...(status === undefined ? {} : { status }),
    message: [
      sentence(refusal, said, status),
      adviceFor(refused.length > 0 ? rowOfField : row, refusal, said),
    ]
      .filter(Boolean)
      .join(' '),
    retryable: row.retryable && refused.length === 0,
    ...(wait === undefined ? {} : { retryAfter: wait }),
    ...(tokens ? { tokens } : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(row.class === 'bad-request' && !row.advice && isUnexplained(said) ? { unexplained: true } : {}),
  };
}

/** The user's own patterns know better than the table, except where the status means something else. */
function rowOf(refusal: Refusal, said: ErrorText, status: number | undefined): FailurePattern {
  const own = refusal.overflowPatterns?.some((pattern) => pattern.test(said.message)) === true;
  if (own && overflowStatuses.includes(status ?? 0)) return ownOverflow;
  return failurePatterns.find((pattern) => matches(pattern, said, status ?? 0)) ?? byStatus(status);
}

function refusedBy({ sent }: Refusal, said: ErrorText, status: number | undefined): readonly string[] {
  return sent === undefined ? [] : refusedFields(said, status, fieldsOf(sent));
}

/** An error that names a parameter, in a field or by a word with an underscore, is about that. */
function isUnexplained({ params, message }: ErrorText): boolean {
  return params.length === 0 && !/\b[a-z]+_[a-z_]+\b/.test(message);
}

function matches({ codes, text, statuses, page }: FailurePattern, said: ErrorText, status: number): boolean {
  if (statuses && !statuses.includes(status)) return false;
  if (page && !said.isPage) return false;
  if (codes) return said.codes.some((code) => codes.includes(code));
  return text ? text.test(said.message) : statuses !== undefined;
}

/** A field that is refused, whichever row the rest of the error matched. */
const rowOfField = { class: 'bad-request', retryable: false } as const satisfies FailurePattern;

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
  return `${what}: ${said}${/[.!?…。！？]$/.test(said) ? '' : '.'}`;
}

function adviceFor(row: FailurePattern, refusal: Refusal, { params: [param] }: ErrorText): string {
  const { url, status, headers } = refusal;
  const location = headers?.('location');
  if (row === redirected)
    return `${row.advice}${location ? ` It points to ${cleanText(location, 300)}` : ''}`;
  if (row.class === 'auth') return keyAdvice(refusal);
  if (row.class === 'bad-request' && !row.advice && param) return `It refuses the parameter “${param}”.`;
  return status === 404 && row.advice?.includes('api_base')
    ? `${row.advice} Asked: ${url}`
    : (row.advice ?? '');
}

function keyAdvice({ keySent, status, body }: Refusal): string {
  const refused =
    status === 403 ? 'The API key is not the right one, or is not allowed this' : 'The API key was refused';
  const between =
    status === 403 && parseJson(body) === undefined ? ', or a proxy or firewall in between refuses' : '';
  const key = keySent ? refused + between : `No API key was sent${between}`;
  return `${key}. Run “Loopscope: Set API Key”, or set the variable named by api_key_env in the agent file.`;
}

function tokensOf({ fields, message }: ErrorText, own: readonly RegExp[] = []): OverflowTokens | undefined {
  const structured = (names: readonly string[]) => names.map((name) => numberOf(fields[name])).find(Boolean);
  const found = [...own, ...tokenPatterns].map((pattern) => pattern.exec(message)?.groups).find(Boolean);
  const told = (name: string) => numberOf(found?.[name]);
  const reply = told('reply');
  const input = told('input');
  const both = input === undefined ? undefined : input + (reply ?? 0);
  const asked = both ?? structured(['n_prompt_tokens', 'prompt_tokens']) ?? told('asked');
  const limit =
    structured(['n_ctx', 'context_length', 'max_context_length', 'max_model_len']) ?? told('limit');
  if (asked === undefined && limit === undefined) return undefined;
  return {
    ...(asked === undefined ? {} : { asked }),
    ...(limit === undefined ? {} : { limit }),
    ...(reply === undefined ? {} : { reply }),
  };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value.replaceAll(',', '')) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

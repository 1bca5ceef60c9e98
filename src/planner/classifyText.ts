import { isRecord, parseJson } from '../core/parseMessage.ts';

/** What an error body says, in whatever shape it came. */
export interface ErrorText {
  /** For people: one line, no control characters, not longer than a few sentences. */
  readonly message: string;
  /** `code` and `type` fields of every level, lower case: what patterns look at first. */
  readonly codes: readonly string[];
  /** The fields that the server complains about, as it writes their places: `messages[0].role`, `body.top_p`. */
  readonly params: readonly string[];
  /** A status that stands in the body (errors inside a 200 stream). */
  readonly status: number | undefined;
  /** The body is a web page (or other markup), which no API of this kind answers with. */
  readonly isPage: boolean;
  /** Fields of every level in one; an inner one wins. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const messageLength = 600;
/** Gateways wrap what they pass on, and are chained. */
const deepest = 6;

/** Reads an error body: JSON in one of the usual shapes, an HTML page, or plain text. */
export function readErrorText(body: string): ErrorText {
  const value = parseJson(body);
  const outer: unknown = Array.isArray(value) ? value[0] : value;
  if (isRecord(outer)) return readErrorObject(outer);
  const isPage = isMarkup(body);
  const message = typeof outer === 'string' ? outer : isPage ? pageTitle(body) : body;
  return {
    message: cleanText(message, messageLength),
    isPage,
    codes: [],
    params: [],
    status: undefined,
    fields: {},
  };
}

function readErrorObject(outer: Record<string, unknown>): ErrorText {
  const levels = levelsOf(outer);
  const innermost = levels.at(-1) ?? outer;
  const said = levels.toReversed().map(messageOf).find(Boolean) ?? JSON.stringify(innermost);
  // What a gateway passes on as text that is no JSON explains what the gateway itself says.
  const raw = levels.map(({ metadata }) => (isRecord(metadata) ? metadata['raw'] : undefined)).find(isText);
  const whole = raw !== undefined && !wrapped(raw) ? `${said}: ${raw}` : said;
  const named = (names: readonly string[]) =>
    levels.flatMap((level) => names.map((name) => level[name])).filter(isText);
  return {
    message: cleanText(isMarkup(whole) ? pageTitle(whole) : whole, messageLength),
    isPage: false,
    codes: [...named(['code', 'type', 'status']), ...complaintsOf(levels).flatMap(typeOf)].map((code) =>
      code.toLowerCase(),
    ),
    params: [...named(['param', 'parameter', 'field']), ...complaintsOf(levels).flatMap(placeOf)],
    status: levels
      .flatMap(({ status, code }) => [status, code])
      .map(httpStatus)
      .find(Boolean),
    fields: Object.assign({}, ...levels) as Record<string, unknown>,
  };
}

/** Whether an object says in words what is wrong, at any of its levels. */
export function isExplained(value: Readonly<Record<string, unknown>>): boolean {
  return levelsOf(value).some((level) => messageOf(level) !== undefined);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The object, and the error that it wraps (as an object, a list of them, or JSON in a text), outermost first. */
function levelsOf(outer: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const levels: Record<string, unknown>[] = [];
  for (let at: Readonly<Record<string, unknown>> | undefined = outer; at && levels.length < deepest;) {
    const level = withSmallNames(at);
    levels.push(level);
    at = inside(level);
  }
  return levels;
}

/** `Message` and `Code`, as some clouds write them, are `message` and `code`. */
function withSmallNames(level: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(level);
  if (!entries.some(([name]) => /^[A-Z]/.test(name))) return { ...level };
  return Object.fromEntries(
    entries.map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );
}

function inside(level: Record<string, unknown>): Record<string, unknown> | undefined {
  const { error, errors, detail, message, metadata } = level;
  const raw = isRecord(metadata) ? metadata['raw'] : undefined;
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const outside = [level['response'], level['body'], level['base_resp']];
  const candidates = [error, first, detail, message, raw, ...outside];
  return candidates.map(wrapped).find(Boolean);
}

/** An object, or the object that a text holds, perhaps behind words (`Error code: 400 - {…}`). */
function wrapped(value: unknown): Record<string, unknown> | undefined {
  if (isRecord(value)) return value;
  if (typeof value !== 'string' || value.length > 100_000) return undefined;
  const start = value.indexOf('{');
  const end = value.lastIndexOf('}');
  const found = start >= 0 && end > start ? parseJson(value.slice(start, end + 1)) : undefined;
  return isRecord(found) ? found : undefined;
}

/** Where servers put their words, the likeliest first. */
const messageNames = [
  ...['message', 'msg', 'detail', 'error_description', 'error', 'errors'],
  ...['error_msg', 'error_message', 'errorMessage', 'errmsg', 'err_msg', 'status_msg'],
];

/** What a level says for itself; a text that wraps another level says nothing of its own. */
function messageOf(level: Record<string, unknown>): string | undefined {
  for (const name of messageNames) {
    const value = level[name];
    if (typeof value === 'string' && value.trim() !== '' && !wrapped(value)) return value;
    if (Array.isArray(value) && value.length > 0) return value.map(complaint).join('; ');
  }
  return undefined;
}

/** Lists of complaints as FastAPI and pydantic make them. */
function complaintsOf(levels: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return levels
    .flatMap(({ detail, errors, message }) => [detail, errors, message])
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .filter(isRecord);
}

function typeOf({ type }: Record<string, unknown>): string[] {
  return typeof type === 'string' ? [type] : [];
}

function placeOf({ loc }: Record<string, unknown>): string[] {
  return Array.isArray(loc) ? [loc.filter((key) => key !== 'body').join('.')] : [];
}

function complaint(value: unknown): string {
  if (!isRecord(value)) return String(value);
  const place = Array.isArray(value['loc']) ? `${value['loc'].join('.')}: ` : '';
  const said = value['msg'] ?? value['message'];
  return typeof said === 'string' ? place + said : JSON.stringify(value);
}

function httpStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600
    ? status
    : undefined;
}

function isMarkup(text: string): boolean {
  return /^\s*<[!?a-z]/i.test(text);
}

function pageTitle(page: string): string {
  const start = page.slice(0, 20_000);
  const found = [/<title[^>]*>([^<]*)/i, /<h1[^>]*>([^<]*)/i, /<message>([^<]*)/i, /<body[^>]*>([^<]*)/i]
    .map((pattern) => pattern.exec(start)?.[1]?.trim())
    .find(Boolean);
  const kind = /<(?:!doctype html|html|head|body|title|h1|div|p|center)\b/i.test(start)
    ? 'an HTML page'
    : 'an XML document';
  return found === undefined ? kind : `${found} (${kind})`;
}

/** Hostile text on one line: control and bidirectional characters gone, cut by code point. */
export function cleanText(text: string, length: number): string {
  const line = text
    .slice(0, length * 8)
    .toWellFormed()
    .replace(/[\s\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= length ? line : `${characters.slice(0, length).join('')}…`;
}

import { isRecord, parseJson } from '../core/parseMessage.ts';

/** What an error body says, in whatever shape it came. */
export interface ErrorText {
  /** For people: one line, no control characters, not longer than a few sentences. */
  readonly message: string;
  /** `code` and `type` fields, lower case: what patterns look at first. */
  readonly codes: readonly string[];
  /** The parameter that the server complains about. */
  readonly param: string | undefined;
  /** A status that stands in the body (errors inside a 200 stream). */
  readonly status: number | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

const messageLength = 600;

/** Reads an error body: JSON in one of the usual shapes, an HTML page, or plain text. */
export function readErrorText(body: string): ErrorText {
  const value = parseJson(body);
  const outer: unknown = Array.isArray(value) ? value[0] : value;
  if (isRecord(outer)) return readErrorObject(outer);
  const message = typeof outer === 'string' ? outer : isHtml(body) ? htmlTitle(body) : body;
  return {
    message: cleanText(message, messageLength),
    codes: [],
    param: undefined,
    status: undefined,
    fields: {},
  };
}

function readErrorObject(outer: Record<string, unknown>): ErrorText {
  const inner = outer['error'];
  const fields = isRecord(inner) ? inner : outer;
  const message =
    typeof inner === 'string'
      ? inner
      : (firstText(fields, ['message', 'msg', 'detail', 'error_description', 'error']) ??
        JSON.stringify(outer));
  const raw = isRecord(fields['metadata']) ? fields['metadata']['raw'] : undefined;
  const whole = typeof raw === 'string' ? `${message}: ${raw}` : message;
  const codes = [fields['code'], fields['type'], fields['status']].filter((code) => typeof code === 'string');
  return {
    message: cleanText(isHtml(whole) ? htmlTitle(whole) : whole, messageLength),
    codes: codes.map((code) => code.toLowerCase()),
    param: typeof fields['param'] === 'string' ? fields['param'] : undefined,
    status: [fields['status'], fields['code'], outer['status'], outer['code']].map(httpStatus).find(Boolean),
    fields,
  };
}

/** The first of these fields that says something; a list of complaints (FastAPI) is joined. */
function firstText(fields: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (Array.isArray(value) && value.length > 0) return value.map(complaint).join('; ');
  }
  return undefined;
}

function complaint(value: unknown): string {
  if (!isRecord(value)) return String(value);
  const place = Array.isArray(value['loc']) ? `${value['loc'].join('.')}: ` : '';
  return typeof value['msg'] === 'string' ? place + value['msg'] : JSON.stringify(value);
}

function httpStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600
    ? status
    : undefined;
}

export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|title|h1|center)\b/i.test(text);
}

function htmlTitle(page: string): string {
  const start = page.slice(0, 20_000);
  const found = /<title[^>]*>([^<]*)/i.exec(start) ?? /<h1[^>]*>([^<]*)/i.exec(start);
  const title = found?.[1]?.trim() ?? '';
  return title === '' ? 'an HTML page' : `${title} (an HTML page)`;
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

/** Reads what other agents log of their requests: bodies for an OpenAI-compatible API, or messages arrays alone. */
import { isRecord, parseJson } from './parseMessage.ts';

/** A request body as it was logged: its messages, and what stood beside them. */
export interface ForeignBody {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface ForeignLog {
  readonly bodies: readonly ForeignBody[];
  /** Lines (from 1) of a JSONL file that hold no request: they are told of, not shown. */
  readonly skipped: readonly number[];
}

/** Levels of wrapping that are looked through: `{"request": {"body": {…}}}`. */
const deepest = 4;

/** JSON or JSON Lines. No bodies: the file holds no request at all. Never throws. */
export function readForeignLog(text: string): ForeignLog {
  const whole = parseJson(text);
  if (whole !== undefined) return { bodies: bodiesIn(whole, 0), skipped: [] };
  const skipped: number[] = [];
  const bodies = text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const found = bodiesIn(parseJson(line), 0);
    if (found.length === 0) skipped.push(index + 1);
    return found;
  });
  return { bodies, skipped };
}

function bodiesIn(value: unknown, depth: number): ForeignBody[] {
  if (depth > deepest) return [];
  // A body may be logged as the text it was sent as.
  if (typeof value === 'string') return /^\s*[[{]/.test(value) ? bodiesIn(parseJson(value), depth + 1) : [];
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return isMessages(list)
      ? [{ messages: list, rest: {} }]
      : list.flatMap((one) => bodiesIn(one, depth + 1));
  }
  if (!isRecord(value)) return [];
  const { messages, ...rest } = value;
  if (Array.isArray(messages) && isMessages(messages)) return [{ messages, rest }];
  // The first field that holds some: a log line often has the body twice, parsed and as text.
  for (const field of Object.values(value)) {
    const found = bodiesIn(field, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

function isMessages(list: readonly unknown[]): list is readonly Readonly<Record<string, unknown>>[] {
  return list.length > 0 && list.every((one) => isRecord(one) && typeof one['role'] === 'string');
}

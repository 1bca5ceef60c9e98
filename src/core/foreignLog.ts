/** Reads what other agents log of their requests: bodies for an OpenAI-compatible API, or messages arrays alone. */
import { jsonValues } from './jsonValues.ts';
import { isRecord, parseJson } from './parseMessage.ts';

/** A request body as it was logged: its messages, and what stood beside them. */
export interface ForeignBody {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Requests of other APIs: they have other messages, so they are told of and not shown as what they are not. */
export type OtherApi = 'OpenAI Responses' | 'Anthropic Messages' | 'Gemini';

export interface ForeignLog {
  readonly bodies: readonly ForeignBody[];
  /** Lines (from 1) that hold no request, or on which a value without one begins: they are told of, not shown. */
  readonly skipped: readonly number[];
  /** How many requests of which other API there are. */
  readonly others: ReadonlyMap<OtherApi, number>;
  /** Whether there is a list of messages in which one has no role. */
  readonly hasNoRole: boolean;
}

/** Levels of wrapping that are looked through: `{"request": {"body": {…}}}`. */
const deepest = 4;

/** JSON, JSON Lines, or values one after the other. No bodies: the file holds no request that can be shown. Never throws. */
export function readForeignLog(text: string): ForeignLog {
  const steps = readForeignSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same value by value, for logs that take long. */
export function* readForeignSteps(text: string): Generator<void, ForeignLog> {
  // One value over many lines is JSON; a file of one line is both.
  const isPretty = /^\s*[[{]\s*\n/.test(text);
  const whole = isPretty || !text.includes('\n') ? parseJson(text) : undefined;
  if (whole !== undefined) {
    const look = createLook();
    return { bodies: look.into(whole, 0), skipped: [], ...look.seen() };
  }
  const first = yield* (isPretty ? readValues : readLines)(text);
  if (first.bodies.length > 0 || first.others.size > 0) return first;
  // Values over several lines, one after the other; or an array that somebody cut off, whose lines are values.
  const second = yield* (isPretty ? readLines : readValues)(text);
  return second.bodies.length > 0 || second.others.size > 0 ? second : first;
}

function* readLines(text: string): Generator<void, ForeignLog> {
  const look = createLook();
  const skipped: number[] = [];
  const bodies: ForeignBody[] = [];
  let number = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end).trim();
    at = end + 1;
    number++;
    // Brackets around lines, and the commas between them.
    if (line === '' || line === '[' || line === ']') continue;
    const found = look.into(valueOf(line), 0);
    if (found.length === 0) skipped.push(number);
    bodies.push(...found);
    yield;
  }
  return { bodies, skipped, ...look.seen() };
}

/** A line's value, also behind what loggers put before it: a time, a level, `data:`. */
function valueOf(line: string): unknown {
  const text = line.endsWith(',') ? line.slice(0, -1) : line;
  const start = text.search(/[[{]/);
  return parseJson(text) ?? (start > 0 ? parseJson(text.slice(start)) : undefined);
}

function* readValues(text: string): Generator<void, ForeignLog> {
  const look = createLook();
  const skipped: number[] = [];
  const bodies: ForeignBody[] = [];
  for (const value of jsonValues(text)) {
    const found = value ? look.into(parseJson(value.text), 0) : [];
    if (value && found.length === 0) skipped.push(value.line);
    bodies.push(...found);
    yield;
  }
  return { bodies, skipped, ...look.seen() };
}

function createLook() {
  const others = new Map<OtherApi, number>();
  let hasNoRole = false;

  function into(value: unknown, depth: number): ForeignBody[] {
    if (depth > deepest) return [];
    // A body may be logged as the text it was sent as.
    if (typeof value === 'string') return /^\s*[[{]/.test(value) ? into(parseJson(value), depth + 1) : [];
    if (Array.isArray(value)) {
      const list: readonly unknown[] = value;
      if (isMessages(list)) return [{ messages: list, rest: {} }];
      if (list.every(isRecord) && list.some((one) => 'role' in one)) hasNoRole = true;
      return list.flatMap((one) => into(one, depth + 1));
    }
    if (!isRecord(value)) return [];
    const other = otherApi(value);
    if (other) {
      others.set(other, (others.get(other) ?? 0) + 1);
      return [];
    }
    const { messages, ...rest } = value;
    if (Array.isArray(messages) && isMessages(messages)) return [{ messages, rest }];
    if (Array.isArray(messages) && messages.some((one) => isRecord(one) && 'content' in one))
      hasNoRole = true;
    // The first field that holds some: a log line often has the body twice, parsed and as text.
    for (const field of Object.values(value)) {
      const found = into(field, depth + 1);
      if (found.length > 0) return found;
    }
    return [];
  }

  return { into, seen: () => ({ others, hasNoRole }) };
}

function isMessages(list: readonly unknown[]): list is readonly Readonly<Record<string, unknown>>[] {
  return list.length > 0 && list.every((one) => isRecord(one) && typeof one['role'] === 'string');
}

/** Which other API a body is for, by what only that has. */
function otherApi(body: Readonly<Record<string, unknown>>): OtherApi | undefined {
  const { messages, input, contents } = body;
  if (Array.isArray(messages)) return isAnthropic(body, messages) ? 'Anthropic Messages' : undefined;
  if (Array.isArray(contents) && contents.some((one) => isRecord(one) && Array.isArray(one['parts'])))
    return 'Gemini';
  // Embeddings have an `input` too: texts alone.
  const isItems =
    Array.isArray(input) && input.some((one) => isRecord(one) && ('role' in one || 'type' in one));
  const isResponses = ['instructions', 'previous_response_id', 'max_output_tokens'].some(
    (key) => key in body,
  );
  return isItems || (typeof input === 'string' && isResponses) ? 'OpenAI Responses' : undefined;
}

const anthropicBlocks = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking']);

function isAnthropic(body: Readonly<Record<string, unknown>>, messages: readonly unknown[]): boolean {
  if ('anthropic_version' in body || 'system' in body) return true;
  return messages.some((message) => {
    const content = isRecord(message) ? message['content'] : undefined;
    return (
      Array.isArray(content) &&
      content.some((block) => isRecord(block) && anthropicBlocks.has(String(block['type'])))
    );
  });
}

/**
 * What can be told of a chat message that may have any shape: its role, its text, the calls it has a part in.
 * Fields are those of https://platform.openai.com/docs/api-reference/chat; what is not as it should be is
 * not there.
 */

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function roleOf(message: unknown): unknown {
  return isRecord(message) ? message['role'] : undefined;
}

/** Its text, or that of its parts; empty where there is none. */
export function foreignText(message: unknown): string {
  const content = isRecord(message) ? message['content'] : undefined;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

/** A list of messages; what is asked of one again and again is read once. */
export interface ForeignList {
  readonly messages: readonly unknown[];
  /** The calls that the message of this index has a part in. */
  readonly callsOf: (index: number) => readonly string[];
}

export function foreignList(messages: readonly unknown[]): ForeignList {
  const known: (readonly string[] | undefined)[] = [];
  return { messages, callsOf: (index) => (known[index] ??= callIds(messages[index])) };
}

const noCalls: readonly string[] = [];

/** The call that a message answers, or the calls that it makes, each once; none when it has no part in any. */
function callIds(message: unknown): readonly string[] {
  if (!isRecord(message)) return noCalls;
  const { tool_call_id: answered, tool_calls: made } = message;
  if (typeof answered === 'string' && answered !== '') return [answered];
  if (!Array.isArray(made)) return noCalls;
  const ids = made.map((call) => (isRecord(call) ? call['id'] : undefined));
  const named = ids.filter((id, place) => typeof id === 'string' && id !== '' && ids.indexOf(id) === place);
  // Told apart from the results that answer them.
  return named.map((id) => `calls ${String(id)}`);
}

/** What a message says, with its calls but without their ids. */
export function saidWithoutIds(message: unknown): string {
  const made = isRecord(message) ? message['tool_calls'] : undefined;
  const text = foreignText(message);
  if (!Array.isArray(made)) return text;
  const calls = made.map((call) => {
    const called = isRecord(call) && isRecord(call['function']) ? call['function'] : {};
    return `${String(called['name'])} ${String(called['arguments'])}`;
  });
  return [text, ...calls].join('\n');
}

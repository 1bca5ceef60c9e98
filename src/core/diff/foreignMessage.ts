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

/** A list of messages with what of them is asked for again and again. */
export interface ForeignList {
  readonly messages: readonly unknown[];
  /** By index: the calls it has a part in. */
  readonly calls: readonly (readonly string[])[];
  readonly isResult: readonly boolean[];
}

export function foreignList(messages: readonly unknown[]): ForeignList {
  const calls = messages.map(callIds);
  const isResult = messages.map((message) => roleOf(message) === 'tool');
  return { messages, calls, isResult };
}

const noCalls: readonly string[] = [];

/** The call that a message answers, or the calls that it makes, each once; none when it has no part in any. */
function callIds(message: unknown): readonly string[] {
  if (!isRecord(message)) return noCalls;
  const { tool_call_id: answered, tool_calls: made } = message;
  if (typeof answered === 'string' && answered !== '') return [`result ${answered}`];
  if (!Array.isArray(made)) return noCalls;
  const ids = made.map((call) => (isRecord(call) ? call['id'] : undefined));
  const named = ids.filter((id, place) => typeof id === 'string' && id !== '' && ids.indexOf(id) === place);
  return named.map((id) => `call ${String(id)}`);
}

/** The message without the ids of its calls. */
export function withoutCallIds(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { tool_call_id: _answered, tool_calls: made, ...rest } = message;
  if (!Array.isArray(made)) return rest;
  return { ...rest, tool_calls: made.map((call: unknown) => (isRecord(call) ? { ...call, id: '' } : call)) };
}

/**
 * What can be told of a chat message that may have any shape: its role, what it says, the calls it has a part in.
 * Fields are those of https://platform.openai.com/docs/api-reference/chat; what is not as it should be is
 * not there.
 */

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function roleOf(message: unknown): unknown {
  return isRecord(message) ? message['role'] : undefined;
}

/** The texts of a message: its content or the parts of it, then name and arguments of each call. No ids. */
export function textsOf(message: unknown): readonly string[] {
  if (!isRecord(message)) return [];
  const { content, tool_calls: calls } = message;
  const texts: string[] = [];
  if (typeof content === 'string') texts.push(content);
  else if (Array.isArray(content)) for (const part of content) addText(texts, part, 'text');
  if (Array.isArray(calls)) {
    for (const call of calls) {
      const called = isRecord(call) ? call['function'] : undefined;
      addText(texts, called, 'name');
      addText(texts, called, 'arguments');
    }
  }
  return texts;
}

function addText(texts: string[], record: unknown, key: string): void {
  const text = isRecord(record) ? record[key] : undefined;
  if (typeof text === 'string') texts.push(text);
}

/** Whether it answers a call; a call and its answer have the same wire id. */
export function isAnswer(message: unknown): boolean {
  return isRecord(message) && isId(message['tool_call_id']);
}

const isId = (id: unknown): id is string => typeof id === 'string' && id !== '';

/** Visits the wire id of each call that a message makes, or of the one that it answers. */
export function visitCalls(message: unknown, visit: (id: string) => void): void {
  if (!isRecord(message)) return;
  const { tool_call_id: answered, tool_calls: made } = message;
  if (isId(answered)) visit(answered);
  else if (Array.isArray(made)) {
    for (let index = 0; index < made.length; index++) {
      const call: unknown = made[index];
      const id = isRecord(call) ? call['id'] : undefined;
      if (isId(id)) visit(id);
    }
  }
}

export function callsOf(message: unknown): readonly string[] {
  const ids: string[] = [];
  visitCalls(message, (id) => ids.push(id));
  return ids;
}

export function hasCall(message: unknown): boolean {
  return isAnswer(message) || callsOf(message).length > 0;
}

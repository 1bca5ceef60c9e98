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

/** Visits the texts of a message: its content or the parts of it, then name and arguments of each call. No ids. */
export function visitTexts(message: unknown, visit: (text: string) => void): void {
  if (!isRecord(message)) return;
  const { content, tool_calls: calls } = message;
  if (typeof content === 'string') visit(content);
  else if (Array.isArray(content)) for (const part of content) visitText(part, 'text', visit);
  if (!Array.isArray(calls)) return;
  for (const call of calls) {
    const called = isRecord(call) ? call['function'] : undefined;
    visitText(called, 'name', visit);
    visitText(called, 'arguments', visit);
  }
}

function visitText(record: unknown, key: string, visit: (text: string) => void): void {
  const text = isRecord(record) ? record[key] : undefined;
  if (typeof text === 'string') visit(text);
}

export function textsOf(message: unknown): readonly string[] {
  const texts: string[] = [];
  visitTexts(message, (text) => texts.push(text));
  return texts;
}

const isId = (id: unknown): id is string => typeof id === 'string' && id !== '';

/** Whether it answers a call; a call and its answer have the same wire id. */
export function isAnswer(message: unknown): boolean {
  return isRecord(message) && isId(message['tool_call_id']);
}

/** Visits the wire id of each call that a message makes, or of the one that it answers. */
export function visitCalls(message: unknown, visit: (id: string, answers: boolean) => void): void {
  if (!isRecord(message)) return;
  const { tool_call_id: answered, tool_calls: made } = message;
  if (isId(answered)) visit(answered, true);
  else if (Array.isArray(made)) {
    for (let index = 0; index < made.length; index++) {
      const id = idOfCall(made[index]);
      if (isId(id)) visit(id, false);
    }
  }
}

const idOfCall = (call: unknown) => (isRecord(call) ? call['id'] : undefined);

export function callsOf(message: unknown): readonly string[] {
  const ids: string[] = [];
  visitCalls(message, (id) => ids.push(id));
  return ids;
}

/** Whether it makes a call or answers one. */
export function hasCall(message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { tool_call_id: answered, tool_calls: made } = message;
  return isId(answered) || (Array.isArray(made) && made.some(isCall));
}

const isCall = (call: unknown) => isId(idOfCall(call));

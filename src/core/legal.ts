/**
 * Legal history: what an OpenAI-compatible chat API takes. System (if any), then user first; each
 * assistant block with calls is followed directly by exactly one result per call; nothing orphaned,
 * nothing empty, nothing that a strict server refuses.
 *
 * `legal` is the oracle of the property tests: it runs before each request, on each load, after each op.
 */
import { callsOf, type WireMessage } from './messages.ts';
import { isRecord, parseJson } from './parseMessage.ts';

export type Rule =
  | 'first-user'
  | 'system-first'
  | 'role'
  | 'empty-assistant'
  | 'orphan-result'
  | 'missing-result'
  | 'duplicate-id'
  | 'bad-name'
  | 'bad-arguments'
  | 'bad-content'
  | 'ill-formed';

export interface Violation {
  readonly rule: Rule;
  /** Index into the messages. */
  readonly index: number;
  /** In words, naming what and where. */
  readonly detail: string;
}

/** All violations, in order; an empty list means legal. An empty history is legal (nothing is sent yet). */
export function legal(messages: readonly WireMessage[]): Violation[] {
  const found: Violation[] = [];
  const ids = new Set<string>();
  let open: { index: number; ids: string[] } | undefined;
  let begun = false;
  messages.forEach((message, index) => {
    const report = (rule: Rule, detail: string) => found.push({ rule, index, detail });
    if (message.role !== 'tool') {
      closeBlock(open, found);
      open = undefined;
    }
    switch (message.role) {
      case 'system':
        if (begun) report('system-first', 'a system message stands after the conversation began');
        checkContent(message, report);
        break;
      case 'user':
        begun = true;
        checkContent(message, report);
        break;
      case 'assistant':
        if (!begun) report('first-user', 'the first message after the system prompt must be from the user');
        begun = true;
        open = { index, ids: checkAssistant(message, ids, report) };
        break;
      case 'tool':
        open = takeResult(message, open, report);
        break;
      default:
        report('role', `unknown role ${JSON.stringify(message.role)}`);
    }
    if (!wellFormed(message)) report('ill-formed', 'a text holds half a surrogate pair');
  });
  closeBlock(open, found);
  return found;
}

type Report = (rule: Rule, detail: string) => void;

function closeBlock(open: { index: number; ids: string[] } | undefined, found: Violation[]): void {
  for (const id of open?.ids ?? []) {
    found.push({
      rule: 'missing-result',
      index: open?.index ?? 0,
      detail: `call ${JSON.stringify(id)} has no result`,
    });
  }
}

function takeResult(
  message: WireMessage,
  open: { index: number; ids: string[] } | undefined,
  report: Report,
): { index: number; ids: string[] } | undefined {
  const id = message.tool_call_id;
  const at = typeof id === 'string' ? (open?.ids.indexOf(id) ?? -1) : -1;
  if (!open || at < 0) {
    report(
      'orphan-result',
      `a result for ${JSON.stringify(id ?? null)} answers no open call of the block before it`,
    );
    return open;
  }
  checkContent(message, report);
  return { index: open.index, ids: open.ids.toSpliced(at, 1) };
}

/** Names the API takes (OpenAI: function names are letters, digits, `_` and `-`, 64 at most). */
export const legalName = /^[a-zA-Z0-9_-]{1,64}$/;

function checkAssistant(message: WireMessage, ids: Set<string>, report: Report): string[] {
  const calls = callsOf(message);
  const content = message.content;
  const empty = content === undefined || content === null || content.length === 0;
  if (empty && calls.length === 0)
    report('empty-assistant', 'an assistant message has neither text nor calls');
  for (const call of calls) {
    const name = call.function?.name;
    if (typeof call.id !== 'string' || call.id === '') report('duplicate-id', 'a call has no id');
    else if (ids.has(call.id)) report('duplicate-id', `call id ${JSON.stringify(call.id)} is used twice`);
    ids.add(call.id);
    if (typeof name !== 'string' || !legalName.test(name))
      report('bad-name', `tool name ${JSON.stringify(name)} is not legal`);
    const text = call.function?.arguments;
    if (typeof text !== 'string' || !isRecord(parseJson(text))) {
      report(
        'bad-arguments',
        `arguments of ${String(name)} are not a JSON object: ${String(text).slice(0, 80)}`,
      );
    }
  }
  return calls.map((call) => call.id);
}

function checkContent(message: WireMessage, report: Report): void {
  const { content } = message;
  if (typeof content === 'string') return;
  if (Array.isArray(content) && content.length > 0 && content.every((item) => isRecord(item))) return;
  report('bad-content', `content of a ${message.role} message must be text or a list of parts`);
}

function wellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(wellFormed);
  return isRecord(value)
    ? Object.entries(value).every(([key, field]) => key.isWellFormed() && wellFormed(field))
    : true;
}

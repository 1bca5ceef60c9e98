/**
 * Makes a history legal again: files are edited by hand, written by older versions and cut by crashes. What can be
 * kept is kept; a call without a result gets one that says what is known of it. Ids and arguments that only egress
 * has to change (see `rewire`) are left as the model wrote them.
 */
import { legalName } from './messageFacts.ts';
import { callsOf, isCall, type MessageId, type WireCall, type WireMessage } from './messages.ts';
import { parseMessage } from './parseMessage.ts';
import { serialise, wellFormedJson } from './serialise.ts';

export interface HistoryText {
  readonly id: MessageId;
  /** The message's wire text; undefined where the journal has lost it. */
  readonly text: string | undefined;
}

/** One change, in the order in which they are to be made. `why` says in words what was wrong. */
export type Repair =
  | { readonly kind: 'set'; readonly id: MessageId; readonly text: string; readonly why: string }
  | { readonly kind: 'remove'; readonly id: MessageId; readonly why: string }
  /** A new message behind the one of that id; at the start where there is none. */
  | {
      readonly kind: 'insert';
      readonly behind: MessageId | undefined;
      readonly text: string;
      readonly role: 'user' | 'tool';
      readonly why: string;
    };

/** The changes that make the history legal; none when it is. Pure; never throws. */
export function repairs(history: readonly HistoryText[]): Repair[] {
  const found: Repair[] = [];
  let block: { at: MessageId; open: WireCall[] } | undefined;
  let begun = false;
  let last: MessageId | undefined;
  const closeBlock = () => {
    if (block) for (const call of block.open) found.push(missingResult(call, block.at));
    block = undefined;
  };
  for (const { id, text } of history) {
    const message = text === undefined ? undefined : parseMessage(text);
    const remove = (why: string) => void found.push({ kind: 'remove', id, why });
    if (message?.role !== 'tool') closeBlock();
    if (text === undefined || !message) {
      remove('its text is not a message');
      continue;
    }
    if (message.role === 'tool') {
      const index = block?.open.findIndex((call) => call.id === message.tool_call_id) ?? -1;
      if (!block || index < 0) {
        remove('it answers no call of the block before it');
        continue;
      }
      // Calls in front of it that nobody answered: their results stand before this one.
      for (const call of block.open.splice(0, index + 1).slice(0, -1))
        found.push(missingResult(call, block.at));
      block.at = id;
    } else if (message.role === 'assistant') {
      if (isEmpty(message)) {
        remove('it has neither text nor calls');
        continue;
      }
      if (!begun) found.push(missingUser(last));
      block = { at: id, open: [...callsOf(message)] };
    } else if (message.role === 'system' && begun) {
      remove('a system message stands after the conversation began');
      continue;
    } else if (message.role !== 'system' && message.role !== 'user') {
      remove(`its role ${JSON.stringify(message.role)} is none that may be sent`);
      continue;
    }
    begun ||= message.role !== 'system';
    last = id;
    const legalText = repairedText(text, message);
    if (legalText.why.length > 0)
      found.push({ kind: 'set', id, text: legalText.text, why: legalText.why.join(', ') });
  }
  closeBlock();
  return found;
}

function isEmpty(message: WireMessage): boolean {
  const { content } = message;
  const hasText =
    typeof content === 'string'
      ? content !== ''
      : content !== null && content !== undefined && !isEmptyList(content);
  return !hasText && callsOf(message).length === 0;
}

function isEmptyList(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

/** A message's own faults: halves of surrogate pairs, content that is no text, calls that are none, odd names. */
function repairedText(text: string, message: WireMessage): { text: string; why: string[] } {
  const why: string[] = [];
  let fixed: WireMessage = message;
  const { content } = message;
  const needsContent = message.role !== 'assistant' || (content !== null && content !== undefined);
  if (needsContent && !isContent(content)) {
    fixed = { ...fixed, content: content === null || content === undefined ? '' : serialise(content) };
    why.push('its content is neither text nor a list of parts');
  }
  const listed: unknown = message.tool_calls;
  if (
    message.role === 'assistant' &&
    listed !== undefined &&
    !(Array.isArray(listed) && listed.length > 0 && listed.every(isCall))
  ) {
    const { tool_calls: _malformed, ...rest } = fixed;
    const calls = callsOf(message);
    fixed = calls.length === 0 ? rest : { ...rest, tool_calls: calls };
    why.push('what is in its tool_calls are no calls');
  }
  const calls = callsOf(fixed);
  if (message.role === 'assistant' && calls.some((call) => !legalName.test(call.function.name))) {
    const named = calls.map((call) => ({
      ...call,
      function: { ...call.function, name: legalNameOf(call.function.name) },
    }));
    fixed = { ...fixed, tool_calls: named };
    why.push('the name of a tool is none that may be sent');
  }
  const whole = fixed === message ? wellFormedJson(text) : serialise(fixed);
  if (fixed === message && whole !== text) why.push('a text holds half a surrogate pair');
  return { text: whole, why };
}

function isContent(content: unknown): boolean {
  if (typeof content === 'string') return true;
  const isPart = (part: unknown) => typeof part === 'object' && part !== null && !Array.isArray(part);
  return Array.isArray(content) && content.length > 0 && content.every(isPart);
}

/** The name that an API takes, as close as it comes. */
export function legalNameOf(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

function missingResult(call: WireCall, behind: MessageId): Repair {
  const error = 'No result of this call is on record: it may or may not have run, its effects are unknown.';
  const content = serialise({ success: false, error });
  const text = serialise({ role: 'tool', tool_call_id: call.id, content });
  return { kind: 'insert', behind, text, role: 'tool', why: `call ${JSON.stringify(call.id)} has no result` };
}

function missingUser(behind: MessageId | undefined): Repair {
  const text = serialise({ role: 'user', content: '(The beginning of this conversation is missing.)' });
  return {
    kind: 'insert',
    behind,
    text,
    role: 'user',
    why: 'the first message after the system prompt must be from the user',
  };
}

import { historyPlace } from './historyPlace.ts';
import type { JournalState } from './journalState.ts';
import {
  type CallText,
  callTexts,
  type MessageId,
  type PartId,
  type WireContent,
  type WireMessage,
} from './messages.ts';
import { parseMessage } from './parseMessage.ts';
import { jsonOfParsed } from './jsonOfParsed.ts';

/** A message's text taken apart for reading. Everything in it is text that a model, tool or user wrote. */
export interface MessageBody {
  /** False: the text is not a message; `text` is it as it stands. */
  readonly parsed: boolean;
  readonly text: string;
  readonly calls: readonly CallText[];
  /** The call that a result answers, by its wire id. */
  readonly answers?: string;
  /** Fields of a provider's own (reasoning, signatures): name and JSON text. */
  readonly extras: readonly (readonly [name: string, json: string])[];
}

const ownFields = new Set(['role', 'content', 'tool_calls', 'tool_call_id']);

/** Never throws; a text that is no message is shown as it stands. */
export function messageBody(text: string): MessageBody {
  const message = parseMessage(text);
  if (!message) return { parsed: false, text, calls: [], extras: [] };
  return {
    parsed: true,
    text: readable(message),
    calls: callTexts(message),
    extras: Object.entries(message)
      .filter(([name]) => !ownFields.has(name))
      .map(([name, value]) => [name, jsonOfParsed(value)] as const),
    ...(typeof message.tool_call_id === 'string' ? { answers: message.tool_call_id } : {}),
  };
}

/** Its text; a part that has none (an image) stands as its type in brackets. */
function readable(message: WireMessage): string {
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return (message.content as readonly WireContent[])
    .map((part) => (typeof part?.text === 'string' ? part.text : `[${kindOf(part)}]`))
    .join('\n');
}

function kindOf(part: WireContent | undefined): string {
  return typeof part?.type === 'string' ? part.type : 'unknown';
}

/** Links of a tool call with its result, both ways, within the block they belong to. */
export interface CallLinks {
  /** For an assistant message: the result's id by wire id. */
  readonly results: ReadonlyMap<string, MessageId>;
  /** For a result: the assistant message it answers. */
  readonly call?: MessageId;
}

/** A legal history has each block's results directly behind it: only the block is read. */
export function callLinks(state: JournalState, id: MessageId): CallLinks {
  const at = historyPlace(state, id);
  const role = (index: number) => state.messages.get(state.history[index] ?? '')?.role;
  const results = new Map<string, MessageId>();
  if (at < 0) return { results };
  if (role(at) === 'tool') {
    let start = at;
    while (role(start) === 'tool') start--;
    const call = state.history[start];
    return call !== undefined && role(start) === 'assistant' ? { results, call } : { results };
  }
  for (let index = at + 1; role(index) === 'tool'; index++) {
    const result = state.history[index]!;
    const answers = bodyOfPart(state, state.messages.get(result)?.versions.at(-1)?.part)?.answers;
    if (answers !== undefined) results.set(answers, result);
  }
  return { results };
}

/** The message that a part holds; undefined when the part is not there. */
export function bodyOfPart(state: JournalState, part: PartId | undefined): MessageBody | undefined {
  const text = part === undefined ? undefined : state.parts.get(part);
  return text === undefined ? undefined : messageBody(text);
}

/**
 * What the demo model sees: the same request body that a server would get, read as the goal (the last user
 * message) and what has been done for it since.
 */
import { callsOf, contentText, type WireCall, type WireMessage } from '../../core/messages.ts';
import { isRecord, parseJson } from '../../core/parseMessage.ts';
import { isSummary } from '../summary.ts';

export type Language = 'en' | 'zh';

export interface Turn {
  readonly goal: string;
  readonly language: Language;
  /** Names of the tools in the request. */
  readonly tools: ReadonlySet<string>;
  /** Calls since the goal, in order, with what came of each. */
  readonly done: readonly DoneCall[];
  /** Set when no turn is asked for, but a summary of this. */
  readonly transcript?: string;
  /** For ids of new calls: one above the highest in the request. */
  readonly nextCall: number;
}

export interface DoneCall {
  readonly name: string;
  /** As they stand in the request: edited arguments, if they were edited. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: DoneResult;
}

export type DoneResult =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'error'; readonly error: string }
  /** A result that was shortened on its way, so that it is no JSON any more: its text. */
  | { readonly kind: 'cut'; readonly text: string };

/** Undefined when the body is no chat-completions request. */
export function readTurn(body: string): Turn | undefined {
  const request = parseJson(body);
  if (!isRecord(request) || !Array.isArray(request['messages'])) return undefined;
  const messages = request['messages'].filter(isRecord) as unknown as readonly WireMessage[];
  const start = messages.findLastIndex(isSaid);
  const goal = start < 0 ? '' : contentText(messages[start]!);
  const tools = new Set(toolNames(request['tools']));
  return {
    goal,
    language: /\p{Script=Han}/u.test(goal) ? 'zh' : 'en',
    tools,
    done: doneCalls(messages.slice(start + 1)),
    ...(tools.size === 0 && isTranscript(goal) ? { transcript: goal } : {}),
    nextCall: 1 + Math.max(0, ...messages.flatMap(wholeCalls).map(callNumber)),
  };
}

/** Of the user's own words: what was added to the history begins with what it is. */
function isSaid(message: WireMessage): boolean {
  return (
    message.role === 'user' && !isSummary(message) && !contentText(message).startsWith('[Retrieved context')
  );
}

/** The form in which a conversation is given to be summed up. */
function isTranscript(text: string): boolean {
  return /^user: /m.test(text) && /^assistant(?: called .* with .*|: )/m.test(text);
}

function toolNames(tools: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const names = list.map((tool) =>
    isRecord(tool) && isRecord(tool['function']) ? tool['function']['name'] : undefined,
  );
  return names.filter((name) => typeof name === 'string');
}

/** Results answer the calls of the block before them by id; a call without a result is still open. */
function doneCalls(messages: readonly WireMessage[]): DoneCall[] {
  const done: DoneCall[] = [];
  let open: readonly WireCall[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') open = wholeCalls(message);
    const call = message.role === 'tool' ? open.find(({ id }) => id === message.tool_call_id) : undefined;
    if (!call) continue;
    const parsed = parseJson(String(call.function.arguments));
    done.push({
      name: String(call.function.name),
      arguments: isRecord(parsed) ? parsed : {},
      result: readResult(contentText(message)),
    });
  }
  return done;
}

/** Calls that look like calls: an edited history may hold anything. */
function wholeCalls(message: WireMessage): readonly WireCall[] {
  return callsOf(message).filter((call) => isRecord(call) && isRecord(call.function));
}

function readResult(text: string): DoneResult {
  const value = parseJson(text);
  if (isRecord(value) && value['success'] === true) return { kind: 'data', data: value['data'] };
  if (isRecord(value) && value['success'] === false)
    return { kind: 'error', error: errorText(value['error']) };
  if (text.startsWith('{"success":false')) return { kind: 'error', error: text };
  return { kind: 'cut', text };
}

function errorText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error ?? 'no reason given');
}

function callNumber({ id }: WireCall): number {
  return Number(/^call_(\d{1,9})$/.exec(String(id))?.[1] ?? 0);
}

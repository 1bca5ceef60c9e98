/**
 * Messages: the OpenAI chat form on the wire, and our identity around it.
 * A message keeps its id whatever happens to its content; its content is a part (a text in the journal).
 */

/** `m1`, `m2`, …: given once, never reused, never changed. */
export type MessageId = string;
/** `p1`, `p2`, …: names a text in the journal; the same text has the same id. */
export type PartId = string;
/** `r1`, `r2`, …: one request to the model; its retries share it. */
export type RequestId = string;
/** (run, round, position) from 1, as `1.2.1`: the identity of a tool call, never the provider's id. */
export type CallKey = string;

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A tool call as it stands in an assistant message; `arguments` is JSON *text*. */
export interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly [extra: string]: unknown;
}

/** A chat message as it is sent. Fields of a provider's own (reasoning, signatures) are kept as they came. */
export interface WireMessage {
  readonly role: Role;
  readonly content?: string | null | readonly WireContent[];
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
  readonly [extra: string]: unknown;
}

export interface WireContent {
  readonly type: string;
  readonly text?: string;
  readonly [extra: string]: unknown;
}

/** Where a message came from. */
export interface Origin {
  readonly kind:
    'system' | 'user' | 'reply' | 'call' | 'memory' | 'summary' | 'retrieval' | 'edit' | 'foreign';
  readonly request?: RequestId;
  readonly call?: CallKey;
  /** The messages that a summary stands for. */
  readonly folds?: readonly MessageId[];
  /** `path` as the user named it; `line` from 1. */
  readonly location?: { readonly path: string; readonly line: number };
}

/** What a tool call produced. */
export type Observation =
  { readonly success: true; readonly data: unknown } | { readonly success: false; readonly error: string };

/** What a tool touches: nothing, the session's own state, the workspace, or the world outside. */
export type Effects = 'none' | 'session' | 'workspace' | 'outside';

/** The text of a message for people and for counting: its string content, or its text parts joined. */
export function contentText(message: WireMessage): string {
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return (message.content as readonly unknown[]).map(partText).join('');
}

function partText(part: unknown): string {
  const text = typeof part === 'object' && part !== null ? (part as WireContent).text : undefined;
  return typeof text === 'string' ? text : '';
}

/**
 * The calls of a message, none when it has none. A text may hold anything: a malformed list counts as none, and what
 * is no call in it is left out (`legal` reports it).
 */
export function callsOf(message: WireMessage): readonly WireCall[] {
  const calls: unknown = message.tool_calls;
  return Array.isArray(calls) ? calls.filter(isCall) : [];
}

/** Whether a value has the form of a call; what its id, name and arguments say is for `legal` to judge. */
export function isCall(value: unknown): value is WireCall {
  const call = value as Partial<WireCall> | null | undefined;
  return typeof call?.function?.name === 'string' && typeof call.function.arguments === 'string';
}

/** A call in words, for views: what is no call is shown as far as it goes. */
export interface CallText {
  readonly wireId: string;
  readonly name: string;
  /** As it stands in the message: JSON text, or whatever the model wrote. */
  readonly arguments: string;
}

/** One per entry of `tool_calls`, by position, whatever the entry holds. */
export function callTexts(message: WireMessage): CallText[] {
  const listed: unknown = message.tool_calls;
  return Array.isArray(listed) ? listed.map(callText) : [];
}

function callText(value: unknown): CallText {
  const call = value as { readonly id?: unknown; readonly function?: Record<string, unknown> | null } | null;
  return {
    wireId: word(call?.id),
    name: word(call?.function?.['name']),
    arguments: word(call?.function?.['arguments']),
  };
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

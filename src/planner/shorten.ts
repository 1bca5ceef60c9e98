/**
 * Makes a message fit: head and tail of its texts stay, and each gap says what was left out. Role, call ids, names
 * and the number of calls stay, and arguments stay a JSON object: a shortened message is as legal as the whole one.
 */
import { capText } from '../core/capText.ts';
import {
  type CallKey,
  callsOf,
  contentText,
  type WireCall,
  type WireContent,
  type WireMessage,
} from '../core/messages.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { CountTokens, TokenCounter } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import { countedTexts, countMessage, isData, mediaOf } from './countMessage.ts';
import { cutResult, withoutNote } from './cutResult.ts';

/** Code points of text that a token stands for at most, roughly: where the search for the length begins. */
const longestToken = 4;
const tries = 12;

/** Work that stops at texts which it counts next, so that long ones can be counted elsewhere before it goes on. */
export type Counting<Result> = Generator<readonly string[], Result>;

/**
 * The message cut to at most `max` tokens; where even its names and ids need more, the least that is legal.
 * Pure, and a message that is short enough is returned as it is. `call`: whose result it is, where that is known.
 */
export function shortenMessage(
  message: WireMessage,
  max: number,
  count: CountTokens,
  call?: CallKey,
): WireMessage {
  return atOnce(shorteningMessage(message, max, count, call));
}

/** The same, a try at a time. */
export function* shorteningMessage(
  message: WireMessage,
  max: number,
  count: CountTokens,
  call?: CallKey,
): Counting<WireMessage> {
  if (countMessage(message, count) <= max) return message;
  const size = (candidate: WireMessage) => countMessage(candidate, count);
  return (
    (yield* fit((length) => cutTexts(message, length, call), countedTexts, size, max)) ??
    (yield* fit((length) => cutTexts(bare(message), length), countedTexts, size, max)) ??
    least(message)
  );
}

/** A text cut to at most `max` tokens: head and tail stay. Empty when nothing of it fits. */
export function shortenText(text: string, max: number, count: CountTokens): string {
  return atOnce(shorteningText(text, max, count));
}

/** Characters of a text for each token that it may have, beyond which it is not counted as a whole: it is cut anyway. */
const surelyTooLong = 16;

/** The same, a try at a time. */
export function* shorteningText(text: string, max: number, count: CountTokens): Counting<string> {
  if (text.length <= surelyTooLong * max) {
    yield [text];
    if (count(text) <= max) return text;
  }
  const cut = (length: number) => capText(text, length);
  return (yield* fit(cut, (candidate) => [candidate], count, max)) ?? '';
}

/** Where nothing is counted elsewhere. */
export function atOnce<Result>(counting: Counting<Result>): Result {
  for (;;) {
    const step = counting.next();
    if (step.done) return step.value;
  }
}

/** Where texts are counted elsewhere: the work goes on when they are. */
export async function countingAhead<Result>(
  counting: Counting<Result>,
  ahead: TokenCounter['ahead'],
): Promise<Result> {
  for (;;) {
    const step = counting.next();
    if (step.done) return step.value;
    await ahead(step.value);
  }
}

/** The longest of a few lengths whose result is small enough; undefined when none is. */
function* fit<T>(
  cut: (length: number) => T,
  textsOf: (value: T) => readonly string[],
  size: (value: T) => number,
  max: number,
): Counting<T | undefined> {
  let best: { readonly value: T; readonly length: number } | undefined;
  let over = Infinity;
  let before = Infinity;
  let length = Math.max(1, max * longestToken);
  for (let n = 0; n < tries; n++) {
    const value = cut(length);
    yield textsOf(value);
    const tokens = size(value);
    if (tokens <= max) best = { value, length };
    else over = length;
    // Near enough from below; a further try would win a few words.
    if (tokens <= max && tokens >= max * 0.9) break;
    const under = best?.length ?? 0;
    const bound = Math.min(over, length * 4);
    const next = Math.floor(length * (max / tokens) * 0.96);
    // Beyond the end of a text of dense tokens nothing is cut yet: there the proportion leads nowhere, halving does.
    const margin = (bound - under) / 8;
    const leads = tokens !== before && next > under + margin && next < bound - margin;
    before = tokens;
    length = Math.max(1, leads ? next : Math.floor((under + bound) / 2));
    if (length <= under) break;
  }
  return best?.value;
}

/** Every text of the message, cut to so many code points. */
function cutTexts(message: WireMessage, length: number, call?: CallKey): WireMessage {
  const { content, tool_calls, ...rest } = message;
  const own = Object.entries(rest).map(([name, value]) => {
    const isText = typeof value === 'string' && name !== 'role' && name !== 'tool_call_id' && name !== 'name';
    // Half of a picture or of a signature is refused.
    return [name, isText && !isData(value) ? capText(value, length) : value] as const;
  });
  return {
    ...(Object.fromEntries(own) as WireMessage),
    ...(content === undefined ? {} : { content: cutContent(message, length, call) }),
    ...(tool_calls === undefined
      ? {}
      : { tool_calls: callsOf(message).map((made) => cutCall(made, length)) }),
  };
}

function cutContent(
  { role, content }: WireMessage,
  length: number,
  call: CallKey | undefined,
): NonNullable<WireMessage['content']> | null {
  if (typeof content === 'string')
    return (role === 'tool' ? cutResult(content, length, call) : undefined) ?? capText(content, length);
  if (!Array.isArray(content)) return null;
  return (content as readonly WireContent[]).map((part) =>
    typeof part.text === 'string' ? { ...part, text: capText(part.text, length) } : part,
  );
}

function cutCall(call: WireCall, length: number): WireCall {
  const text = call.function.arguments;
  return { ...call, function: { ...call.function, arguments: cutArguments(text, length) } };
}

/** Long strings inside are cut; where that is not enough, one field shows head and tail of the whole. */
function cutArguments(text: string, length: number): string {
  const value = parseJson(text);
  if (!isRecord(value)) return '{}';
  if (text.length <= length) return text;
  const cut = serialise(cutStrings(value, length));
  return cut.length <= 2 * length ? cut : serialise({ shortened: capText(text, length) });
}

function cutStrings(value: unknown, length: number): unknown {
  if (typeof value === 'string') return capText(value, length);
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, length));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cutStrings(field, length)]));
}

/** Without what can not be cut: pictures are named instead, and data and structured fields of a provider's own go. */
function bare(message: WireMessage): WireMessage {
  const own = Object.entries(message).filter(
    ([name, value]) =>
      (typeof value === 'string' && !isData(value)) || name === 'content' || name === 'tool_calls',
  );
  const media = mediaOf(message).length;
  const text = message.role === 'tool' ? withoutNote(contentText(message)) : contentText(message);
  const content =
    media === 0 ? text : `[${media} ${media === 1 ? 'attachment' : 'attachments'} left out] ${text}`;
  return {
    ...(Object.fromEntries(own) as WireMessage),
    ...(Array.isArray(message.content) || message.role === 'tool' ? { content } : {}),
  };
}

/** The least that is legal, whatever it says: of a result, a mark that there was one. */
function least(message: WireMessage): WireMessage {
  const cut = cutTexts(bare(message), 1);
  return message.role === 'tool' ? { ...cut, content: capText(contentText(cut), 1) } : cut;
}

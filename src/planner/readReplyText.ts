/**
 * A reply's text, as it arrives, into the accumulator. What it is (an event stream, one JSON document, an HTML
 * page) shows in its first character, whatever the content type says.
 */
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { Accumulator } from './accumulate.ts';
import type { Notes } from './readReplyNotes.ts';
import { endMark, eventValues, hasErrorWords, lenientJson, reportedError } from './readReplyValues.ts';
import { createSseReader, type SseEvent } from './sseReader.ts';

/** Why no reply can be made of it. */
export type WireFault =
  /** The server says so itself; `body` is JSON or HTML for the classifier. */
  | { readonly kind: 'reported'; readonly body: string }
  /** It is not a chat completion, or a piece of it is damaged. */
  | { readonly kind: 'damaged'; readonly detail: string };

export interface ReplyText {
  feed(text: string): void;
  end(): void;
  /** The reply is complete (`[DONE]`, or the end of a JSON document), or why there will be none. */
  readonly result: 'done' | WireFault | undefined;
  /** All of it has come but the end of its last line. */
  readonly isEnding: boolean;
  /** It came as events. */
  readonly isStream: boolean;
  /** The first event's type, where events have types and no choices: those of another API. */
  readonly foreignType: string | undefined;
}

export function createReplyText(accumulator: Accumulator, notes: Notes): ReplyText {
  const events = createEventTaker(accumulator, notes);
  const sse = createSseReader((event) => events.take(event));
  let form: 'unknown' | 'events' | 'document' = 'unknown';
  let text = '';
  let document: ReplyText['result'];
  return {
    feed(piece) {
      if (form === 'unknown') form = formOf(text + piece);
      if (form === 'events') sse.feed(text + piece);
      text = form === 'events' ? '' : text + piece;
    },
    end() {
      if (form === 'events') {
        sse.end();
        events.end();
      } else document = takeDocument(text, accumulator, notes);
    },
    get result() {
      return document ?? events.result;
    },
    get isEnding() {
      return sse.isEnding;
    },
    get isStream() {
      return form === 'events';
    },
    get foreignType() {
      return accumulator.begun ? undefined : events.foreignType;
    },
  };
}

function formOf(text: string): 'unknown' | 'events' | 'document' {
  const first = text.trimStart().charAt(0);
  if (first === '') return 'unknown';
  return first === '{' || first === '[' || first === '<' ? 'document' : 'events';
}

interface EventTaker {
  take(event: SseEvent): void;
  /** Nothing further comes. */
  end(): void;
  readonly result: ReplyText['result'];
  readonly foreignType: string | undefined;
}

function createEventTaker(accumulator: Accumulator, notes: Notes): EventTaker {
  let result: ReplyText['result'];
  /** What is in place of a reply, and may be why there is none. */
  let words: object | undefined;
  let foreignType: string | undefined;
  return {
    take(event) {
      if (result) return;
      if (event.bare) notes.add('bare-line', 'a line stood in the stream without "data:" before it');
      const values = eventValues(event.data, notes);
      if (!values) result = unreadable(event, notes);
      else if (values.length > 1) notes.add('events-joined', 'several chunks came as one event');
      if (/^\s*data:/.test(event.data)) notes.add('data-repeated', '"data:" stood twice before a chunk');
      for (const value of values ?? []) {
        if (isRecord(value) && hasErrorWords(value)) words ??= value;
        foreignType ??= foreignTypeOf(value);
        noteForm(value, notes);
        result ??= takeValue(value, event.name, accumulator);
      }
    },
    end() {
      const isOpen = result === undefined && accumulator.finish === null;
      if (words && (isOpen || (result === 'done' && !accumulator.begun))) result = reported(words);
    },
    get result() {
      return result;
    },
    get foreignType() {
      return foreignType;
    },
  };
}

/** Servers that stream what the API knows of whole replies, and of its first version. */
function noteForm(value: unknown, notes: Notes): void {
  const choices = isRecord(value) ? value['choices'] : undefined;
  const [first] = Array.isArray(choices) ? (choices as unknown[]) : [];
  if (!isRecord(first) || isRecord(first['delta'])) return;
  if (isRecord(first['message']))
    notes.add('message-in-stream', 'a message came in the stream in place of a delta');
  else if (typeof first['text'] === 'string')
    notes.add('text-in-stream', 'text came in the stream in place of a delta');
}

/** Of the other two APIs that stream: `message_start`, `response.created`. */
function foreignTypeOf(value: unknown): string | undefined {
  const type = isRecord(value) && value['choices'] === undefined ? value['type'] : undefined;
  return typeof type === 'string' && /^(?:message|content_block|response)[_.]/.test(type) ? type : undefined;
}

function takeValue(value: unknown, name: string | undefined, accumulator: Accumulator): ReplyText['result'] {
  if (value === endMark) return 'done';
  const error = name === 'error' ? value : reportedError(value);
  // What comes with it counts as what came before it.
  if (isRecord(value)) accumulator.add(value);
  return error === undefined ? undefined : reported(error);
}

function unreadable({ name, data, unfinished }: SseEvent, notes: Notes): WireFault | undefined {
  if (name === 'error') return reported(data);
  if (!/^\s*[[{"]/.test(data)) {
    const shown = data.trim().slice(0, 200);
    if (shown !== '') notes.add('unreadable-event', `an event that is not JSON was passed over: ${shown}`);
    return undefined;
  }
  // An error that was written into a chunk that had not been finished.
  const inside = data.split('\n').map((line) => reportedError(parseJson(line)));
  const error = inside.find((one) => one !== undefined);
  if (error !== undefined) return reported(error);
  // An event that the end of the stream cut off says no more than the cut itself.
  return unfinished ? undefined : { kind: 'damaged', detail: 'A chunk of the stream is damaged JSON' };
}

/** What a whole body comes to; undefined when it was cut on the way, which is for the end to say. */
function takeDocument(text: string, accumulator: Accumulator, notes: Notes): ReplyText['result'] {
  if (text.trimStart().startsWith('<')) return { kind: 'reported', body: text };
  const listed = listedChunks(text, notes);
  if (listed) {
    notes.add('events-joined', 'the chunks came as one list or a line each, not as events');
    for (const chunk of listed) {
      const result = takeValue(chunk, undefined, accumulator);
      if (result) return result;
    }
    if (!accumulator.begun) return noCompletion;
    // A list has an end of its own; of lines only the finish reason tells whether they are all there.
    return text.trimEnd().endsWith(']') || accumulator.finish !== null ? 'done' : undefined;
  }
  const value = lenientJson(text, notes);
  const whole: unknown = Array.isArray(value) ? value[0] : value;
  const error = reportedError(whole);
  if (error !== undefined) return reported(error);
  if (isRecord(whole)) {
    accumulator.add(whole);
    if (accumulator.begun) return 'done';
    if (hasErrorWords(whole)) return reported(whole);
    return noCompletion;
  }
  const closed = /[\]}]\s*$/.test(text.slice(-100));
  return closed ? { kind: 'damaged', detail: 'The answer is not one JSON document' } : undefined;
}

const noCompletion: WireFault = {
  kind: 'damaged',
  detail: 'The answer is JSON, but no chat completion (no "choices" in it)',
};

/** The chunks of a document that holds more than one: a list of them, or one a line. */
function listedChunks(text: string, notes: Notes): readonly unknown[] | undefined {
  const value = parseJson(text);
  const all =
    value === undefined ? eventValues(text, notes) : Array.isArray(value) ? (value as unknown[]) : [];
  return all && all.length > 1 && all.every((one) => one === endMark || isRecord(one)) ? all : undefined;
}

function reported(error: unknown): WireFault {
  return { kind: 'reported', body: JSON.stringify({ error }) };
}

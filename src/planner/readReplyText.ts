/**
 * A reply's text, as it arrives, into the accumulator. What it is (an event stream, one JSON document, an HTML
 * page) shows in its first character, whatever the content type says.
 */
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { Accumulator } from './accumulate.ts';
import type { Notes } from './readReplyNotes.ts';
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
  /** The reply is complete: `[DONE]`, or the end of a JSON document. */
  readonly done: boolean;
  readonly fault: WireFault | undefined;
}

export function createReplyText(accumulator: Accumulator, notes: Notes): ReplyText {
  const sse = createSseReader(onEvent);
  let form: 'unknown' | 'events' | 'document' = 'unknown';
  let text = '';
  let done = false;
  let fault: WireFault | undefined;

  return {
    feed(piece) {
      if (form === 'unknown') form = formOf(text + piece);
      if (form === 'events') {
        sse.feed(text + piece);
        text = '';
      } else {
        text += piece;
      }
    },
    end() {
      if (form === 'events') sse.end();
      else if (form === 'document') readDocument();
    },
    get done() {
      return done;
    },
    get fault() {
      return fault;
    },
  };

  function onEvent(event: SseEvent): void {
    if (done || fault) return;
    if (event.bare) notes.add('bare-line', 'a line of JSON stood in the stream without "data:"');
    const values = eventValues(event.data);
    if (values) {
      if (values.length > 1) notes.add('events-joined', 'several chunks came as one event');
      for (const value of values) accept(value, event.name);
    } else if (event.name === 'error') {
      fault = reported(event.data);
    } else if (/^[[{"]/.test(event.data.trimStart())) {
      // An event that the end of the stream cut off says no more than the cut itself.
      if (!event.unfinished) fault = { kind: 'damaged', detail: 'A chunk of the stream is damaged JSON' };
    } else if (event.data.trim() !== '') {
      notes.add('unreadable-event', `an event that is not JSON was passed over: ${event.data.slice(0, 200)}`);
    }
  }

  function accept(value: unknown, name: string | undefined): void {
    if (done || fault) return;
    const error = name === 'error' ? value : reportedError(value);
    if (value === endMark) done = true;
    else if (error !== undefined) fault = reported(error);
    else if (isRecord(value)) accumulator.add(value);
  }

  function readDocument(): void {
    const value = parseJson(text);
    const whole: unknown = Array.isArray(value) ? value[0] : value;
    const error = reportedError(whole);
    if (text.trimStart().startsWith('<')) fault = { kind: 'reported', body: text };
    else if (error !== undefined) fault = reported(error);
    else if (isRecord(whole)) takeCompletion(whole);
    // Without its last brace it was cut on the way, which is for the end to say.
    else if (/[\]}]\s*$/.test(text))
      fault = { kind: 'damaged', detail: 'The answer is not one JSON document' };
  }

  function takeCompletion(completion: Record<string, unknown>): void {
    accumulator.add(completion);
    if (accumulator.begun) done = true;
    else
      fault = { kind: 'damaged', detail: 'The answer is JSON, but no chat completion (no "choices" in it)' };
  }
}

/** `[DONE]` among the values of an event. */
const endMark = Symbol('[DONE]');

function formOf(text: string): 'unknown' | 'events' | 'document' {
  const first = text.trimStart().charAt(0);
  if (first === '') return 'unknown';
  return first === '{' || first === '[' || first === '<' ? 'document' : 'events';
}

/**
 * The values that an event holds: usually one. Servers that leave out the blank line between chunks make one
 * event of several, a value a line. Undefined when it can't be read.
 */
function eventValues(data: string): unknown[] | undefined {
  const whole = lineValue(data);
  if (whole !== undefined) return [whole];
  const lines = data.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const values = lines.map(lineValue);
  return values.includes(undefined) ? undefined : values;
}

function lineValue(text: string): unknown {
  return text.trim() === '[DONE]' ? endMark : parseJson(text);
}

/** The error that a chunk or document reports instead of, or beside, choices. */
function reportedError(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { error, object, type, detail, choices } = value;
  if (typeof error === 'string' ? error !== '' : isRecord(error)) return error;
  if (object === 'error' || type === 'error') return value;
  if (choices === undefined && (typeof detail === 'string' || Array.isArray(detail))) return value;
  return undefined;
}

function reported(error: unknown): WireFault {
  return { kind: 'reported', body: JSON.stringify({ error }) };
}

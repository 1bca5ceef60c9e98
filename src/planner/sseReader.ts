import { createParser } from 'eventsource-parser';
import { parseJson } from '../core/parseMessage.ts';

/** Characters of a document that stands in the stream without `data:`: an error, not a reply. */
const longestBare = 100_000;

export interface SseEvent {
  /** From `event:`; undefined when the server named none. */
  readonly name: string | undefined;
  readonly data: string;
  /** The line stood in the stream without `data:` as it has to be written. */
  readonly bare: boolean;
  /** The stream ended before the blank line that completes an event. */
  readonly unfinished: boolean;
}

export interface SseReader {
  feed(text: string): void;
  /** Hands over what came without its closing blank line. */
  end(): void;
  /** The last line that came is `[DONE]`: nothing but its blank line is missing, which some servers never send. */
  readonly isEnding: boolean;
}

/**
 * Event-stream framing (https://html.spec.whatwg.org/multipage/server-sent-events.html), with what servers in the
 * field ask for beside it: an event that the end of the stream completes is handed over (marked `unfinished`), and so is
 * a bare JSON document or HTML page, which is how some servers interrupt a stream with an error; `error: {…}` as a line
 * of its own is one too.
 */
export function createSseReader(onEvent: (event: SseEvent) => void): SseReader {
  let ended = false;
  let afterCr = false;
  const parser = createParser({
    onEvent: ({ event, data }) => onEvent({ name: event, data, bare: false, unfinished: ended }),
    onError: ({ line = '' }) => takeOdd(line),
  });
  /** A line of no known field, or of one that is not written as it has to be. */
  const takeOdd = (line: string) => {
    const { field = '', data = '' } = /^\s*(?<field>data|error)\s*:\s?(?<data>.*)$/i.exec(line)?.groups ?? {};
    if (field === '' || bare !== '') return takeBare(line);
    const name = field.toLowerCase() === 'error' ? 'error' : undefined;
    onEvent({ name, data, bare: true, unfinished: ended });
  };
  /** A document of several lines, until it is whole. */
  let bare = '';
  const takeBare = (line: string) => {
    bare = bare === '' ? line.trim() : `${bare}\n${line}`;
    if (!/^[{<]/.test(bare)) bare = '';
    else if (bare.startsWith('<') || parseJson(bare) !== undefined || bare.length > longestBare) handBare();
  };
  const handBare = () => {
    if (bare !== '') onEvent({ name: undefined, data: bare, bare: true, unfinished: ended });
    bare = '';
  };
  /** The last line that has come, as much of it as tells whether it is the end mark. */
  let line = '';
  return {
    feed(text) {
      if (text === '') return;
      // The parser waits for one more character after a CR, so that `[DONE]` CR CR would not end a reply
      // whose socket stays open. Only LF reaches it; a CR LF that was split between reads counts once.
      const rest = afterCr && text.startsWith('\n') ? text.slice(1) : text;
      afterCr = text.endsWith('\r');
      const lines = rest.replace(/\r\n?/g, '\n');
      parser.feed(lines);
      line = lastLine(line + lines);
    },
    end() {
      ended = true;
      parser.feed('\n\n');
      handBare();
    },
    get isEnding() {
      return endLine.test(line);
    },
  };
}

const endLine = /^data: ?\[DONE\]\n?$/;
const endLength = 'data: [DONE]\n'.length + 1;

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n', text.length - 2) + 1).slice(0, endLength);
}

import { createParser } from 'eventsource-parser';

export interface SseEvent {
  /** From `event:`; undefined when the server named none. */
  readonly name: string | undefined;
  readonly data: string;
  /** The line stood in the stream without `data:`. */
  readonly bare: boolean;
  /** The stream ended before the blank line that completes an event. */
  readonly unfinished: boolean;
}

export interface SseReader {
  feed(text: string): void;
  /** Hands over what came without its closing blank line. */
  end(): void;
}

/**
 * Event-stream framing (https://html.spec.whatwg.org/multipage/server-sent-events.html), with two differences
 * that servers in the field ask for: an event that the end of the stream completes is handed over (marked
 * `unfinished`), and so is a line of bare JSON, which is how some servers interrupt a stream with an error.
 */
export function createSseReader(onEvent: (event: SseEvent) => void): SseReader {
  let ended = false;
  let afterCr = false;
  const parser = createParser({
    onEvent: ({ event, data }) => onEvent({ name: event, data, bare: false, unfinished: ended }),
    onError: ({ line }) => {
      const data = line?.trim() ?? '';
      if (data.startsWith('{')) onEvent({ name: undefined, data, bare: true, unfinished: ended });
    },
  });
  return {
    feed(text) {
      if (text === '') return;
      // The parser waits for one more character after a CR, so that `[DONE]` CR CR would not end a reply
      // whose socket stays open. Only LF reaches it; a CR LF that was split between reads counts once.
      const rest = afterCr && text.startsWith('\n') ? text.slice(1) : text;
      afterCr = text.endsWith('\r');
      parser.feed(rest.replace(/\r\n?/g, '\n'));
    },
    end() {
      ended = true;
      parser.feed('\n\n');
    },
  };
}

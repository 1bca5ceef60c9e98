/**
 * The append-only list of a session's events and its fold: the one truth that everything else reads.
 */
import type { EventBody, EventType, JournalEvent } from '../core/events.ts';
import { trustEvent } from '../core/eventShape.ts';
import { fold } from '../core/fold.ts';
import { emptyState, type JournalState } from '../core/journalState.ts';
import type { MessageId, PartId, RequestId } from '../core/messages.ts';
import type { Clock, JournalSink, Recorder } from '../core/ports.ts';
import { cleanEvent } from './cleanEvent.ts';
import { createJournalWriter } from './journalWriter.ts';
import { createRedactor, type Redactor, type Secrets } from './redactor.ts';

export interface Journal extends Recorder {
  readonly events: readonly JournalEvent[];
  /** The fold of all events so far. Read only; it changes with each append. */
  readonly state: JournalState;
  /** Keeps secrets out of all that is written from now on, and gives them back to the wire and to tools. */
  readonly redactor: Redactor;
  /** Further secrets and patterns to keep out, such as those of the agent that runs. */
  keepOut(secrets: Secrets): void;
  /** Called after each event was folded, written or about to be. A listener that throws does not stop the others. */
  onEvent(listener: (event: JournalEvent) => void): () => void;
  /** Writes what waits to be written; it does so by itself before anything acts on it. */
  flush(): void;
  /** Why the last events are not on disk, in words; undefined while writing works. Each write tries again. */
  readonly trouble: string | undefined;
  /** Called when writing begins to fail: once, until it has worked again. */
  onTrouble(listener: (why: string) => void): () => void;
  /** Reserves the next message id, also across `Ask Again` (a reserved id is never used twice). */
  nextMessage(): MessageId;
  nextRequest(): RequestId;
  sync(): void;
  close(): void;
}

export interface JournalOptions {
  readonly clock: Clock;
  /** Where lines go; without it the journal lives in memory only. */
  readonly sink?: JournalSink;
  /** What was read from an existing file: folded, not written again. */
  readonly past?: readonly JournalEvent[];
  /** A view that fails must not cost the others their event, nor the loop its run; its error comes here. */
  readonly onListenerError?: (error: unknown) => void;
}

/**
 * What the loop says of every round and nobody acts on by itself: it is written with the next event that somebody
 * does act on (a request leaves, a tool starts, a pause is shown, the run ends), at the latest when this turn of the
 * event loop ends. Texts too: in one write with the event that names them, a torn tail costs no event its texts.
 */
const mayWait: ReadonlySet<EventType> = new Set<EventType>([
  'part',
  'round.started',
  'round.ended',
  'context.packed',
  'checkpoint',
  'model.replied',
  'call.finished',
  'history.appended',
]);

export function createJournal({ clock, sink, past = [], onListenerError }: JournalOptions): Journal {
  const events: JournalEvent[] = [];
  const state = emptyState();
  const redactor = createRedactor(() => state.opened?.session ?? '');
  /** Ids by the text as written, and by the text as it came: most texts come again and again. */
  const partIds = new Map<string, PartId>();
  const givenIds = new Map<string, PartId>();
  const listeners = new Set<(event: JournalEvent) => void>();
  const troubled = new Set<(why: string) => void>();
  const tellTrouble = (why: string | undefined) => {
    if (why !== undefined) tell(troubled, why, onListenerError);
  };
  const writer = createJournalWriter(sink, tellTrouble);
  let reservedMessage = 0;
  let reservedRequest = 0;

  const take = (event: JournalEvent) => {
    events.push(event);
    fold(state, event);
    if (event.type === 'part' && !partIds.has(event.text)) partIds.set(event.text, event.id);
  };
  for (const event of past) {
    take(event);
    if (event.type === 'part') redactor.remember(event);
  }

  const append = (given: EventBody & { readonly inferred?: true }): JournalEvent => {
    const body = cleanEvent(given, redactor);
    const event = { seq: state.seq, at: clock.now(), ...body } as JournalEvent;
    // What a server said of a request may be anything.
    if (!event.type.startsWith('model.')) trustEvent(event);
    const failed = sink && writer.write(`${JSON.stringify(event)}\n`, mayWait.has(event.type));
    take(event);
    tell(listeners, event, onListenerError);
    tellTrouble(failed);
    return event;
  };

  return {
    events,
    state,
    redactor,
    append,
    keepOut(secrets) {
      givenIds.clear();
      redactor.add(secrets);
    },
    part(given) {
      const before = givenIds.get(given);
      if (before !== undefined) return before;
      const { text, spans } = redactor.clean(given.toWellFormed());
      const known = partIds.get(text);
      const id = known ?? `p${state.highest.part + 1}`;
      if (known === undefined)
        append({ type: 'part', id, text, ...(spans.length === 0 ? {} : { redacted: spans }) });
      givenIds.set(given, id);
      return id;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush: () => tellTrouble(writer.flush()),
    get trouble() {
      return writer.trouble;
    },
    onTrouble(listener) {
      troubled.add(listener);
      return () => troubled.delete(listener);
    },
    nextMessage: () => `m${(reservedMessage = Math.max(reservedMessage, state.highest.message) + 1)}`,
    nextRequest: () => `r${(reservedRequest = Math.max(reservedRequest, state.highest.request) + 1)}`,
    sync() {
      tellTrouble(writer.flush());
      const why = writer.sync();
      // The run is over and stays so; whoever reads its log must know that the file may lack it.
      if (why !== undefined) append({ type: 'anomaly', code: 'not-synced', detail: why, about: [] });
    },
    close() {
      listeners.clear();
      writer.close();
    },
  };
}

function tell<Value>(
  listeners: ReadonlySet<(value: Value) => void>,
  value: Value,
  onError: ((error: unknown) => void) | undefined,
): void {
  for (const listener of [...listeners]) {
    try {
      listener(value);
    } catch (error) {
      onError?.(error);
    }
  }
}

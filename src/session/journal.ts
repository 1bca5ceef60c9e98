/**
 * The append-only list of a session's events and its fold: the one truth that everything else reads.
 */
import type { EventBody, JournalEvent } from '../core/events.ts';
import { fold } from '../core/fold.ts';
import { emptyState, type JournalState } from '../core/journalState.ts';
import type { MessageId, PartId, RequestId } from '../core/messages.ts';
import type { Clock, JournalSink, Recorder } from '../core/ports.ts';

export interface Journal extends Recorder {
  readonly events: readonly JournalEvent[];
  /** The fold of all events so far. Read only; it changes with each append. */
  readonly state: JournalState;
  /** Called after each event was written and folded. A listener that throws does not stop the others. */
  onEvent(listener: (event: JournalEvent) => void): () => void;
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

export function createJournal({ clock, sink, past = [], onListenerError }: JournalOptions): Journal {
  const events: JournalEvent[] = [];
  const state = emptyState();
  const partIds = new Map<string, PartId>();
  const listeners = new Set<(event: JournalEvent) => void>();
  let reservedMessage = 0;
  let reservedRequest = 0;
  // Parts wait for the event that names them: one write for both, and a torn tail costs no event its texts.
  let unwritten = '';

  const take = (event: JournalEvent) => {
    events.push(event);
    fold(state, event);
    if (event.type === 'part') partIds.set(event.text, event.id);
  };
  for (const event of past) take(event);

  const append = (body: EventBody): JournalEvent => {
    const event = { seq: state.seq, at: clock.now(), ...body } as JournalEvent;
    unwritten += `${JSON.stringify(event)}\n`;
    if (event.type !== 'part') {
      sink?.write(unwritten);
      unwritten = '';
    }
    take(event);
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        onListenerError?.(error);
      }
    }
    return event;
  };

  return {
    events,
    state,
    append,
    part(text) {
      const whole = text.toWellFormed();
      const known = partIds.get(whole);
      if (known !== undefined) return known;
      const id = `p${state.highest.part + 1}`;
      append({ type: 'part', id, text: whole });
      return id;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nextMessage: () => `m${(reservedMessage = Math.max(reservedMessage, state.highest.message) + 1)}`,
    nextRequest: () => `r${(reservedRequest = Math.max(reservedRequest, state.highest.request) + 1)}`,
    sync: () => sink?.sync(),
    close() {
      listeners.clear();
      sink?.close();
    },
  };
}

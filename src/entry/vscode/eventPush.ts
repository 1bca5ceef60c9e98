import { panelEvent } from '../../core/panelEvent.ts';
import { endsLiveText, type LiveText, type PanelEvent, type ToPanel } from '../../core/protocol.ts';
import type { PanelSession, Registration } from './panelChannel.ts';

/** Pushes what is new in one session to a panel: coalesced, bounded, each event once. */
export interface EventPush extends Registration {
  readonly session: PanelSession | undefined;
  /** From event `next` on. Whatever was pushed before counts as forgotten. */
  start(session: PanelSession | undefined, next: number): void;
  /** Nobody listens any more. */
  stop(): void;
}

/** Calls back once after `ms`. */
export type Schedule = (run: () => void, ms: number) => Registration;

/** Milliseconds between posts: 20 a second at most. */
export const frameMs = 50;
/**
 * Milliseconds from the first news after a rest to their post. A step is over in less: it comes in one post, and the
 * editor has painted where it stands before a panel, which shares its process, begins to.
 */
export const leadMs = 100;
/** Bounds of one post while a panel catches up; the next follows at once, after other work had its turn. */
const maxEvents = 2000;
const maxChars = 2_000_000;

export function createEventPush(post: (message: ToPanel) => void, schedule: Schedule): EventPush {
  let session: PanelSession | undefined;
  let next = 0;
  let liveSent = 0;
  /** Undefined: nothing yet, so the first post says where the panel stands, also without events. */
  let beforeSent: number | null | undefined;
  let isDirty = false;
  let timer: Registration | undefined;
  let watched: readonly Registration[] = [];

  function wake(): void {
    isDirty = true;
    // An edit is what somebody waits for who has just made it.
    const isEdit = session?.events.at(-1)?.type === 'edited';
    timer ??= schedule(flush, isEdit ? 0 : leadMs);
  }

  function flush(): void {
    timer = undefined;
    if (!session || !isDirty) return;
    const events = batchFrom(session, next);
    const isBehind = next + events.length < session.events.length;
    if (events.some(endsLiveText)) liveSent = 0;
    // The text that is arriving belongs after the last event.
    const live = isBehind ? null : liveFrom(session.liveText);
    const before = session.before ?? null;
    const isNews = events.length > 0 || live !== null || before !== beforeSent;
    const from = next;
    beforeSent = before;
    next += events.length;
    isDirty = isBehind;
    timer = schedule(flush, isBehind ? 0 : frameMs);
    // Last: a panel that finds a gap starts this push over.
    if (isNews) post({ type: 'batch', session: session.id, from, events, live, before, more: isBehind });
  }

  function liveFrom(text: string): LiveText | null {
    const at = text.length < liveSent ? 0 : liveSent;
    if (text.length === at) return null;
    liveSent = text.length;
    return { at, text: text.slice(at) };
  }

  function stop(): void {
    for (const one of watched) one.dispose();
    timer?.dispose();
    watched = [];
    timer = session = undefined;
  }

  return {
    get session() {
      return session;
    },
    start: (wanted, from) => {
      stop();
      session = wanted;
      next = from;
      liveSent = 0;
      beforeSent = undefined;
      if (!wanted) return;
      watched = [wanted.onEvents(wake), wanted.onLiveText(wake)];
      isDirty = true;
      timer = schedule(flush, 0);
    },
    stop,
    dispose: stop,
  };
}

/** Events as they cross, from `next`, no more than one post should hold. */
function batchFrom(session: PanelSession, next: number): PanelEvent[] {
  const batch: PanelEvent[] = [];
  let chars = 0;
  for (let seq = next; seq < session.events.length && batch.length < maxEvents && chars < maxChars; seq++) {
    const event = panelEvent(session.events[seq]!, seq);
    batch.push(event);
    if (event.type === 'part') chars += event.text.length;
  }
  return batch;
}

/** The checkpoints that a journal has on record: the places that can be looked back at. */
import type { JournalEvent } from '../core/events.ts';
import type { Checkpoint } from '../runner/gate.ts';

export interface RecordedStop extends Checkpoint {
  /** Its event. */
  readonly seq: number;
  /** The state there is the fold of the events before this one: with what was edited while it was paused there. */
  readonly before: number;
  /** What it was paused for. */
  readonly hits: readonly string[];
}

/** All checkpoints of a journal whose event n has seq n, in order. */
export function recordedStops(events: readonly JournalEvent[]): RecordedStop[] {
  const stops: RecordedStop[] = [];
  /** Whether the last one was paused at, and nothing has happened since but what the pause was used for. */
  let isPaused = false;
  for (const event of events) {
    if (event.type === 'checkpoint') {
      const { seq, kind, key } = event;
      stops.push({ seq, before: seq + 1, hits: [], kind, ...(key === undefined ? {} : { key }) });
      isPaused = false;
    } else if (event.type === 'paused') {
      const last = stops.pop();
      if (last) stops.push({ ...last, hits: event.hits });
      isPaused = true;
    }
    if (event.type === 'run.started') isPaused = false;
    else if (event.type === 'resumed' && isPaused) {
      const last = stops.pop();
      if (last) stops.push({ ...last, before: event.seq });
      isPaused = false;
    }
  }
  return stops;
}

/**
 * Looking back: the checkpoints of a journal, walked backward and forward again. The state at each is a fold of the
 * journal up to there; nothing is called, nothing is written, and the loop stays held where it is.
 */
import { foldAll, fold } from '../core/fold.ts';
import type { JournalState } from '../core/journalState.ts';
import { type Checkpoint, type Step, type Stop, stopAt } from '../runner/gate.ts';
import type { Journal } from '../session/journal.ts';
import type { Breakpoint } from './breakpoint.ts';
import type { Look } from './breakpoints.ts';
import type { Fault } from './faults.ts';
import { type RecordedStop, recordedStops } from './recordedStops.ts';

/** A place in the past. */
export interface PastStop extends Stop {
  readonly state: JournalState;
  /** How many events of the journal `state` is the fold of. */
  readonly before: number;
  readonly faults: readonly Fault[];
  /** The breakpoints that stop there. */
  readonly by: readonly Breakpoint[];
  /** Nothing is recorded before it. */
  readonly isFirst: boolean;
}

export interface LookingBackPorts {
  readonly journal: Journal;
  /** The breakpoints as they are set now, for checkpoints on record. */
  readonly rules: () => Look;
  /** The agent is gone, or is being closed: nothing arrives any more. */
  readonly isOver: () => boolean;
  /** Arrived: at a place in the past, or in the present again (undefined). */
  readonly onArrived: (place: PastStop | undefined) => void;
}

export interface LookingBack {
  /** Where in the past one stands, or stood before one began to walk; undefined in the present. */
  readonly place: PastStop | undefined;
  /** On the way, for an instant: nothing is to be shown or asked. */
  readonly isWalking: boolean;
  /** What is looked at, also on the way (the conditions there are asked of it); undefined in the present. */
  readonly state: JournalState | undefined;
  /** To the checkpoint before. */
  stepBack(): Promise<void>;
  /** To the last checkpoint before that the breakpoints stop at; to the first one where there is none. */
  reverse(): Promise<void>;
  /** Forward through what is recorded, as the loop would go, at most to the present. */
  forward(step: Omit<Step, 'from'>): Promise<void>;
  /** Ends walking where it is. */
  halt(): void;
}

/** Checkpoints between two looks at whether something else wants its turn. */
const stride = 64;

/** A place to arrive at, and why there. */
interface Found extends Pick<PastStop, 'reason' | 'hits' | 'faults' | 'by'> {
  readonly index: number;
}

const stepped = { reason: 'step', hits: [], faults: [], by: [] } as const;
const halted = { reason: 'pause', hits: [], faults: [], by: [] } as const;

export function createLookingBack({ journal, rules, isOver, onArrived }: LookingBackPorts): LookingBack {
  const { events } = journal;
  let stops: readonly RecordedStop[] = [];
  let place: (PastStop & Found) | undefined;
  /** The fold that is walked along; owned here, so it may be folded on. */
  let passing: JournalState | undefined;
  let isWalking = false;
  let isHalted = false;

  /** Folds on where that leads there, else anew. */
  const passTo = (before: number): JournalState => {
    if (!passing || passing.seq > before) passing = foldAll(events, before);
    for (let seq = passing.seq; seq < before; seq++) fold(passing, events[seq]!);
    return passing;
  };

  const walk = async (go: () => Found | Promise<Found>): Promise<void> => {
    stops = recordedStops(events);
    [isWalking, isHalted] = [true, false];
    try {
      const found = await go();
      const isPresent = found.index >= stops.length - 1;
      place = isPresent ? undefined : placeOf(found);
    } finally {
      isWalking = false;
      passing = place?.state;
    }
    if (!isOver()) onArrived(place);
  };

  const placeOf = (found: Found): PastStop & Found => {
    const { before, ...at } = stops[found.index]!;
    return { ...checkpointOf(at), ...found, state: passTo(before), before, isFirst: found.index === 0 };
  };

  /** Whether one would stop at a place, in the state with which the loop arrived there. */
  const look = async (index: number, step: Step, ask: Look): Promise<Found | undefined> => {
    const at = stops[index]!;
    const since = events.slice((stops[index - 1]?.seq ?? -1) + 1, at.seq);
    const moment = { at: checkpointOf(at), journal: { ...journal, state: passTo(at.seq + 1) }, since };
    const { hits, faults, by } = await ask(moment, at.hits);
    const stop = stopAt(checkpointOf(at), hits, step);
    return stop && { index, reason: stop.reason, hits: stop.hits, faults, by };
  };

  /** The last place of a window where a run that goes on freely would stop. */
  const lastIn = async (first: number, end: number): Promise<Found | undefined> => {
    const ask = rules();
    let found: Found | undefined;
    // From the request before on: a text that has been gone for long is told from one that went here.
    const from = stops.findLastIndex(({ kind }, index) => index < first && kind === 'reply');
    for (let index = Math.max(0, from); index < end; index++) {
      const one = await look(index, { verb: 'continue' }, ask);
      if (index >= first) found = one ?? found;
    }
    return found;
  };

  const here = () => place?.index ?? stops.length - 1;

  return {
    get place() {
      return place;
    },
    get isWalking() {
      return isWalking;
    },
    get state() {
      return isWalking ? passing : place?.state;
    },
    stepBack: () => walk(() => ({ index: Math.max(0, here() - 1), ...stepped })),
    reverse: () =>
      walk(async () => {
        // The stop before is mostly near: windows grow, so that the way costs little where it is not.
        let end = here();
        for (let size = 1; end > 0; size = Math.min(size * 4, stride)) {
          const first = Math.max(0, end - size);
          const found = await lastIn(first, end);
          if (found) return found;
          end = first;
          await turn();
          if (isHalted || isOver()) return { index: end, ...halted };
        }
        return { index: 0, ...stepped };
      }),
    forward: (step) =>
      walk(async () => {
        const start = here();
        const whole = { ...step, ...(place ? { from: place.kind } : {}) };
        const ask = rules();
        for (let index = start + 1; index < stops.length - 1; index++) {
          const found = await look(index, whole, ask);
          if (found) return found;
          if ((index - start) % stride === 0) await turn();
          if (isHalted || isOver()) return { index, ...halted };
        }
        return { index: stops.length - 1, ...stepped };
      }),
    halt() {
      isHalted = true;
    },
  };
}

function checkpointOf({ kind, key }: Checkpoint): Checkpoint {
  return { kind, ...(key === undefined ? {} : { key }) };
}

/** Lets what else waits have its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

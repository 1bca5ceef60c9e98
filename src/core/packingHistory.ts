/**
 * What packings said of each message, by message: so that what held after any of them is looked up, and not folded
 * again from the first. Made once for a state and carried on with its packings, which only grow.
 */
import type { FateChange } from './events.ts';
import type { JournalState, PackingState } from './journalState.ts';
import type { MessageId } from './messages.ts';

/** What holds for some messages, asked one by one. */
export interface Lookup<Value> {
  get(id: MessageId): Value | undefined;
}

/** What was decided about a message, and the packing that decided it. */
export interface Decided {
  readonly change: FateChange;
  readonly packing: PackingState;
}

/** Values with the index of the packing from which on each holds, ascending. */
type Steps<Value> = (readonly [index: number, value: Value])[];

interface PackingHistory {
  /** Packings taken in. */
  upTo: number;
  readonly counts: Map<MessageId, Steps<number>>;
  readonly decided: Map<MessageId, Steps<Decided>>;
}

const histories = new WeakMap<JournalState, PackingHistory>();

/** Tokens of each message as they were counted at packing number `index`. */
export function tokensAt(state: JournalState, index: number): Lookup<number> {
  return lookup(historyOf(state).counts, index);
}

/** What was decided last about each message up to packing number `index`: also that it is kept again. */
export function decidedAt(state: JournalState, index: number): Lookup<Decided> {
  return lookup(historyOf(state).decided, index);
}

function lookup<Value>(all: ReadonlyMap<MessageId, Steps<Value>>, index: number): Lookup<Value> {
  return {
    get: (id) => {
      const steps = all.get(id);
      if (!steps) return undefined;
      let at = steps.length - 1;
      while (at >= 0 && steps[at]![0] > index) at--;
      return steps[at]?.[1];
    },
  };
}

function historyOf(state: JournalState): PackingHistory {
  let history = histories.get(state);
  if (!history) histories.set(state, (history = { upTo: 0, counts: new Map(), decided: new Map() }));
  for (; history.upTo < state.packings.length; history.upTo++) {
    const packing = state.packings[history.upTo]!;
    for (const [id, tokens] of packing.event.counted) addStep(history.counts, id, history.upTo, tokens);
    for (const change of packing.event.changed)
      addStep(history.decided, change.id, history.upTo, { change, packing });
  }
  return history;
}

function addStep<Value>(all: Map<MessageId, Steps<Value>>, id: MessageId, index: number, value: Value): void {
  const steps = all.get(id);
  if (steps) steps.push([index, value]);
  else all.set(id, [[index, value]]);
}

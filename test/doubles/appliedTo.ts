/** What an op makes of a journal, without a run: its `edited` behind the events, and the state of them all. */
import type { EventBody, JournalEvent } from '../../src/core/events.ts';
import { foldAll } from '../../src/core/fold.ts';
import type { JournalState } from '../../src/core/journalState.ts';
import { type Applied, apply, type Op } from '../../src/core/ops.ts';

export interface Scratch {
  readonly events: readonly JournalEvent[];
  readonly state: JournalState;
}

export function scratchOf(events: readonly JournalEvent[]): Scratch {
  return { events, state: foldAll(events) };
}

/** The refusal, or what is there then. */
export function appliedTo({ events, state }: Scratch, op: Op): Applied | Scratch {
  const applied = apply(state, op);
  if (!applied.ok) return applied;
  const { edit } = applied;
  if (!edit) return scratchOf(events);
  const more: JournalEvent[] = [];
  const add = (body: EventBody) => void more.push({ seq: events.length + more.length, at: 0, ...body });
  const part = (text: string) => {
    const id = `p${9000 + events.length + more.length}`;
    add({ type: 'part', id, text });
    return id;
  };
  const { before, after, with: others, ...rest } = edit;
  const body = {
    type: 'edited' as const,
    by: 'user' as const,
    ...rest,
    ...(before === undefined ? {} : { before: part(before) }),
    ...(after === undefined ? {} : { after: part(after) }),
    ...(others === undefined
      ? {}
      : { with: others.map((one) => (typeof one === 'string' ? one : ([one[0], part(one[1])] as const))) }),
  };
  add(body);
  return scratchOf([...events, ...more]);
}

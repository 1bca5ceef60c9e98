/**
 * Tool calls put together from what providers stream. The API gives every fragment an index and the first one
 * an id; servers leave out either or both, reuse them, or send whole calls. Which call a fragment belongs
 * to is decided by `createSlots`; ids, names and arguments are settled once, at the end.
 */
import { joinName } from './accumulateName.ts';
import { type Fragment, readFragment } from './accumulateFragment.ts';
import { settle, type SettledCall, type Slot } from './accumulateSettle.ts';
import { createSlots } from './accumulateSlots.ts';
import type { Notes } from './readReplyNotes.ts';

export interface CallCollector {
  /** The entries of a `delta.tool_calls`. */
  add(entries: readonly unknown[]): void;
  /** The entries of a complete message's `tool_calls`: each is a call of its own. */
  addWhole(entries: readonly unknown[]): void;
  readonly count: number;
  /** The calls in order, with ids, legal names and argument text. */
  settled(): SettledCall[];
}

export function createCallCollector(notes: Notes): CallCollector {
  const slots = createSlots(notes);
  return {
    add(entries) {
      slots.nextDelta();
      for (const fragment of fragmentsOf(entries)) extend(slots.of(fragment), fragment, notes);
    },
    addWhole(entries) {
      for (const fragment of fragmentsOf(entries)) extend(slots.open(fragment), fragment, notes);
    },
    get count() {
      return slots.all.length;
    },
    settled: () => settle(slots.all, notes),
  };

  function fragmentsOf(entries: readonly unknown[]): Fragment[] {
    return entries.flatMap((entry) => readFragment(entry, notes) ?? []);
  }
}

function extend(slot: Slot, { id, name, text, whole, typed, extra }: Fragment, notes: Notes): void {
  if (slot.id === '') slot.id = id;
  if (name !== '' && slot.name !== '') {
    notes.add('name-in-pieces', `the name of a call came more than once, last as ${JSON.stringify(name)}`);
  }
  if (name !== '') slot.name = joinName(slot.name, name);
  slot.text = whole ? text : slot.text + text;
  if (whole) slot.pieces.length = 0;
  slot.pieces.push(text);
  slot.typed ||= typed;
  for (const [field, value] of extra) slot.extra.add(field, value);
}

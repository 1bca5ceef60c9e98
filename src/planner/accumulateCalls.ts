/**
 * Tool calls put together from what providers stream. The API gives every fragment an index and the first one
 * an id; servers leave out either or both, reuse them, or send whole calls. Which call a fragment belongs
 * to is decided in `slotFor`; ids, names and arguments are settled once, at the end.
 */
import { isRecord, parseJson } from '../core/parseMessage.ts';
import { createFields } from './accumulateFields.ts';
import { joinName } from './accumulateName.ts';
import { type Fragment, readFragment } from './accumulateFragment.ts';
import { isBlank, settle, type SettledCall, type Slot } from './accumulateSettle.ts';
import type { Notes } from './readReplyNotes.ts';

export interface CallCollector {
  /** One entry of `delta.tool_calls`. */
  add(entry: unknown): void;
  /** One entry of a complete message's `tool_calls`: always a call of its own. */
  addWhole(entry: unknown): void;
  readonly count: number;
  /** The calls in order, with ids, legal names and argument text. */
  settled(): SettledCall[];
}

export function createCallCollector(notes: Notes): CallCollector {
  const slots: Slot[] = [];
  const byIndex = new Map<number, Slot>();
  let current: Slot | undefined;

  return {
    add(entry) {
      const fragment = readFragment(entry, notes);
      if (fragment) extend(slotFor(fragment), fragment);
    },
    addWhole(entry) {
      const fragment = readFragment(entry, notes);
      if (fragment) extend(open(fragment), fragment);
    },
    get count() {
      return slots.length;
    },
    settled: () => settle(slots, notes),
  };

  function open({ index }: Fragment): Slot {
    const slot: Slot = { index, id: '', name: '', text: '', typed: false, extra: createFields() };
    slots.push(slot);
    if (index !== undefined) byIndex.set(index, slot);
    return slot;
  }

  /** A known index or id continues its call; a new id opens one; neither goes on with the call in progress. */
  function slotFor(fragment: Fragment): Slot {
    if (fragment.index !== undefined) return slotAt(fragment.index, fragment);
    notes.add(
      'index-missing',
      'tool call fragments came without an index; they were told apart by id and order',
    );
    const known = fragment.id === '' ? current : slots.findLast((slot) => slot.id === fragment.id);
    if (known) return beginsAnother(known, fragment) ? open(fragment) : known;
    // An id that arrives after its call has begun comes without a name.
    if (current?.id === '' && fragment.name === '') return current;
    return open(fragment);
  }

  function slotAt(index: number, fragment: Fragment): Slot {
    const held = byIndex.get(index);
    if (!held) return open(fragment);
    const otherId = fragment.id !== '' && held.id !== '' && fragment.id !== held.id;
    if (!otherId) return held;
    if (fragment.name !== '' && (isBlank(held.text) || isComplete(held.text))) {
      notes.add('index-reused', `two calls came with index ${index}; they were told apart by id`);
      return open(fragment);
    }
    notes.add(
      'id-changed',
      `the id of call ${index + 1} changed while it was streamed; the first one is kept`,
    );
    return held;
  }

  function extend(slot: Slot, { id, name, text, whole, typed, extra }: Fragment): void {
    current = slot;
    if (slot.id === '') slot.id = id;
    if (name !== '' && slot.name !== '') {
      notes.add('name-in-pieces', `the name of a call came more than once, last as ${JSON.stringify(name)}`);
    }
    if (name !== '') slot.name = joinName(slot.name, name);
    slot.text = whole ? text : slot.text + text;
    slot.typed ||= typed;
    for (const [field, value] of extra) slot.extra.add(field, value);
  }
}

/** Without an index, a named fragment after complete arguments is the next call, even under the same id. */
function beginsAnother(held: Slot, { id, name, text }: Fragment): boolean {
  if (name === '' || held.name === '' || !isComplete(held.text)) return false;
  const repeated = isBlank(text) && (id !== '' || name === held.name);
  return !repeated;
}

function isComplete(text: string): boolean {
  return text.trimEnd().endsWith('}') && isRecord(parseJson(text));
}

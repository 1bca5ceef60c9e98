import { createFields } from './accumulateFields.ts';
import type { Fragment } from './accumulateFragment.ts';
import { isBlank, isObject, type Slot } from './accumulateSettle.ts';
import type { Notes } from './readReplyNotes.ts';

/** The calls of a reply that is being streamed. */
export interface Slots {
  readonly all: readonly Slot[];
  /** A call of its own for this fragment. */
  open(fragment: Fragment): Slot;
  /** The call that the fragment belongs to, opened when it is the first of it. */
  of(fragment: Fragment): Slot;
}

export function createSlots(notes: Notes): Slots {
  const all: Slot[] = [];
  const byIndex = new Map<number, Slot>();
  let current: Slot | undefined;

  return {
    all,
    open,
    of(fragment) {
      current = fragment.index === undefined ? without(fragment) : at(fragment.index, fragment);
      return current;
    },
  };

  function open({ index }: Fragment): Slot {
    const slot: Slot = { index, id: '', name: '', text: '', pieces: [], typed: false, extra: createFields() };
    all.push(slot);
    if (index !== undefined) byIndex.set(index, slot);
    return slot;
  }

  /** Without index: a known id continues its call, a new id opens one, no id goes on with the call in progress. */
  function without(fragment: Fragment): Slot {
    notes.add(
      'index-missing',
      'tool call fragments came without an index; they were told apart by id and order',
    );
    const known = fragment.id === '' ? current : all.findLast((slot) => slot.id === fragment.id);
    if (known) return beginsAnother(known, fragment) ? open(fragment) : known;
    // An id that arrives after its call has begun comes without a name.
    if (current?.id === '' && fragment.name === '') return current;
    if (!current || !goesOn(current, fragment)) return open(fragment);
    noteChanged(all.indexOf(current));
    return current;
  }

  function at(index: number, fragment: Fragment): Slot {
    const held = byIndex.get(index);
    if (!held) return open(fragment);
    const otherId = fragment.id !== '' && held.id !== '' && fragment.id !== held.id;
    if (!otherId) return isNextCall(held, fragment) ? reopened(index, fragment) : held;
    if (fragment.name !== '' && (isBlank(held.text) || isObject(held.text))) {
      return reopened(index, fragment);
    }
    noteChanged(index);
    return held;
  }

  function reopened(index: number, fragment: Fragment): Slot {
    notes.add('index-reused', `two calls came with index ${index}; they were told apart by id and order`);
    return open(fragment);
  }

  function noteChanged(index: number): void {
    const detail = `the id of call ${index + 1} changed while it was streamed; the first one is kept`;
    notes.add('id-changed', detail);
  }
}

/** The middle of an argument text under an id that is new: no text begins so. */
function goesOn(current: Slot, { name, text }: Fragment): boolean {
  return name === '' && !isBlank(current.text) && !isObject(current.text) && /^\s*[^{\s]/.test(text);
}

/** A whole call without an id of its own, behind a whole one: servers that number none of their calls. */
function isNextCall(held: Slot, { id, name, text }: Fragment): boolean {
  const isWhole = name !== '' && isObject(held.text) && isObject(text);
  return isWhole && id === '' && (name !== held.name || text.trim() !== held.text.trim());
}

/** Without an index, a named fragment after complete arguments is the next call, even under the same id. */
function beginsAnother(held: Slot, { id, name, text }: Fragment): boolean {
  if (name === '' || held.name === '' || !isObject(held.text)) return false;
  const isSame = id !== '' && id === held.id && name === held.name && text.trim() === held.text.trim();
  const repeated = isBlank(text) && (id !== '' || name === held.name);
  return !repeated && !isSame;
}

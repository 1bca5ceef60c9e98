import { isRecord, parseJson } from '../core/parseMessage.ts';
import { createFields } from './accumulateFields.ts';
import type { Fragment } from './accumulateFragment.ts';
import { isBlank, type Slot } from './accumulateSettle.ts';
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
    const slot: Slot = { index, id: '', name: '', text: '', typed: false, extra: createFields() };
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
    return current?.id === '' && fragment.name === '' ? current : open(fragment);
  }

  function at(index: number, fragment: Fragment): Slot {
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

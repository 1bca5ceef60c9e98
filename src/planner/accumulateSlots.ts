import { createFields } from './accumulateFields.ts';
import type { Fragment } from './accumulateFragment.ts';
import { isBlank, isObject, type Slot } from './accumulateSettle.ts';
import type { Notes } from './readReplyNotes.ts';

/** The calls of a reply that is being streamed. */
export interface Slots {
  readonly all: readonly Slot[];
  /** Another delta begins: what one delta names twice is two calls. */
  nextDelta(): void;
  /** A call of its own for this fragment. */
  open(fragment: Fragment): Slot;
  /** The call that the fragment belongs to, opened when it is the first of it. */
  of(fragment: Fragment): Slot;
}

export function createSlots(notes: Notes): Slots {
  const all: Slot[] = [];
  const byIndex = new Map<number, Slot>();
  let current: Slot | undefined;
  /** The call that an entry of this delta has named. */
  let named: Slot | undefined;

  return {
    all,
    nextDelta: () => (named = undefined),
    open,
    of(fragment) {
      current = fragment.index === undefined ? without(fragment) : at(fragment.index, fragment);
      if (fragment.name !== '') named = current;
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
    notes.add('index-missing', indexMissing);
    const known = fragment.id === '' ? current : withId(fragment.id);
    if (known) return isAnother(known, fragment) ? open(fragment) : known;
    if (current && isHeadOf(current, fragment)) return current;
    if (!current || !goesOn(current, fragment)) return open(fragment);
    noteChanged(all.indexOf(current));
    return current;
  }

  /** By index, except where the id or the text tells better: some servers count the fragments, not the calls. */
  function at(index: number, fragment: Fragment): Slot {
    const held = byIndex.get(index);
    const own = fragment.id === '' ? undefined : withId(fragment.id);
    if (own && own !== held && isSameCall(own, fragment)) return moved(index, own);
    if (!held)
      return current && fragment.id === '' && goesOn(current, fragment)
        ? moved(index, current)
        : open(fragment);
    const otherId = fragment.id !== '' && held.id !== '' && fragment.id !== held.id;
    if (!otherId) return isNextCall(held, fragment) ? reopened(index, fragment) : held;
    if (fragment.name !== '' && (isBlank(held.text) || isObject(held.text))) {
      return reopened(index, fragment);
    }
    noteChanged(index);
    return held;
  }

  /** Also what stands with a name of its own in one delta with it, where nothing has an id. */
  function isAnother(known: Slot, fragment: Fragment): boolean {
    if (fragment.id === '' && fragment.name !== '' && known === named) return true;
    return beginsAnother(known, fragment);
  }

  function withId(id: string): Slot | undefined {
    return all.findLast((slot) => slot.id === id);
  }

  function moved(index: number, slot: Slot): Slot {
    notes.add('index-changed', indexChanged);
    byIndex.set(index, slot);
    return slot;
  }

  function reopened(index: number, fragment: Fragment): Slot {
    notes.add('index-reused', `two calls came with index ${index}; they were told apart by id and order`);
    return open(fragment);
  }

  function noteChanged(index: number): void {
    notes.add(
      'id-changed',
      `the id of call ${index + 1} changed while it was streamed; the first one is kept`,
    );
  }
}

const indexMissing = 'tool call fragments came without an index; they were told apart by id and order';
const indexChanged = 'a call went on under another index than it began with';

/** An id that arrives after its call has begun: without a name, or with the first one that there is. */
function isHeadOf(current: Slot, { name, text }: Fragment): boolean {
  if (current.id !== '') return false;
  return name === '' || (current.name === '' && !(isObject(current.text) && isObject(text)));
}

/** The middle of an argument text, where its id or its index is new: no text begins so. */
function goesOn(current: Slot, { name, text }: Fragment): boolean {
  return name === '' && !isBlank(current.text) && !isObject(current.text) && /^\s*[^{\s]/.test(text);
}

/** A fragment with the id of a call: another call only where that one is whole and this one begins with a name. */
function isSameCall(own: Slot, { name, text }: Fragment): boolean {
  if (name === '' || own.name === '') return true;
  return name === own.name && (!isObject(own.text) || text.trim() === own.text.trim());
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

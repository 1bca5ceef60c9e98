/**
 * Tool calls put together from what providers stream. The API gives every fragment an index and the first one
 * an id; servers leave out either or both, reuse them, or send whole calls. Which call a fragment belongs
 * to is decided in `slotFor`; ids, names and arguments are settled once, at the end.
 */
import { legalName } from '../core/legal.ts';
import type { WireCall } from '../core/messages.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import { createFields, type Fields } from './accumulateFields.ts';
import { joinName } from './accumulateName.ts';
import { type Fragment, readFragment } from './accumulateFragment.ts';
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

export interface SettledCall {
  readonly call: WireCall;
  /** Nothing but blank came for its arguments: a call without parameters, or one that was cut early. */
  readonly blank: boolean;
}

interface Slot {
  readonly index: number | undefined;
  id: string;
  name: string;
  text: string;
  typed: boolean;
  readonly extra: Fields;
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
    settled: () => settle(inOrder(slots), notes),
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
    notes.add('index-missing', 'tool call fragments came without an index; they were told apart by id and order');
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
    notes.add('id-changed', `the id of call ${index + 1} changed while it was streamed; the first one is kept`);
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
function beginsAnother(held: Slot, { name, text }: Fragment): boolean {
  return name !== '' && isComplete(held.text) && !(isBlank(text) && name === held.name);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isComplete(text: string): boolean {
  return text.trimEnd().endsWith('}') && isRecord(parseJson(text));
}

/** By index when every call has one of its own, else as they came. */
function inOrder(slots: readonly Slot[]): readonly Slot[] {
  const indexes = slots.map(({ index }) => index);
  if (indexes.includes(undefined) || new Set(indexes).size < slots.length) return slots;
  return slots.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

function settle(slots: readonly Slot[], notes: Notes): SettledCall[] {
  const taken = new Set(slots.map(({ id }) => id));
  if (slots.some(({ id }, at) => id !== '' && slots.findIndex((slot) => slot.id === id) < at)) {
    notes.add('id-duplicate', 'calls of this reply share an id; they are told apart by position');
  }
  return slots.map((slot) => {
    const blank = isBlank(slot.text);
    if (blank) notes.add('arguments-empty', `arguments of ${slot.name} came as ${JSON.stringify(slot.text)}; {} is meant`);
    if (!slot.typed) notes.add('type-missing', 'a call came without "type": "function"');
    const call: WireCall = {
      id: slot.id === '' ? freshId(taken, notes) : slot.id,
      type: 'function',
      function: { name: settledName(slot.name, notes), arguments: blank ? '{}' : slot.text },
      ...slot.extra.all(),
    };
    return { call, blank };
  });
}

function freshId(taken: Set<string>, notes: Notes): string {
  let n = 1;
  while (taken.has(`call_${n}`)) n++;
  const id = `call_${n}`;
  taken.add(id);
  notes.add('id-missing', `a call came without an id; it was named ${id}`);
  return id;
}

/**
 * A name that the API takes back in the history. One that it would refuse is rewritten with an ending that no
 * tool has: the call fails as unknown instead of running something that was guessed.
 */
function settledName(name: string, notes: Notes): string {
  const trimmed = name.trim();
  if (legalName.test(trimmed)) {
    if (trimmed !== name) notes.add('name-blank', `blanks around the tool name ${JSON.stringify(name)} were taken off`);
    return trimmed;
  }
  const safe = `${trimmed.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 50)}_illegal_name`;
  notes.add('name-illegal', `tool name ${JSON.stringify(name.slice(0, 200))} can not be sent back; the history says ${safe}`);
  return safe;
}

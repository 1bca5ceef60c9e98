import { legalName } from '../core/messageFacts.ts';
import type { WireCall } from '../core/messages.ts';
import type { Fields } from './accumulateFields.ts';
import type { Notes } from './readReplyNotes.ts';

export interface SettledCall {
  readonly call: WireCall;
  /** Nothing but blank came for its arguments: a call without parameters, or one that was cut early. */
  readonly blank: boolean;
}

/** A call as it is being streamed. */
export interface Slot {
  readonly index: number | undefined;
  id: string;
  name: string;
  text: string;
  typed: boolean;
  readonly extra: Fields;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** By index when every call has one of its own, else as they came. */
function inOrder(slots: readonly Slot[]): readonly Slot[] {
  const indexes = slots.map(({ index }) => index);
  if (indexes.includes(undefined) || new Set(indexes).size < slots.length) return slots;
  return slots.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

/** Settles ids, names and arguments, once the stream is over. */
export function settle(unordered: readonly Slot[], notes: Notes): SettledCall[] {
  const slots = inOrder(unordered);
  const taken = new Set(slots.map(({ id }) => id));
  if (slots.some(({ id }, at) => id !== '' && slots.findIndex((slot) => slot.id === id) < at)) {
    notes.add('id-duplicate', 'calls of this reply share an id; they are told apart by position');
  }
  return slots.map((slot) => {
    const blank = isBlank(slot.text);
    if (blank)
      notes.add(
        'arguments-empty',
        `arguments of ${slot.name} came as ${JSON.stringify(slot.text)}; {} is meant`,
      );
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
    if (trimmed !== name)
      notes.add('name-blank', `blanks around the tool name ${JSON.stringify(name)} were taken off`);
    return trimmed;
  }
  const safe = `${trimmed.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 50)}_illegal_name`;
  notes.add(
    'name-illegal',
    `tool name ${JSON.stringify(name.slice(0, 200))} can not be sent back; the history says ${safe}`,
  );
  return safe;
}

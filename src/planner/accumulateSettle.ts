import { legalName } from '../core/messageFacts.ts';
import type { WireCall } from '../core/messages.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
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
  /** Its argument text, as the fragments say it one behind the other. */
  text: string;
  /** The fragments of it: see `settledText`. */
  readonly pieces: string[];
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
export function settle(arrived: readonly Slot[], notes: Notes): SettledCall[] {
  const unordered = withTheirArguments(arrived, notes);
  const slots = inOrder(unordered).filter(({ name, text }) => !isBlank(name) || !isBlank(text));
  if (slots.length < unordered.length)
    notes.add('call-empty', 'a call came with neither name nor arguments; it was left out');
  const taken = new Set(slots.map(({ id }) => id));
  if (slots.some(({ id }, at) => id !== '' && slots.findIndex((slot) => slot.id === id) < at)) {
    notes.add('id-duplicate', 'calls of this reply share an id; they are told apart by position');
  }
  return slots.map((slot) => {
    const text = settledText(slot, notes);
    const blank = isBlank(text);
    if (blank)
      notes.add('arguments-empty', `arguments of ${slot.name} came as ${JSON.stringify(text)}; {} is meant`);
    if (!slot.typed) notes.add('type-missing', 'a call came without "type": "function"');
    const call: WireCall = {
      id: slot.id === '' ? freshId(taken, notes) : slot.id,
      type: 'function',
      function: { name: settledName(slot.name, notes), arguments: blank ? '{}' : text },
      ...slot.extra.all(),
    };
    return { call, blank };
  });
}

/** Arguments that came under an index of their own, with neither id nor name, are those of the call before them that has none. */
function withTheirArguments(slots: readonly Slot[], notes: Notes): readonly Slot[] {
  const kept: Slot[] = [];
  for (const slot of slots) {
    const before = kept.at(-1);
    const isLost = slot.id === '' && isBlank(slot.name) && !isBlank(slot.text);
    if (!before || !isLost || isBlank(before.name) || !isBlank(before.text)) {
      kept.push(slot);
      continue;
    }
    notes.add('index-changed', 'the arguments of a call came under another index than it began with');
    before.text = slot.text;
    before.pieces.splice(0, Infinity, ...slot.pieces);
  }
  return kept;
}

/**
 * Servers that say the arguments again: the whole text so far in every fragment, the whole call once more at its end,
 * or an empty object before the true one. Only where the fragments one behind the other are no JSON object, and only
 * what a fragment says in full: nothing is put together that was not sent so.
 */
function settledText({ name, text, pieces }: Slot, notes: Notes): string {
  const said = pieces.filter((piece) => !isBlank(piece));
  if (said.length < 2 || isObject(text)) return text;
  const last = said.at(-1) ?? '';
  const behindEmpty = said[0]?.trim() === '{}' ? said.slice(1).join('') : '';
  const isAgain = said.slice(0, -1).join('') === last || isGrowing(said);
  const whole = [isAgain ? last : '', behindEmpty].find(isObject);
  if (whole === undefined) return text;
  notes.add('arguments-repeated', `arguments of ${name} came more than once; the last whole text counts`);
  return whole;
}

/** Each of them goes on from the one before. */
function isGrowing(pieces: readonly string[]): boolean {
  return pieces.every((piece, index) => piece.startsWith(pieces[index - 1] ?? ''));
}

export function isObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && isRecord(parseJson(text));
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

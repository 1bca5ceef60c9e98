/**
 * No message is larger than the cap, whatever else fits: one result of a megabyte must not be what a session can not
 * get past. A person's own words are never cut.
 */
import { type Draft, type PackInput, type PackMessage, sizeIn } from './pack.ts';
import type { Unit } from './units.ts';

/** Tokens below which a result is not worth cutting further: what is left would say nothing. */
const smallest = 24;

/** Cuts each message that is larger than the cap, pinned ones too: they stay, shortened. */
export function capMessages(draft: Draft, input: PackInput): void {
  for (const message of input.messages) {
    if (message.tokens > input.cap && mayBeCut(message, input)) cut(draft, input, message, input.cap);
  }
}

/**
 * The results of the newest block share the room that there is: each of them may be under the cap and all of them
 * together too large, and this block can not leave. Small results give what they do not need to the large ones.
 */
export function shareRoom(draft: Draft, units: readonly Unit[], input: PackInput): void {
  const size = (message: PackMessage) => sizeIn(draft, message);
  const must = units.filter(({ pinned, newest }) => pinned || newest).flatMap(({ messages }) => messages);
  const over = must.reduce((sum, message) => sum + size(message), input.fixed + input.reserve - input.limit);
  const newest = units.find((unit) => unit.newest)?.messages ?? [];
  const results = newest
    .filter((message) => message.role === 'tool' && mayBeCut(message, input))
    .sort((a, b) => size(a) - size(b));
  let room = results.reduce((sum, message) => sum + size(message), 0) - over;
  if (over <= 0 || room < results.length * smallest) return;
  results.forEach((message, index) => {
    const share = Math.floor(room / (results.length - index));
    if (size(message) > share) cut(draft, input, message, share);
    room -= size(message);
  });
}

function mayBeCut({ id, uncut }: PackMessage, { forced }: PackInput): boolean {
  return uncut !== true && forced.get(id) !== 'restore';
}

/** Shortens the whole message, also where it was shortened before: what counts is its own text. */
function cut(draft: Draft, input: PackInput, message: PackMessage, max: number): void {
  const { id } = message;
  const tokens = input.cut(id, max);
  if (tokens >= sizeIn(draft, message)) return;
  draft.sizes.set(id, tokens);
  draft.shortened.set(id, max);
  // Of one that was shortened before, the message in hand may be the shorter one.
  const need = draft.fates.get(id)?.need ?? message.tokens;
  draft.fates.set(id, { fate: 'trimmed', rule: 'cap', need, room: max });
}

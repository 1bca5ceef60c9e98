/**
 * Sums over the messages of a history. It is packed before every request and only grows, as a rule: a list that was made
 * by adding to another one goes on from the sums of that, so that a round costs what is new in it.
 */
import type { MessageId } from '../core/messages.ts';
import type { Measured } from './measure.ts';
import type { PackMessage } from './pack.ts';

export interface Tally {
  readonly ids: readonly MessageId[];
  /** Tokens of all, and of the largest one; NaN where one has no number. */
  readonly tokens: number;
  readonly largest: number;
  /** Tokens by our own count, and what of them stands for media: of messages that were measured. */
  readonly own: number;
  readonly media: number;
  /** A summary stands for one of them. */
  readonly isAnyFolded: boolean;
}

type Summed = PackMessage & { readonly measured?: Measured };

const nothing: Tally = { ids: [], tokens: 0, largest: 0, own: 0, media: 0, isAnyFolded: false };
const tallies = new WeakMap<readonly PackMessage[], Tally>();

/** The sums over a list, which never changes. */
export function tallyOf(messages: readonly Summed[]): Tally {
  const known = tallies.get(messages) ?? withMore(nothing, messages);
  tallies.set(messages, known);
  return known;
}

/** A list with more behind it. */
export function grown<Message extends Summed>(
  messages: readonly Message[],
  more: readonly Message[],
): readonly Message[] {
  const all = messages.concat(more);
  tallies.set(all, withMore(tallyOf(messages), more));
  return all;
}

function withMore(tally: Tally, more: readonly Summed[]): Tally {
  let { tokens, largest, own, media, isAnyFolded } = tally;
  for (const message of more) {
    tokens += message.tokens;
    largest = Math.max(largest, message.tokens);
    own += message.measured?.tokens ?? 0;
    media += message.measured?.media ?? 0;
    isAnyFolded ||= message.foldedInto !== undefined;
  }
  return { ids: tally.ids.concat(more.map(({ id }) => id)), tokens, largest, own, media, isAnyFolded };
}

/** Fates and counts of the messages at one packing, from the differences that packings journal. */
import type { ContextPacked, Fate, FateChange } from './events.ts';
import type { JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';

/** What each message's fate was after packing number `index`; a message that is not listed was kept. */
export function fatesAt(state: JournalState, index: number): Map<MessageId, FateChange> {
  const fates = new Map<MessageId, FateChange>();
  for (const packing of state.packings.slice(0, index + 1)) applyFates(fates, packing.event);
  return fates;
}

/** Tokens of each counted message after packing number `index`. */
export function tokensAt(state: JournalState, index: number): Map<MessageId, number> {
  if (index === state.packings.length - 1) return new Map(state.tokens);
  return new Map(state.packings.slice(0, index + 1).flatMap((packing) => packing.event.counted));
}

/** Takes over what one packing changed. */
export function applyFates(fates: Map<MessageId, FateChange>, event: ContextPacked): void {
  for (const change of event.changed) {
    if (change.fate === ('kept' satisfies Fate)) fates.delete(change.id);
    else fates.set(change.id, change);
  }
}

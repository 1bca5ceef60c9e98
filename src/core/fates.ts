/** Fates of the messages, from the differences that packings journal. */
import type { ContextPacked, Fate, FateChange } from './events.ts';
import type { MessageId } from './messages.ts';

/** Takes over what one packing changed; a message that is not listed is kept. */
export function applyFates(fates: Map<MessageId, FateChange>, event: ContextPacked): void {
  for (const change of event.changed) {
    if (change.fate === ('kept' satisfies Fate)) fates.delete(change.id);
    else fates.set(change.id, change);
  }
}

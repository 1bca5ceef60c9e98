import type { JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';

interface Places {
  /** `rewritten` of the state that they are of. */
  readonly rewritten: number;
  readonly of: Map<MessageId, number>;
}

const known = new WeakMap<JournalState, Places>();

/**
 * Where a message stands in the history; -1 for one that is not in it. Found once and carried on while the history only
 * grows: to look through ten thousand messages for each row that is drawn would cost more than the drawing.
 */
export function historyPlace(state: JournalState, id: MessageId): number {
  const { history, rewritten } = state;
  let places = known.get(state);
  if (places?.rewritten !== rewritten || places.of.size > history.length)
    known.set(state, (places = { rewritten, of: new Map() }));
  for (let at = places.of.size; at < history.length; at++) places.of.set(history[at]!, at);
  return places.of.get(id) ?? -1;
}

import { currentRound, type JournalState, type RoundState } from './journalState.ts';
import type { MessageId } from './messages.ts';

/** The history as a round's request sees it: with the messages that were added for that request only. */
export function requestHistory(
  state: JournalState,
  round: RoundState | undefined = currentRound(state),
): readonly MessageId[] {
  const inserted = round?.requestEdits.inserted ?? [];
  if (inserted.length === 0) return state.history;
  const list = [...state.history];
  for (const { ids, behind } of inserted) {
    const at = behind === undefined ? -1 : list.indexOf(behind);
    // What it stood behind has left since: it goes to the end, where it says the least about what is between.
    list.splice(behind !== undefined && at < 0 ? list.length : at + 1, 0, ...ids);
  }
  return list;
}

import { currentRound, type JournalState, roundAt, type RoundState } from '../src/core/journalState.ts';
import type { Selection } from '../src/core/protocol.ts';

/** The chosen round; the newest when none is chosen, or when the chosen one is not there. */
export function shownRound(state: JournalState, selection: Selection): RoundState | undefined {
  const chosen = selection && roundAt(state, selection.run, selection.round);
  return chosen ?? currentRound(state) ?? state.runs.findLast((run) => run.rounds.length > 0)?.rounds.at(-1);
}

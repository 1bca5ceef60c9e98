import type { JournalState, RunState } from './journalState.ts';

/** How a run ended, where that is known: a log of another agent has its requests, and not what became of the last one. */
export function knownEnd(state: JournalState, run: RunState): RunState['ended'] {
  return state.opened?.kind === 'attach' ? undefined : run.ended;
}

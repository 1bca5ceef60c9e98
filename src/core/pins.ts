import type { JournalState, RoundState } from './journalState.ts';
import type { MessageId } from './messages.ts';

/** Who pinned a message in a round: the rules (system prompt, the run's goal), the user, or nobody. */
export function pinsOf(
  state: JournalState,
  round: RoundState,
): (id: MessageId) => 'rule' | 'user' | undefined {
  const goal = state.runs.find((run) => run.run === round.run)?.goal;
  return (id) => {
    if (id === goal || state.messages.get(id)?.role === 'system') return 'rule';
    return state.pins.has(id) ? 'user' : undefined;
  };
}

import type { JournalState, RoundState } from './journalState.ts';

/** Tokens of a round's request as it stood when the round came to `plan`; undefined where nobody edited it since. */
export function totalBeforeEdits(state: JournalState, round: RoundState): number | undefined {
  const plan = round.checkpoints.findLast(({ kind }) => kind === 'plan')?.seq;
  const index = round.packing;
  if (plan === undefined || index === undefined) return undefined;
  const isEdited = round.edits.some(({ seq, by }) => seq > plan && by === 'user');
  const now = state.packings[index];
  if (!isEdited || !now || now.seq < plan) return undefined;
  return state.packings.findLast(({ seq }) => seq < plan)?.event.total;
}

import type { AppendedMessage } from './events.ts';
import { currentRound, currentRun, type JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';

/** A message enters the history: at its end, or before the one that it names. An id that is taken changes nothing. */
export function appendMessage(state: JournalState, message: AppendedMessage, seq: number): void {
  const round = currentRound(state);
  reserve(state, message.id);
  if (state.messages.has(message.id)) return;
  state.messages.set(message.id, {
    id: message.id,
    role: message.role,
    origin: message.origin,
    versions: [{ seq, part: message.part }],
    run: currentRun(state)?.run ?? 0,
    round: round?.round ?? 0,
  });
  const place = message.before === undefined ? -1 : state.history.indexOf(message.before);
  state.history.splice(place < 0 ? state.history.length : place, 0, message.id);
  const { folds } = message.origin;
  if (message.before !== undefined || folds) state.rewritten = state.seq;
  if (Array.isArray(folds)) for (const id of folds as readonly MessageId[]) state.folded.set(id, message.id);
  if (!round?.ended) round?.appended.push(message.id);
}

/** An id that is given out is not given out again, whatever becomes of it. */
export function reserve(state: JournalState, id: MessageId): void {
  state.highest.message = Math.max(state.highest.message, numberOf(id));
}

/** The number of an id of ours (`m12`); 0 for a foreign one, and for one too large to count on from. */
export function numberOf(id: string): number {
  return /^[mpr]\d{1,15}$/.test(id) ? Number(id.slice(1)) : 0;
}

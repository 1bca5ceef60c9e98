import type { MessageRow } from './compareSent.ts';
import { type JournalState, partAt, type RoundState } from './journalState.ts';
import { tokensAt } from './packingHistory.ts';
import { pinsOf } from './pins.ts';
import { sentList } from './sentList.ts';

/** A message of the history beside what a round made of it. */
export interface HistoryRow extends MessageRow {
  /** `whole`: sent as it is; `other`: with another text (trimmed, edited for that request); `left`: not sent. */
  readonly sent: 'whole' | 'other' | 'left';
}

/** The history as it stood when a round's request was made: what happened, whatever of it was sent. */
export function historyView(state: JournalState, round: RoundState): HistoryRow[] {
  const list = sentList(state, round);
  const before = list?.seq ?? round.seq;
  const sent = new Map(list?.items.map(({ id, part }) => [id, part]));
  const tokens = list?.packing === undefined ? undefined : tokensAt(state, list.packing);
  const pinOf = pinsOf(state, round);
  const rows: HistoryRow[] = [];
  for (const id of state.history) {
    const message = state.messages.get(id);
    const part = message && partAt(message, before);
    if (!message || part === undefined) continue;
    const isSent = sent.has(id);
    const row: { -readonly [Key in keyof HistoryRow]: HistoryRow[Key] } = {
      kind: 'message',
      id,
      role: message.role,
      change: 'kept',
      part,
      edits: [],
      sent: !isSent ? 'left' : sent.get(id) === part ? 'whole' : 'other',
    };
    const [count, pinned] = [tokens?.get(id), pinOf(id)];
    // Not spread, as there may be ten thousand of them.
    if (count !== undefined) row.tokens = count;
    if (pinned) row.pinned = pinned;
    rows.push(row);
  }
  return rows;
}

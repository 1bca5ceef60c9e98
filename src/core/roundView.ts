/**
 * What the Rounds panel shows of one round: the messages as sent, each against the request before it. By
 * identity, never by position: a dropped message does not make the ones after it look changed.
 */
import { type Change, compareSent, type MessageRow } from './compareSent.ts';
import type { JournalState, RoundState } from './journalState.ts';
import type { MessageId, RequestId } from './messages.ts';
import type { RoundRef } from './protocol.ts';
import { roundBefore, sentList, type SentList } from './sentList.ts';

/** Consecutive messages that did not change. */
export interface KeptRow {
  readonly kind: 'kept';
  readonly rows: readonly MessageRow[];
  /** Absent when a count is missing. */
  readonly tokens?: number;
}

export type RoundRow = MessageRow | KeptRow;

export interface RoundView {
  readonly run: number;
  readonly round: number;
  /** The round whose request this one is compared with; absent for the first request of a session. */
  readonly against?: RoundRef;
  /** `packing`: nothing is packed yet. `packed`: the request is ready and has not been sent. */
  readonly status: 'packing' | 'packed' | 'sent';
  readonly request?: RequestId;
  /** Tokens of the whole request by our count. */
  readonly total?: number;
  readonly rows: readonly RoundRow[];
  readonly counts: Readonly<Record<Change, number>>;
  /** Messages of the history that had left in an earlier round. */
  readonly leftEarlier: readonly MessageId[];
}

/** The view of a round of the state; cost grows with the messages of the two requests. */
export function roundView(state: JournalState, round: RoundState): RoundView {
  const counts = { kept: 0, new: 0, edited: 0, trimmed: 0, dropped: 0, folded: 0, restored: 0, removed: 0 };
  const base = { run: round.run, round: round.round, counts };
  const earlier = roundBefore(state, round);
  const against = earlier && { run: earlier.run, round: earlier.round };
  const now = sentList(state, round);
  if (!now) return { ...base, status: 'packing', rows: [], leftEarlier: [], ...(against ? { against } : {}) };
  const old = earlier && sentOf(state, earlier);
  const rows = compareSent(state, round, old, now);
  for (const row of rows) counts[row.change]++;
  const total = now.packing === undefined ? undefined : state.packings[now.packing]?.event.total;
  return {
    ...base,
    status: now.request === undefined ? 'packed' : 'sent',
    rows: fold(rows),
    leftEarlier: leftEarlier(state, now, rows),
    ...(against ? { against } : {}),
    ...(now.request === undefined ? {} : { request: now.request }),
    ...(total === undefined ? {} : { total }),
  };
}

/** The request that an earlier round did send, even where it had packed again since. */
function sentOf(state: JournalState, round: RoundState): SentList | undefined {
  const { packing: _packing, ...rest } = round;
  return sentList(state, rest);
}

function fold(rows: readonly MessageRow[]): RoundRow[] {
  const result: RoundRow[] = [];
  let kept: MessageRow[] = [];
  const flush = () => {
    if (kept.length > 0) result.push({ kind: 'kept', rows: kept, ...sumOf(kept) });
    kept = [];
  };
  for (const row of rows) {
    if (row.change === 'kept') kept.push(row);
    else {
      flush();
      result.push(row);
    }
  }
  flush();
  return result;
}

function sumOf(rows: readonly MessageRow[]): { tokens?: number } {
  let tokens = 0;
  for (const row of rows) {
    if (row.tokens === undefined) return {};
    tokens += row.tokens;
  }
  return { tokens };
}

function leftEarlier(state: JournalState, now: SentList, rows: readonly MessageRow[]): MessageId[] {
  const shown = new Set(rows.map((row) => row.id));
  return state.history.filter(
    (id) => !shown.has(id) && (state.messages.get(id)?.versions[0]?.seq ?? Infinity) < now.seq,
  );
}

/**
 * What the Rounds panel shows of one round: the messages as sent, each against the request before it. By
 * identity, never by position: a dropped message does not make the ones after it look changed.
 */
import { type Change, compareSent, type RoundRow } from './compareSent.ts';
import type { JournalState, RoundState } from './journalState.ts';
import type { MessageId, RequestId } from './messages.ts';
import type { RoundRef } from './protocol.ts';
import { roundBefore, sentList, type SentList } from './sentList.ts';

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

/**
 * The view of a round of the state; cost grows with the messages of the two requests. `chosen` is the earlier round to
 * compare with, where it is not the one before.
 */
export function roundView(state: JournalState, round: RoundState, chosen?: RoundState): RoundView {
  const counts = { kept: 0, new: 0, edited: 0, trimmed: 0, dropped: 0, folded: 0, restored: 0, removed: 0 };
  const base = { run: round.run, round: round.round, counts };
  const earlier = chosen && chosen.seq < round.seq ? chosen : roundBefore(state, round);
  const against = earlier && { run: earlier.run, round: earlier.round };
  const now = sentList(state, round);
  if (!now) return { ...base, status: 'packing', rows: [], leftEarlier: [], ...(against ? { against } : {}) };
  const old = earlier && sentOf(state, earlier);
  const rows = compareSent(state, round, old, now);
  for (const row of rows) {
    if (row.kind === 'kept') counts.kept += row.count;
    else counts[row.change]++;
  }
  let left: readonly MessageId[] | undefined;
  const total = now.packing === undefined ? undefined : state.packings[now.packing]?.event.total;
  return {
    ...base,
    status: now.request === undefined ? 'packed' : 'sent',
    rows,
    get leftEarlier() {
      return (left ??= leftEarlier(state, now, rows));
    },
    ...(against ? { against } : {}),
    ...(now.request === undefined ? {} : { request: now.request }),
    ...(total === undefined ? {} : { total }),
  };
}

/**
 * What a round's view is made of, beside the round: while these are the same, so is the view. A reply, a call or a new
 * round changes none of them.
 */
export function roundViewKey(
  state: JournalState,
  round: RoundState,
  chosen?: RoundState,
): readonly unknown[] {
  const { packing, requests } = round;
  return [state, round, chosen, packing, requests.length, state.rewritten];
}

/** The request that an earlier round did send, even where it had packed again since. */
function sentOf(state: JournalState, round: RoundState): SentList | undefined {
  const { packing: _packing, ...rest } = round;
  return sentList(state, rest);
}

function leftEarlier(state: JournalState, now: SentList, rows: readonly RoundRow[]): MessageId[] {
  // Both are in the order of the history, so that nearly all of what is sent is passed side by side.
  let at = 0;
  const missing = state.history.filter((id) => {
    if (now.items[at]?.id !== id) return (state.messages.get(id)?.versions[0]?.seq ?? Infinity) < now.seq;
    at++;
    return false;
  });
  if (missing.length === 0) return missing;
  const shown = new Set(now.items.map((item) => item.id));
  for (const row of rows) if (row.kind === 'message') shown.add(row.id);
  return missing.filter((id) => !shown.has(id));
}

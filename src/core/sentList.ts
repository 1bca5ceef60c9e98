import { itemId, requestItems } from './body.ts';
import type { Item } from './events.ts';
import { decisionsAt } from './decisions.ts';
import { type JournalState, partAt, type RequestState, type RoundState } from './journalState.ts';
import type { MessageId, PartId, RequestId } from './messages.ts';
import { requestHistory } from './requestHistory.ts';

/** The messages of one request with the texts they are sent with, in the order they are sent. */
export interface SentList {
  /** Absent while the request is packed and has not left. */
  readonly request?: RequestId;
  /** Events before this one count: the first attempt, or the packing. */
  readonly seq: number;
  /** Index of the packing that decided it, in `packings`. */
  readonly packing?: number;
  readonly items: readonly SentItem[];
}

export interface SentItem {
  readonly id: MessageId;
  readonly part: PartId | undefined;
}

/**
 * What a round sends: its last request, or the packing made after it where the next request has not left
 * (also when the model is asked again). Undefined when the round has packed nothing yet.
 */
export function sentList(state: JournalState, round: RoundState): SentList | undefined {
  const packing = round.packing === undefined ? undefined : state.packings[round.packing];
  if (packing && isPacked(state, round)) return packedList(state, round, round.packing ?? 0, packing.seq);
  const request = round.requests.at(-1);
  return request === undefined ? undefined : requestList(state, request, sentAt(state, round));
}

/** Whether a round's last packing has not left yet. */
export function isPacked(state: JournalState, round: RoundState): boolean {
  const packing = round.packing === undefined ? undefined : state.packings[round.packing];
  return packing !== undefined && packing.seq > sentAt(state, round);
}

/** Seq of the first attempt of a round's last request; -1 when there is none. */
function sentAt(state: JournalState, round: RoundState): number {
  return state.requests.get(round.requests.at(-1) ?? '')?.attempts[0]?.seq ?? -1;
}

/** The last round before this one (of this run or an earlier one) that sent a request. */
export function roundBefore(state: JournalState, round: RoundState): RoundState | undefined {
  return state.runs
    .flatMap((run) => run.rounds)
    .findLast((one) => one.seq < round.seq && one.requests.length > 0);
}

/** A list, and the items of the request that it was made of. */
interface MadeList {
  readonly list: SentList;
  readonly from: readonly Item[];
}

/** Lists of requests, newest last. Who goes from round to round compares each request twice: with its two neighbours. */
const recent = new WeakMap<JournalState, Map<RequestState, MadeList>>();
const mostRecent = 4;

/** What has left does not change: a list holds for good. */
function requestList(state: JournalState, request: RequestId, seq: number): SentList {
  const known = state.requests.get(request);
  const lists = recent.get(state) ?? new Map<RequestState, MadeList>();
  recent.set(state, lists);
  const made = (known && lists.get(known)) ?? makeList(state, request, seq, [...lists.values()].at(-1));
  if (!known) return made.list;
  lists.delete(known);
  lists.set(known, made);
  for (const oldest of lists.keys()) if (lists.size > mostRecent) lists.delete(oldest);
  return made.list;
}

/**
 * Two requests of a run share nearly all items, and an item's text is the same in both unless it got another one for
 * good between them: what `near` has at the same place is taken over, and need not be looked up or compared again.
 */
function makeList(
  state: JournalState,
  request: RequestId,
  seq: number,
  near: MadeList | undefined,
): MadeList {
  const from = requestItems(state, request);
  const [first, last] = [Math.min(seq, near?.list.seq ?? 0), Math.max(seq, near?.list.seq ?? 0)];
  const reworded = new Set(
    state.reworded.flatMap((one) => (one.seq >= first && one.seq < last ? [one.id] : [])),
  );
  const items = from.map((item, index): SentItem => {
    const same = near?.from[index] === item ? near.list.items[index] : undefined;
    if (same && !reworded.has(same.id)) return same;
    return { id: itemId(item), part: typeof item === 'string' ? textPart(state, item, seq) : item[1] };
  });
  const packing = state.packings.findLastIndex((one) => one.seq < seq);
  return { list: { request, seq, items, ...(packing < 0 ? {} : { packing }) }, from };
}

function packedList(state: JournalState, round: RoundState, packing: number, seq: number): SentList {
  const fates = decisionsAt(state, packing);
  const decidedNow = new Set(state.packings[packing]?.event.changed.map((change) => change.id));
  const edited = round.requestEdits.texts;
  const items = requestHistory(state, round)
    .filter((id) => (state.messages.get(id)?.versions[0]?.seq ?? Infinity) < seq)
    .filter((id) => !isOut(fates.get(id)?.change.fate))
    .map((id) => {
      const trimmed = fates.get(id)?.change.part;
      // A text that was edited for this request and then found too long is sent trimmed.
      const part = decidedNow.has(id) ? (trimmed ?? edited.get(id)) : (edited.get(id) ?? trimmed);
      return { id, part: part ?? textPart(state, id, Infinity) };
    });
  return { seq, packing, items };
}

/** Whether a fate means that the message is not sent. */
export function isOut(fate: string | undefined): boolean {
  return fate === 'dropped' || fate === 'folded';
}

function textPart(state: JournalState, id: MessageId, seq: number): PartId | undefined {
  const message = state.messages.get(id);
  return message && partAt(message, seq);
}

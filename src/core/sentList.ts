import { itemId, requestItems } from './body.ts';
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
  const request = round.requests.at(-1);
  const sentAt = request === undefined ? -1 : (state.requests.get(request)?.attempts[0]?.seq ?? -1);
  const packing = round.packing === undefined ? undefined : state.packings[round.packing];
  if (packing && packing.seq > sentAt) return packedList(state, round, round.packing ?? 0, packing.seq);
  return request === undefined ? undefined : requestList(state, request, sentAt);
}

/** The last round before this one (of this run or an earlier one) that sent a request. */
export function roundBefore(state: JournalState, round: RoundState): RoundState | undefined {
  return state.runs
    .flatMap((run) => run.rounds)
    .findLast((one) => one.seq < round.seq && one.requests.length > 0);
}

/** Lists of requests, newest last. Who goes from round to round compares each request twice: with its two neighbours. */
const recent = new WeakMap<JournalState, Map<RequestState, SentList>>();
const mostRecent = 4;

/** What has left does not change: a list holds for good. */
function requestList(state: JournalState, request: RequestId, seq: number): SentList {
  const known = state.requests.get(request);
  const lists = recent.get(state) ?? new Map<RequestState, SentList>();
  recent.set(state, lists);
  const list = (known && lists.get(known)) ?? makeList(state, request, seq);
  if (!known) return list;
  lists.delete(known);
  lists.set(known, list);
  for (const oldest of lists.keys()) if (lists.size > mostRecent) lists.delete(oldest);
  return list;
}

function makeList(state: JournalState, request: RequestId, seq: number): SentList {
  const items = requestItems(state, request).map((item) => ({
    id: itemId(item),
    part: typeof item === 'string' ? textPart(state, item, seq) : item[1],
  }));
  const packing = state.packings.findLastIndex((one) => one.seq < seq);
  return { request, seq, items, ...(packing < 0 ? {} : { packing }) };
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

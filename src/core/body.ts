/**
 * Request bodies as text, made of the journal's parts: body = text(head) + texts(list) joined by `,` + texts(tail).
 * What is rebuilt here is what was sent, byte for byte; `check` proves it by hash.
 */
import type { Item, ModelRequested, Splice } from './events.ts';
import { type JournalState, type RequestState, textOf } from './journalState.ts';
import type { MessageId, RequestId } from './messages.ts';

export function itemId(item: Item): MessageId {
  return typeof item === 'string' ? item : item[0];
}

function sameItem(a: Item | undefined, b: Item | undefined): boolean {
  if (typeof a === 'string' || typeof b === 'string' || !a || !b) return a === b;
  return a[0] === b[0] && a[1] === b[1];
}

/** Applies splices (positions of the old list, ascending) and returns the new list. */
export function applySplices(list: readonly Item[], splices: readonly Splice[]): readonly Item[] {
  const result: Item[] = [];
  let from = 0;
  for (const [at, remove, insert] of splices) {
    for (; from < at && from < list.length; from++) result.push(list[from]!);
    for (const item of insert) result.push(item);
    from = Math.max(from, at + remove);
  }
  for (; from < list.length; from++) result.push(list[from]!);
  return result;
}

/**
 * Splices that turn one list into another, by identity: O(n) for lists that keep their order, and correct
 * (delete, insert) for those that do not.
 */
export function splicesBetween(from: readonly Item[], to: readonly Item[]): Splice[] {
  let start = 0;
  while (start < from.length && start < to.length && sameItem(from[start], to[start])) start++;
  let endFrom = from.length;
  let endTo = to.length;
  while (endFrom > start && endTo > start && sameItem(from[endFrom - 1], to[endTo - 1])) {
    endFrom--;
    endTo--;
  }
  return middle(from, to, start, endFrom, endTo);
}

/** Between the common ends: walk both, skipping what the other side does not have ahead. */
function middle(
  from: readonly Item[],
  to: readonly Item[],
  start: number,
  endFrom: number,
  endTo: number,
): Splice[] {
  const splices: Splice[] = [];
  const ahead = new Map<string, number>();
  for (let j = start; j < endTo; j++) ahead.set(itemKey(to[j]!), j);
  let j = start;
  let i = start;
  while (i < endFrom || j < endTo) {
    const at = i;
    // Delete from the old list until an item that stands at or ahead of j in the new one.
    while (i < endFrom && (ahead.get(itemKey(from[i]!)) ?? -1) < j) i++;
    const next = i < endFrom ? ahead.get(itemKey(from[i]!))! : endTo;
    if (i > at || next > j) splices.push([at, i - at, to.slice(j, next)]);
    j = next;
    while (i < endFrom && j < endTo && sameItem(from[i], to[j])) {
      i++;
      j++;
    }
  }
  return splices;
}

function itemKey(item: Item): string {
  return typeof item === 'string' ? item : `${item[0]}\u0000${item[1]}`;
}

/**
 * The list of messages that a request sent, its retries included; empty for an unknown request.
 * The newest request keeps its list, so that the next one starts from there and not from the first.
 */
export function requestItems(state: JournalState, id: RequestId): readonly Item[] {
  const chain = new Set<RequestState>();
  let list: readonly Item[] = [];
  for (let at: RequestId | null = id; at !== null;) {
    const request: RequestState | undefined = state.requests.get(at);
    if (!request || chain.has(request)) break;
    if (request.items) {
      list = request.items;
      break;
    }
    chain.add(request);
    at = request.on;
  }
  if (chain.size > 0) list = applyChain([...list], [...chain]);
  if (id === state.lastRequest) keepList(state, id, list);
  return list;
}

/** Splices of many requests, oldest last, in one list: a copy for each would cost rounds times messages. */
function applyChain(list: Item[], chain: readonly RequestState[]): readonly Item[] {
  for (const { splices } of chain.toReversed())
    if (!spliceInPlace(list, splices)) list = [...applySplices(list, splices)];
  return list;
}

/** Applies splices to the list itself; false, with the list as it was, where they are not written as they should be. */
export function spliceInPlace(list: Item[], splices: readonly Splice[]): boolean {
  if (!isPlain(splices, list.length)) return false;
  for (const [at, remove, insert] of splices.toReversed()) list.splice(at, remove, ...insert);
  return true;
}

/** Items that a call takes as arguments: far fewer than the stack does. */
const mostArguments = 10_000;

/** Apart, ascending and inside the list, as they are written, and short enough to be arguments. */
function isPlain(splices: readonly Splice[], length: number): boolean {
  let end = 0;
  for (const [at, remove, insert] of splices) {
    if (at < end || insert.length > mostArguments) return false;
    end = at + remove;
  }
  return end <= length;
}

function keepList(state: JournalState, id: RequestId, list: readonly Item[]): void {
  const request = state.requests.get(id);
  if (!request) return;
  request.items = list;
  const before = request.on === null ? undefined : state.requests.get(request.on);
  if (before) delete before.items;
}

/** The text of an item as it stood before event `seq`. */
export function itemText(state: JournalState, item: Item, seq = Infinity): string | undefined {
  return typeof item === 'string' ? textOf(state, item, seq) : state.parts.get(item[1]);
}

/**
 * A body as the texts that it is made of. From one request to the next nearly all of them are the same strings, so
 * whoever hashes, encodes or sends them may do so once for each; the whole is joined only for who asks for it.
 */
export interface RequestBody {
  readonly head: string;
  /** The messages, in order: commas stand between them. */
  readonly texts: readonly string[];
  readonly tail: readonly string[];
  /** The whole body; joined anew each time. */
  readonly text: string;
}

export function requestBody(
  head: string,
  texts: readonly string[] = [],
  tail: readonly string[] = [],
): RequestBody {
  return {
    head,
    texts,
    tail,
    get text() {
      return head + texts.join(',') + tail.join('');
    },
  };
}

/** Whether texts begin with those of another body: as a rule the very same strings, which compare at no cost. */
export function beginsWith(texts: readonly string[], before: readonly string[]): boolean {
  if (before.length > texts.length) return false;
  // Of a thousand messages, several times in each round: no call for each.
  for (let index = 0; index < before.length; index++) if (before[index] !== texts[index]) return false;
  return true;
}

/** The exact body of an attempt, or undefined when a text of it is missing. */
export function bodyOf(state: JournalState, sent: ModelRequested, seq: number): string | undefined {
  const head = state.parts.get(sent.head);
  const tail = sent.tail.map((part) => state.parts.get(part));
  const texts = requestItems(state, sent.request).map((item) => itemText(state, item, seq));
  if (head === undefined || [...tail, ...texts].includes(undefined)) return undefined;
  return requestBody(head, texts as string[], tail as string[]).text;
}

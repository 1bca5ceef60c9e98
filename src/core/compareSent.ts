import { type Decisions, decisionsAt, type LeaveReason, reasonsOnce } from './decisions.ts';
import { idDiff } from './diff/idDiff.ts';
import { type EditNote, editNotes } from './editNotes.ts';
import type { JournalState, RoundState } from './journalState.ts';
import type { MessageId, PartId, Role } from './messages.ts';
import { type Lookup, tokensAt } from './packingHistory.ts';
import { pinsOf } from './pins.ts';
import type { SentItem, SentList } from './sentList.ts';

/**
 * What happened to a message since the request before. `restored`: it is sent again, or its own text is (it
 * had been trimmed, or edited for that request only). `removed`: it left without a packing's word.
 */
export type Change = 'kept' | 'new' | 'edited' | 'trimmed' | 'dropped' | 'folded' | 'restored' | 'removed';

export interface MessageRow {
  readonly kind: 'message';
  readonly id: MessageId;
  readonly role: Role | undefined;
  readonly change: Change;
  /** Its text in this request; for one that left, the text it had last. */
  readonly part: PartId | undefined;
  /** Its text in the request before, where that was another one. */
  readonly before?: PartId;
  readonly tokens?: number;
  readonly tokensBefore?: number;
  /** Sent shortened, whether that is new or not. */
  readonly trimmed?: LeaveReason;
  /** Why it left: on the last row of the messages that left together. */
  readonly reason?: LeaveReason;
  /** The summary it went into. */
  readonly into?: MessageId;
  /** Edits since the request before, oldest first. */
  readonly edits: readonly EditNote[];
  readonly pinned?: 'rule' | 'user';
}

/** Consecutive messages that did not change. */
export interface KeptRow {
  readonly kind: 'kept';
  readonly count: number;
  readonly first: MessageId;
  readonly last: MessageId;
  /** Absent when a count is missing. */
  readonly tokens?: number;
  readonly pinned: boolean;
  /** Made when they are asked for: of ten thousand messages nearly all are kept, and nobody opens them. */
  readonly rows: readonly MessageRow[];
}

export type RoundRow = MessageRow | KeptRow;

/** The messages of either request, by identity, in the order of the history. */
export function compareSent(
  state: JournalState,
  round: RoundState,
  old: SentList | undefined,
  now: SentList,
): RoundRow[] {
  const { before, after, ...middle } = apart(old?.items ?? [], now.items);
  const context: Comparison = {
    state,
    pinOf: pinsOf(state, round),
    since: old?.seq ?? -1,
    decisions: decisionsAt(state, now.packing ?? -1),
    old: new Map(middle.old.map((item) => [item.id, item])),
    notes: editNotes(state, old?.seq ?? -1, now.seq),
    tokens: tokensAt(state, now.packing ?? -1),
    tokensBefore: tokensAt(state, old?.packing ?? -1),
  };
  const pieces = withNeverSent(context, now.packing, middle.now, [
    { kind: 'span', items: before },
    ...piecesOf(context, middle.old, middle.now),
    { kind: 'span', items: after },
  ]);
  return grouped(context, reasonsOnce(pieces));
}

/** Two lists without what they both begin and end with, which as a rule is nearly all. */
function apart(old: readonly SentItem[], now: readonly SentItem[]) {
  const most = Math.min(old.length, now.length);
  const isEqual = (a: SentItem | undefined, b: SentItem | undefined) =>
    a !== undefined && (a === b || (a.id === b?.id && a.part === b.part));
  let start = 0;
  while (start < most && isEqual(old[start], now[start])) start++;
  let end = 0;
  while (end < most - start && isEqual(old[old.length - 1 - end], now[now.length - 1 - end])) end++;
  return {
    before: now.slice(0, start),
    old: old.slice(start, old.length - end),
    now: now.slice(start, now.length - end),
    after: now.slice(now.length - end),
  };
}

interface Comparison {
  readonly state: JournalState;
  readonly pinOf: ReturnType<typeof pinsOf>;
  /** Seq of the request before. */
  readonly since: number;
  readonly decisions: Decisions;
  /** What the request before sent, but for what both begin and end with. */
  readonly old: ReadonlyMap<MessageId, SentItem>;
  readonly notes: ReadonlyMap<MessageId, readonly EditNote[]>;
  readonly tokens: Lookup<number>;
  readonly tokensBefore: Lookup<number>;
}

const sentItems = {
  idOf: (item: SentItem) => item.id,
  isSame: (a: SentItem, b: SentItem) => a.part === b.part,
};

/** A row, or messages in a row that are all kept. */
type Piece = MessageRow | { readonly kind: 'span'; readonly items: readonly SentItem[] };

/** Both lists as one: what left stands where it stood, before what came in its place. */
function piecesOf(context: Comparison, old: readonly SentItem[], now: readonly SentItem[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (list: readonly SentItem[], start: number, count: number, sent: boolean) => {
    for (let index = start; index < start + count; index++) pieces.push(rowOf(context, list[index]!, sent));
  };
  for (const step of idDiff(old, now, sentItems).steps) {
    if (step.kind === 'removed') add(old, step.from, step.count, false);
    else if (step.kind === 'kept')
      pieces.push({ kind: 'span', items: now.slice(step.to, step.to + step.count) });
    else if (step.kind === 'added') add(now, step.to, step.items.length, true);
    else add(now, step.to, 1, true);
  }
  return pieces;
}

/** What is kept as groups, what changed as it is. */
function grouped(context: Comparison, pieces: readonly Piece[]): RoundRow[] {
  const rows: RoundRow[] = [];
  let kept: SentItem[] = [];
  const flush = () => {
    if (kept.length > 0) rows.push(groupOf(context, kept));
    kept = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'span') for (const item of piece.items) kept.push(item);
    else if (piece.change === 'kept') kept.push(piece);
    else {
      flush();
      rows.push(piece);
    }
  }
  flush();
  return rows;
}

function groupOf(context: Comparison, items: readonly SentItem[]): KeptRow {
  let tokens: number | undefined = 0;
  let pinned = false;
  for (const { id } of items) {
    const count = context.tokens.get(id);
    tokens = tokens === undefined || count === undefined ? undefined : tokens + count;
    pinned ||= context.pinOf(id) !== undefined;
  }
  let rows: readonly MessageRow[] | undefined;
  return {
    kind: 'kept',
    count: items.length,
    first: items[0]?.id ?? '',
    last: items.at(-1)?.id ?? '',
    pinned,
    ...(tokens === undefined ? {} : { tokens }),
    get rows() {
      return (rows ??= items.map((item) => rowOf(context, item, 'kept')));
    },
  };
}

/** `sent`: whether this request has it, or that it is the same as before. */
function rowOf(context: Comparison, item: SentItem, sent: boolean | 'kept'): MessageRow {
  const { id, part } = item;
  const role = context.state.messages.get(id)?.role;
  const before = sent === 'kept' ? item : context.old.get(id);
  const decision = context.decisions.get(id)?.change;
  const change = sent ? changeOfSent(context, item, before) : changeOfGone(decision?.fate);
  const row: Writable<MessageRow> = {
    kind: 'message',
    id,
    role,
    change,
    part,
    edits: context.notes.get(id) ?? [],
  };
  // Assigned one by one and not spread: there may be ten thousand of them, and nearly all are simply kept.
  const pin = context.pinOf(id);
  const tokens = context.tokens.get(id);
  const tokensBefore = context.tokensBefore.get(id);
  const reason = decision && context.decisions.reason(id);
  if (pin) row.pinned = pin;
  if (tokens !== undefined) row.tokens = tokens;
  if (tokensBefore !== undefined) row.tokensBefore = tokensBefore;
  if (sent && before?.part !== undefined && before.part !== part) row.before = before.part;
  if (reason && sent && decision.fate === 'trimmed') row.trimmed = reason;
  if (reason && !sent) row.reason = reason;
  if (decision?.into !== undefined) row.into = decision.into;
  return row;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function changeOfSent(context: Comparison, item: SentItem, before: SentItem | undefined): Change {
  if (!before) return isFresh(context, item.id) ? 'new' : 'restored';
  if (before.part === item.part) return 'kept';
  const decision = context.decisions.get(item.id)?.change;
  if (decision?.fate === 'trimmed' && decision.part === item.part) return 'trimmed';
  // Nobody touched it: what ended is a trimming, or an edit of the request before.
  return context.notes.has(item.id) ? 'edited' : 'restored';
}

function changeOfGone(fate: string | undefined): Change {
  return fate === 'dropped' || fate === 'folded' ? fate : 'removed';
}

/** Messages that entered since the request before and were left out at once: no request ever held them. */
function withNeverSent(
  context: Comparison,
  packing: number | undefined,
  now: readonly SentItem[],
  pieces: readonly Piece[],
): readonly Piece[] {
  const { state, decisions, old, since } = context;
  const sent = new Set(now.map((item) => item.id));
  const isNeverSent = (id: MessageId) =>
    decisions.get(id) && !sent.has(id) && !old.has(id) && isFresh(context, id);
  const missing = new Set<MessageId>();
  for (let at = packing ?? -1; (state.packings[at]?.seq ?? -1) > since; at--)
    for (const { id } of state.packings[at]!.event.changed) if (isNeverSent(id)) missing.add(id);
  if (missing.size === 0) return pieces;
  const place = new Map(state.history.map((id, index) => [id, index]));
  const placeOf = (id: MessageId | undefined) => place.get(id ?? '') ?? -1;
  const extra = [...missing]
    .filter((id) => place.has(id))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((id) => rowOf(context, { id, part: state.messages.get(id)?.versions.at(-1)?.part }, false));
  const result: Piece[] = [];
  for (const piece of pieces) {
    if (piece.kind !== 'span') {
      while (extra[0] && placeOf(extra[0].id) < placeOf(piece.id)) result.push(extra.shift()!);
      result.push(piece);
      continue;
    }
    let from = 0;
    for (const [index, { id }] of piece.items.entries()) {
      while (extra[0] && placeOf(extra[0].id) < placeOf(id)) {
        result.push({ kind: 'span', items: piece.items.slice(from, index) }, extra.shift()!);
        from = index;
      }
    }
    result.push({ kind: 'span', items: piece.items.slice(from) });
  }
  return [...result, ...extra];
}

/** Entered after the request before; a message that only requests know (a summary) counts as such. */
function isFresh(context: Comparison, id: MessageId): boolean {
  return (context.state.messages.get(id)?.versions[0]?.seq ?? Infinity) > context.since;
}

/** What the Context panel shows of one round: the budget as parts that add up, and every message's fate. */
import { type Decisions, decisionsAt, type LeaveReason, reasonsOnce } from './decisions.ts';
import type { ContextPacked, Fate } from './events.ts';
import type { JournalState, RoundState } from './journalState.ts';
import type { MessageId, RequestId, Role } from './messages.ts';
import { nextToLeave, type NextToLeave } from './nextToLeave.ts';
import { type Lookup, tokensAt } from './packingHistory.ts';
import { isRecord, parseJson } from './parseMessage.ts';
import { pinsOf } from './pins.ts';
import { requestHistory } from './requestHistory.ts';
import { isOut, type SentItem, sentList } from './sentList.ts';
import { totalBeforeEdits } from './totalBeforeEdits.ts';

export type BudgetPart =
  | 'system'
  | 'tools'
  | 'user'
  | 'assistant'
  | 'results'
  | 'format'
  | 'measured'
  | 'other'
  | 'reserve'
  | 'free';

export interface BudgetView {
  /** Absent where it is not known: a log of another agent tells no limit. */
  readonly limit?: number;
  readonly policy: string;
  /**
   * Tokens by part, in this order, zero where there is nothing; their sum is `limit` exactly, and `sent` where there is
   * none. `reserve` is kept for the reply. `measured` is what the provider counted in its last report beyond our count
   * (may be negative). `free` is negative when the request does not fit. `other` is what the packing's total has beyond
   * its own counts: 0 unless the journal contradicts itself.
   */
  readonly parts: readonly { readonly part: BudgetPart; readonly tokens: number }[];
  /** Tokens of the request: all parts but `reserve` and `free`. */
  readonly sent: number;
  /** The same before the user edited it in this round; absent where nobody did. */
  readonly before?: number;
  /** By how much it does not fit; 0 when it does. */
  readonly over: number;
  /** How many tools the agent has; absent when its settings do not say. */
  readonly toolCount?: number;
  readonly meter: MeterView;
}

export interface MeterView {
  readonly estimate: number;
  /** Tokens of the meter for one of our own count, learnt from what this model reported; absent when it is 1. */
  readonly factor?: number;
  /** What the provider reported for this very request; absent when it has not or did not. */
  readonly reported?: number;
  /** The last report before it: what our count is anchored on. */
  readonly anchor?: {
    readonly request: RequestId;
    readonly run: number;
    readonly round: number;
    readonly reported: number;
    readonly estimated: number;
    /** (estimated − reported) / reported, as a fraction. */
    readonly error: number;
  };
}

export interface ContextRow {
  readonly id: MessageId;
  readonly role: Role;
  readonly fate: Fate;
  /** Absent when it was never counted. */
  readonly tokens?: number;
  /** Pinned by the rules (system, the run's goal) or by the user. */
  readonly pinned?: 'rule' | 'user';
  /** Why it is not sent whole; on the last row of the messages that left together. */
  readonly reason?: LeaveReason;
  /** The summary it went into. */
  readonly into?: MessageId;
}

export interface ContextView {
  readonly run: number;
  readonly round: number;
  /** Packed and not sent yet. */
  readonly waiting: boolean;
  readonly budget: BudgetView;
  /** Every message of the history as it stood, in order. */
  readonly rows: readonly ContextRow[];
  /** Index of the row from which on all are sent; absent when nothing left. */
  readonly sentFrom?: number;
  /** What leaves next if nothing changes; absent where nothing can, or nobody knows. */
  readonly next?: NextToLeave;
}

/** Undefined when the round has packed nothing yet. */
export function contextView(state: JournalState, round: RoundState): ContextView | undefined {
  const sent = sentList(state, round);
  const index = sent?.packing;
  const packing = index === undefined ? undefined : state.packings[index];
  if (!sent || index === undefined || !packing) return undefined;
  const before = totalBeforeEdits(state, round);
  const tokens = tokensAt(state, index);
  const rows = rowsOf(state, round, sent.seq, decisionsAt(state, index), tokens);
  const sentFrom = rows.findLastIndex((row) => isOut(row.fate)) + 1;
  const next = nextToLeave(state, packing.event, round.run, rows);
  return {
    run: round.run,
    round: round.round,
    waiting: sent.request === undefined,
    budget: {
      ...budgetOf(state, packing.event, sent.items, tokens),
      ...(before === undefined ? {} : { before }),
      ...toolCount(state, round),
      meter: meterOf(state, packing.event, sent.request),
    },
    rows,
    ...(sentFrom > 0 ? { sentFrom } : {}),
    ...(next ? { next } : {}),
  };
}

/** What it is made of, beside the round: while these are the same, so is the view. */
export function contextViewKey(state: JournalState, round: RoundState): readonly unknown[] {
  const { packing, requests, replies } = round;
  return [state, round, packing, requests.length, replies.length, state.rewritten];
}

function budgetOf(
  state: JournalState,
  event: ContextPacked,
  items: readonly SentItem[],
  tokens: Lookup<number>,
): Omit<BudgetView, 'meter'> {
  const roles = { system: 0, user: 0, assistant: 0, tool: 0 };
  for (const { id } of items) {
    const role = state.messages.get(id)?.role;
    if (role !== undefined && role in roles) roles[role] += tokens.get(id) ?? 0;
  }
  const { tools, format, measured = 0 } = event.fixed;
  const counted = roles.system + roles.user + roles.assistant + roles.tool + tools + format + measured;
  const { limit, policy, total, reserve } = event;
  const free = limit === undefined ? 0 : limit - reserve - total;
  const parts: BudgetView['parts'] = [
    { part: 'system', tokens: roles.system },
    { part: 'tools', tokens: tools },
    { part: 'user', tokens: roles.user },
    { part: 'assistant', tokens: roles.assistant },
    { part: 'results', tokens: roles.tool },
    { part: 'format', tokens: format },
    { part: 'measured', tokens: measured },
    { part: 'other', tokens: total - counted },
    { part: 'reserve', tokens: limit === undefined ? 0 : reserve },
    { part: 'free', tokens: free },
  ];
  const known = limit === undefined ? {} : { limit };
  return { ...known, policy, parts, sent: total, over: Math.max(0, -free) };
}

function toolCount(state: JournalState, round: RoundState): { toolCount?: number } {
  const part = state.runs.find((run) => run.run === round.run)?.config;
  const config = parseJson(state.parts.get(part ?? '') ?? '');
  const tools = isRecord(config) ? config['tools'] : undefined;
  return Array.isArray(tools) ? { toolCount: tools.length } : {};
}

function meterOf(state: JournalState, event: ContextPacked, request: RequestId | undefined): MeterView {
  const attempts = request === undefined ? [] : (state.requests.get(request)?.attempts ?? []);
  const reported = attempts.findLast((attempt) => attempt.replied)?.replied?.usage?.prompt;
  const { anchor, estimate, factor = 1 } = event.meter;
  const at = anchor && state.requests.get(anchor.request);
  return {
    estimate,
    ...(factor === 1 ? {} : { factor }),
    ...(reported === undefined ? {} : { reported }),
    ...(anchor && anchor.reported > 0
      ? {
          anchor: {
            ...anchor,
            run: at?.run ?? 0,
            round: at?.round ?? 0,
            error: event.meter.error ?? (anchor.estimated - anchor.reported) / anchor.reported,
          },
        }
      : {}),
  };
}

function rowsOf(
  state: JournalState,
  round: RoundState,
  before: number,
  decisions: Decisions,
  tokens: Lookup<number>,
): ContextRow[] {
  const rows: ContextRow[] = [];
  const pinOf = pinsOf(state, round);
  for (const id of requestHistory(state, round)) {
    const message = state.messages.get(id);
    if (!message || (message.versions[0]?.seq ?? Infinity) >= before) continue;
    const decision = decisions.get(id)?.change;
    const count = tokens.get(id);
    const reason = decision && decisions.reason(id);
    const pinned = pinOf(id);
    // Assigned one by one and not spread: of ten thousand rows nearly all are simply kept.
    const row: Writable<ContextRow> = { id, role: message.role, fate: decision?.fate ?? 'kept' };
    if (count !== undefined) row.tokens = count;
    if (pinned) row.pinned = pinned;
    if (reason) row.reason = reason;
    if (decision?.into !== undefined) row.into = decision.into;
    rows.push(row);
  }
  return reasonsOnce(rows);
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

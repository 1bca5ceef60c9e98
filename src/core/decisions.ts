import type { JournalState, PackingState } from './journalState.ts';
import type { MessageId } from './messages.ts';
import { type Decided, decidedAt, type Lookup } from './packingHistory.ts';

/** Why a unit of messages left, as arithmetic in tokens. */
export interface LeaveReason {
  /** The messages that left together, in order. */
  readonly ids: readonly MessageId[];
  readonly rule: string;
  readonly need?: number;
  readonly room?: number;
  /** Absent where it is not known. */
  readonly limit?: number;
  /** When it was decided. */
  readonly run: number;
  readonly round: number;
}

/** What holds of messages after a packing; one that it knows nothing of was kept whole. */
export interface Decisions extends Lookup<Decided> {
  /** Why it left, or is sent shortened; messages that left together share one object. */
  reason(id: MessageId): LeaveReason | undefined;
}

/** What holds after packing number `index`. Nothing is computed for messages that are not asked for. */
export function decisionsAt(state: JournalState, index: number): Decisions {
  const decided = decidedAt(state, index);
  const reasons = new Map<PackingState, ReadonlyMap<MessageId, LeaveReason>>();
  const get = (id: MessageId) => {
    const decision = decided.get(id);
    return decision?.change.fate === 'kept' ? undefined : decision;
  };
  return {
    get,
    reason: (id) => {
      const packing = get(id)?.packing;
      if (!packing) return undefined;
      let own = reasons.get(packing);
      if (!own) reasons.set(packing, (own = reasonsOf(packing, get)));
      return own.get(id);
    },
  };
}

/** The reasons that one packing gave and that still hold. */
function reasonsOf(packing: PackingState, get: Decisions['get']): Map<MessageId, LeaveReason> {
  const units = new Map<MessageId, Decided[]>();
  for (const { id } of packing.event.changed) {
    const decision = get(id);
    if (decision?.packing !== packing) continue;
    const key = decision.change.tiedTo ?? id;
    const unit = units.get(key);
    if (unit) unit.push(decision);
    else units.set(key, [decision]);
  }
  const reasons = new Map<MessageId, LeaveReason>();
  for (const unit of units.values()) {
    const reason = reasonOf(unit);
    for (const id of reason.ids) reasons.set(id, reason);
  }
  return reasons;
}

/** Of messages that left together; at least one. */
function reasonOf(unit: readonly Decided[]): LeaveReason {
  const { change, packing } = unit[0]!;
  const { limit } = packing.event;
  return {
    ids: unit.map((one) => one.change.id),
    rule: change.rule,
    ...(change.need === undefined ? {} : { need: change.need }),
    ...(change.room === undefined ? {} : { room: change.room }),
    ...(limit === undefined ? {} : { limit }),
    run: packing.run,
    round: packing.round,
  };
}

/** Of rows that share a reason only the last one keeps it. */
export function reasonsOnce<Row extends object>(rows: readonly Row[]): Row[] {
  const told = new Set<unknown>();
  const result = [...rows];
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index]!;
    const own = 'reason' in row ? row.reason : undefined;
    if (own === undefined) continue;
    if (told.has(own)) {
      const { reason: _shared, ...rest } = row as Row & { readonly reason: unknown };
      result[index] = rest as unknown as Row;
    }
    told.add(own);
  }
  return result;
}

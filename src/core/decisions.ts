import type { FateChange } from './events.ts';
import type { JournalState, PackingState } from './journalState.ts';
import type { MessageId } from './messages.ts';

/** A message that is not simply kept: what was decided, and the packing that decided it. */
export interface Decision {
  readonly change: FateChange;
  readonly packing: PackingState;
}

/** Why a unit of messages left, as arithmetic in tokens. */
export interface LeaveReason {
  /** The messages that left together, in order. */
  readonly ids: readonly MessageId[];
  readonly rule: string;
  readonly need?: number;
  readonly room?: number;
  readonly limit: number;
  /** When it was decided. */
  readonly run: number;
  readonly round: number;
}

/** What holds for each message after packing number `index`; a message that is not listed was kept whole. */
export function decisionsAt(state: JournalState, index: number): Map<MessageId, Decision> {
  const decisions = new Map<MessageId, Decision>();
  for (const packing of state.packings.slice(0, index + 1)) {
    for (const change of packing.event.changed) {
      if (change.fate === 'kept') decisions.delete(change.id);
      else decisions.set(change.id, { change, packing });
    }
  }
  return decisions;
}

/** The reasons by message; messages that left together share one object. */
export function leaveReasons(decisions: ReadonlyMap<MessageId, Decision>): Map<MessageId, LeaveReason> {
  const units = new Map<string, Decision[]>();
  for (const decision of decisions.values()) {
    const { change, packing } = decision;
    const key = `${packing.seq} ${change.tiedTo ?? change.id}`;
    const unit = units.get(key);
    if (unit) unit.push(decision);
    else units.set(key, [decision]);
  }
  const reasons = new Map<MessageId, LeaveReason>();
  for (const unit of units.values()) {
    const reason = reasonOf(unit);
    if (reason) for (const id of reason.ids) reasons.set(id, reason);
  }
  return reasons;
}

function reasonOf(unit: readonly Decision[]): LeaveReason | undefined {
  const first = unit[0];
  if (!first) return undefined;
  const { change, packing } = first;
  return {
    ids: unit.map((one) => one.change.id),
    rule: change.rule,
    ...(change.need === undefined ? {} : { need: change.need }),
    ...(change.room === undefined ? {} : { room: change.room }),
    limit: packing.event.limit,
    run: packing.run,
    round: packing.round,
  };
}

/** Of rows that share a reason only the last one keeps it. */
export function reasonsOnce<Row extends object>(rows: readonly Row[]): Row[] {
  const ownReason = (row: Row) => ('reason' in row ? row.reason : undefined);
  const last = new Map(rows.map((row, index) => [ownReason(row), index]));
  return rows.map((row, index) => {
    const own = ownReason(row);
    if (!own || last.get(own) === index) return row;
    const { reason: _shared, ...rest } = row as Row & { readonly reason: unknown };
    return rest as unknown as Row;
  });
}

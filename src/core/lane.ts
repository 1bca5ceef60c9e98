/**
 * The lane: rounds across, phases within. A fold of its own beside `fold`, because time is not in the state:
 * how long each phase worked, pauses taken out (a pause may last hours and is nobody's work).
 */
import type { ContextPacked, JournalEvent, Paused } from './events.ts';
import { type JournalState, currentRun } from './journalState.ts';
import { isRecord, parseJson } from './parseMessage.ts';
import type { PanelEvent } from './protocol.ts';

export const phases = ['plan', 'act', 'observe'] as const;
export type Phase = (typeof phases)[number];

export interface LaneCell {
  readonly run: number;
  readonly round: number;
  /** Milliseconds worked in each phase. */
  readonly ms: Record<Phase, number>;
  /** The phase the round is in; gone when it ended. */
  phase?: Phase;
  sent: boolean;
  /** Tokens of its request by our count, and what they had to fit in. */
  tokens?: number;
  limit?: number;
  reserve?: number;
  /** Messages that left the context in this round. */
  left: number;
  /** Edits, anomalies, failed attempts, and calls that did not succeed. */
  edits: number;
  anomalies: number;
  retries: number;
  /** Replies that were set aside: the model was asked again. */
  again: number;
  failedCalls: number;
  /** Faults that stopped the run, and breakpoints (not the phase filters), by what they are called. */
  readonly faults: string[];
  readonly breaks: string[];
  /** What came after: `again`, `done`, or the outcome that stopped the run. */
  next?: string;
}

export interface LaneState {
  readonly cells: LaneCell[];
  run: number;
  /** Since when the open phase works; nothing while paused. */
  since?: number;
}

export function emptyLane(): LaneState {
  return { cells: [], run: 0 };
}

/** Applies one event as it crosses to a panel, so that it has the shape of its type; O(1), never throws. */
export function foldLane(lane: LaneState, event: PanelEvent): void {
  const cell = lane.cells.at(-1);
  if (event.type === 'run.started') lane.run = event.run;
  else if (event.type === 'round.started') open(lane, event.round, event.at);
  else if (cell) foldCell(lane, cell, event);
}

function open(lane: LaneState, round: number, at: number): void {
  const none = {
    left: 0,
    edits: 0,
    anomalies: 0,
    retries: 0,
    again: 0,
    failedCalls: 0,
    faults: [],
    breaks: [],
  };
  lane.cells.push({
    run: lane.run,
    round,
    ms: { plan: 0, act: 0, observe: 0 },
    phase: 'plan',
    sent: false,
    ...none,
  });
  lane.since = at;
}

const failed = new Set(['error', 'invalid', 'unknown', 'timeout']);

function foldCell(lane: LaneState, cell: LaneCell, event: JournalEvent): void {
  switch (event.type) {
    case 'checkpoint':
      if (event.kind !== 'end') enter(lane, cell, event.kind === 'reply' ? 'plan' : event.kind, event.at);
      return;
    case 'round.ended':
      close(lane, cell, event.at);
      cell.next = event.next;
      return;
    case 'run.ended':
      close(lane, cell, event.at);
      cell.next ??= event.outcome;
      return;
    case 'paused':
      account(lane, cell, event.at);
      delete lane.since;
      mark(cell, event);
      return;
    case 'resumed':
      if (cell.phase) lane.since = event.at;
      if (event.verb === 'askAgain') cell.again++;
      return;
    case 'context.packed':
      packed(cell, event);
      return;
    case 'model.requested':
      if (event.purpose === 'round') cell.sent = true;
      return;
    case 'model.failed':
      cell.retries++;
      return;
    case 'call.finished':
      if (failed.has(event.outcome)) cell.failedCalls++;
      return;
    case 'edited':
      cell.edits++;
      return;
    case 'anomaly':
      cell.anomalies++;
      return;
    default:
  }
}

/** The open phase gets the time since it was last accounted for. */
function account(lane: LaneState, cell: LaneCell, at: number): void {
  if (cell.phase && lane.since !== undefined) cell.ms[cell.phase] += Math.max(0, at - lane.since);
}

function enter(lane: LaneState, cell: LaneCell, phase: Phase, at: number): void {
  if (!cell.phase) return;
  account(lane, cell, at);
  cell.phase = phase;
  lane.since = at;
}

function close(lane: LaneState, cell: LaneCell, at: number): void {
  account(lane, cell, at);
  delete cell.phase;
  delete lane.since;
}

function mark(cell: LaneCell, event: Paused): void {
  const exception = event.reason === 'exception';
  if (!exception && event.reason !== 'breakpoint') return;
  const names = exception ? cell.faults : cell.breaks;
  for (const hit of event.hits) if (exception || !hit.startsWith('filter:')) names.push(hit);
  if (exception && event.hits.length === 0) names.push('exception');
}

function packed(cell: LaneCell, event: ContextPacked): void {
  cell.tokens = event.total;
  if (event.limit !== undefined) cell.limit = event.limit;
  cell.reserve = event.reserve;
  // A round that is packed again tells the differences to its own first packing: they add up.
  for (const change of event.changed) {
    if (change.fate === 'dropped' || change.fate === 'folded') cell.left++;
    else if (change.fate === 'kept') cell.left = Math.max(0, cell.left - 1);
  }
}

/** Milliseconds worked in a round. */
export function workedMs(cell: LaneCell): number {
  return cell.ms.plan + cell.ms.act + cell.ms.observe;
}

/** Rounds that the current run may still take by its own limit; 0 when it is over or has no limit. */
export function roundsAhead(state: JournalState): number {
  const run = currentRun(state);
  if (!run || run.ended) return 0;
  const config = parseJson(state.parts.get(run.config) ?? '');
  const limit = run.lastRound ?? (isRecord(config) ? config['max_iters'] : undefined);
  return typeof limit === 'number' ? Math.max(0, Math.floor(limit) - run.rounds.length) : 0;
}

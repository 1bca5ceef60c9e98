/**
 * Packing: which messages of the history are sent, and by what arithmetic the others are not. Pure and
 * synchronous; the loop, the what-if and the tests call the same function.
 *
 * An assistant block with its results is one unit, kept or dropped whole. The system prompt and the run's
 * goal never leave. From the newest unit back, the first that needs more than the room leaves, and all
 * older ones with it. An earlier run's goal is the last of its run to leave.
 */
import type { PolicyName } from '../core/config.ts';
import type { FateChange } from '../core/events.ts';
import type { MessageId, Role } from '../core/messages.ts';

export interface PackMessage {
  readonly id: MessageId;
  readonly role: Role;
  /** Which run's goal this is, when it is one. */
  readonly goalOf?: number;
  readonly run: number;
  readonly tokens: number;
  /** An assistant message that has calls: the results behind it belong to it. */
  readonly hasCalls: boolean;
}

export interface PackInput {
  /** The history, in order. */
  readonly messages: readonly PackMessage[];
  /** The run whose request this is. */
  readonly run: number;
  readonly policy: PolicyName;
  /** Tokens: the limit of the whole request with its reply, kept free for the reply, tools and framing. */
  readonly limit: number;
  readonly reserve: number;
  readonly fixed: number;
  /** N of the policy `window`. */
  readonly window: number;
  readonly pins: ReadonlySet<MessageId>;
  /** The user's word on messages of this request. */
  readonly forced: ReadonlyMap<MessageId, 'drop' | 'restore'>;
}

export interface Packed {
  /** What is sent, in history order. */
  readonly kept: readonly MessageId[];
  /** Every message that is not sent as it is, with its arithmetic. */
  readonly left: readonly FateChange[];
  /** Tokens of the packed request: fixed + kept. */
  readonly total: number;
  /** Set when even the smallest legal request does not fit: nothing may be sent. */
  readonly blocked?: Floor;
}

/** The smallest request that could be sent, in tokens, and what makes it so large. */
export interface Floor {
  readonly needs: number;
  readonly limit: number;
  readonly largest: readonly { readonly part: string; readonly tokens: number }[];
}

/** An assistant block with its results, or a message by itself. */
interface Unit {
  readonly messages: readonly PackMessage[];
  readonly tokens: number;
  readonly pinned: boolean;
  readonly goalOf?: number;
  readonly run: number;
}

/** Packs a history under a budget. For `none` everything is kept, whatever it needs. */
export function pack(input: PackInput): Packed {
  const units = withHeldGoals(unitsOf(input), input);
  const left: Leaving = new Map();
  for (const unit of units) {
    if (!unit.pinned && forcedWord(unit, input) === 'drop') left.set(unit, { fate: 'dropped', rule: 'user' });
  }
  const candidates = leavingOrder(units.filter((unit) => !left.has(unit) && !stays(unit, input)));
  const fixed = input.fixed + sum(units.filter((unit) => stays(unit, input)));
  const budget = input.limit - input.reserve;
  if (input.policy === 'window') leaveByCount(candidates, units, input, left);
  // The window is a number of messages; what is inside it must still fit the budget.
  const rest = candidates.filter((unit) => !left.has(unit));
  if (input.policy !== 'none') leaveByTokens(rest, budget - fixed, input.policy, left);
  const blocked = input.policy === 'none' ? undefined : floor(units, candidates, input);
  return { ...result(units, left, input.fixed), ...(blocked ? { blocked } : {}) };
}

function unitsOf(input: PackInput): Unit[] {
  const units: Unit[] = [];
  let at = 0;
  while (at < input.messages.length) {
    const first = input.messages[at]!;
    let end = at + 1;
    if (first.hasCalls) while (input.messages[end]?.role === 'tool') end++;
    const messages = input.messages.slice(at, end);
    units.push({
      messages,
      tokens: messages.reduce((tokens, message) => tokens + message.tokens, 0),
      pinned:
        first.role === 'system' ||
        first.goalOf === input.run ||
        messages.some((message) => input.pins.has(message.id)),
      ...(first.goalOf === undefined ? {} : { goalOf: first.goalOf }),
      run: first.run,
    });
    at = end;
  }
  return units;
}

/** What stays of an earlier run keeps that run's goal: a request can't begin with an answer. */
function withHeldGoals(units: readonly Unit[], input: PackInput): Unit[] {
  const held = new Set(
    units.flatMap((unit) => (unit.messages[0]?.role !== 'system' && stays(unit, input) ? [unit.run] : [])),
  );
  return units.map((unit) =>
    unit.goalOf !== undefined && held.has(unit.run) ? { ...unit, pinned: true } : unit,
  );
}

function stays(unit: Unit, input: PackInput): boolean {
  return unit.pinned || forcedWord(unit, input) === 'restore';
}

function forcedWord(unit: Unit, input: PackInput): 'drop' | 'restore' | undefined {
  return unit.messages.map((message) => input.forced.get(message.id)).find((word) => word !== undefined);
}

/** Last to leave first: the newest run back, and in an earlier run its goal before the rest of it. */
function leavingOrder(units: readonly Unit[]): Unit[] {
  return units
    .toReversed()
    .sort((a, b) => b.run - a.run || Number(b.goalOf !== undefined) - Number(a.goalOf !== undefined));
}

type Leaving = Map<Unit, Omit<FateChange, 'id' | 'tiedTo'>>;

function leaveByTokens(candidates: readonly Unit[], budget: number, policy: PolicyName, left: Leaving): void {
  const rule = policy === 'window' ? 'budget' : policy;
  let room = budget;
  let leaving = false;
  for (const unit of candidates) {
    leaving ||= unit.tokens > room;
    if (leaving) left.set(unit, { fate: 'dropped', rule, need: unit.tokens, room });
    else room -= unit.tokens;
  }
}

/** The policy `window`: N messages, pinned ones counted; need and room are messages here, as the limit is. */
function leaveByCount(
  candidates: readonly Unit[],
  units: readonly Unit[],
  input: PackInput,
  left: Leaving,
): void {
  const pinned = units.filter((unit) => stays(unit, input));
  let room = input.window - pinned.reduce((count, unit) => count + unit.messages.length, 0);
  let leaving = false;
  candidates.forEach((unit, index) => {
    // The newest unit is what the model must see to go on; it stays even when the window is too small for it.
    leaving ||= index > 0 && unit.messages.length > room;
    if (leaving)
      left.set(unit, {
        fate: 'dropped',
        rule: 'window',
        need: unit.messages.length,
        room: Math.max(0, room),
      });
    else room -= unit.messages.length;
  });
}

function result(units: readonly Unit[], left: Leaving, fixed: number): Packed {
  const kept: MessageId[] = [];
  const changes: FateChange[] = [];
  let total = fixed;
  for (const unit of units) {
    const change = left.get(unit);
    unit.messages.forEach((message, index) => {
      if (!change) kept.push(message.id);
      else
        changes.push({ id: message.id, ...change, ...(index === 0 ? {} : { tiedTo: unit.messages[0]!.id }) });
    });
    if (!change) total += unit.tokens;
  }
  return { kept, left: changes, total };
}

/** Pinned + tools + reserve + the newest unit: when this does not fit, no packing can. */
function floor(units: readonly Unit[], candidates: readonly Unit[], input: PackInput): Floor | undefined {
  const newest = units.at(-1);
  const must = units.filter((unit) => stays(unit, input) || (unit === newest && candidates.includes(unit)));
  const needs = input.fixed + input.reserve + sum(must);
  if (needs <= input.limit) return undefined;
  const parts = must.flatMap((unit) =>
    unit.messages.map(({ id, role, tokens }) => ({ part: `${id} (${role})`, tokens })),
  );
  const all = [
    ...parts,
    { part: 'tools and framing', tokens: input.fixed },
    { part: 'reserve for the reply', tokens: input.reserve },
  ];
  return { needs, limit: input.limit, largest: all.sort((a, b) => b.tokens - a.tokens).slice(0, 4) };
}

function sum(units: readonly Unit[]): number {
  return units.reduce((tokens, unit) => tokens + unit.tokens, 0);
}

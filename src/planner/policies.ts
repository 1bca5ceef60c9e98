/** The context policies that come with Loopscope. Each is pure; `pack` holds them to the rules of all policies. */
import type { PolicyName } from '../core/config.ts';
import type { Policy, PolicyDecision, PolicyInput, PolicyUnit } from './policy.ts';

export const policies: Readonly<Record<PolicyName, Policy>> = {
  none: () => [],
  'drop-oldest': ({ units, room }) => (fits(units, room) ? [] : dropOldest(leavingOrder(units), room)),
  window: slideWindow,
  'blank-results': blankResults,
  // What it folds is folded before it is asked (see `foldWish`): it drops nothing.
  summarize: () => [],
};

/** What may leave, last to leave first: the newest run back, and in an earlier run its goal before the rest of it. */
export function leavingOrder(units: readonly PolicyUnit[]): readonly PolicyUnit[] {
  return units
    .filter(({ pinned }) => !pinned)
    .toReversed()
    .sort((a, b) => Number(b.newest) - Number(a.newest) || b.run - a.run || Number(b.goal) - Number(a.goal));
}

/** Nothing has to leave: what comes out in most rounds, and needs no order. */
function fits(units: readonly PolicyUnit[], room: number): boolean {
  return units.reduce((sum, { pinned, tokens }) => (pinned ? sum : sum + tokens), 0) <= room;
}

/** From the newest unit back, the first that needs more than the room leaves, and all older ones with it. */
function dropOldest(order: readonly PolicyUnit[], room: number, rule?: string): PolicyDecision[] {
  const decisions: PolicyDecision[] = [];
  let left = room;
  let leaving = false;
  for (const unit of order) {
    leaving ||= unit.tokens > left;
    if (leaving) decisions.push(...dropped(unit, unit.tokens, left, rule));
    else left -= unit.tokens;
  }
  return decisions;
}

/** N messages, pinned ones counted: need and room are messages here. What is inside must still fit the budget. */
function slideWindow({ units, room, window }: PolicyInput): PolicyDecision[] {
  const pinned = units.filter((unit) => unit.pinned);
  const inside: PolicyUnit[] = [];
  const decisions: PolicyDecision[] = [];
  let left = window - pinned.reduce((count, unit) => count + unit.messages.length, 0);
  let leaving = false;
  for (const unit of leavingOrder(units)) {
    // The newest unit is what the model must see to go on; it stays even when the window is too small for it.
    leaving ||= !unit.newest && unit.messages.length > left;
    if (leaving) decisions.push(...dropped(unit, unit.messages.length, Math.max(0, left)));
    else {
      inside.push(unit);
      left -= unit.messages.length;
    }
  }
  return [...decisions, ...dropOldest(inside, room, 'budget')];
}

/** The oldest results become one line each, as many as it takes; where that is not enough, the oldest units leave. */
function blankResults({ units, room }: PolicyInput): PolicyDecision[] {
  if (fits(units, room)) return [];
  const order = leavingOrder(units);
  let over = order.reduce((sum, unit) => sum + unit.tokens, 0) - room;
  const blanked = new Map<string, PolicyDecision & { readonly saved: number }>();
  for (const unit of order.toReversed()) {
    if (unit.newest) continue;
    for (const { id, tokens, stub } of unit.messages) {
      if (over <= 0 || stub === undefined || stub >= tokens) continue;
      const saved = tokens - stub;
      const place = Math.max(0, tokens - over);
      blanked.set(id, { id, fate: 'trimmed', to: 'stub', need: tokens, room: place, saved });
      over -= saved;
    }
  }
  if (over <= 0) return [...blanked.values()];
  const shrunk = order.map((unit) => ({
    ...unit,
    tokens: unit.messages.reduce((sum, { id }) => sum - (blanked.get(id)?.saved ?? 0), unit.tokens),
  }));
  const gone = dropOldest(shrunk, room);
  for (const { id } of gone) blanked.delete(id);
  return [...blanked.values(), ...gone];
}

function dropped(unit: PolicyUnit, need: number, room: number, rule?: string): PolicyDecision[] {
  return unit.messages.map(({ id }) => ({
    id,
    fate: 'dropped',
    need,
    room,
    ...(rule === undefined ? {} : { rule }),
  }));
}

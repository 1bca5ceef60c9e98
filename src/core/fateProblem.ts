/** Why a message can't be dropped, restored or unpinned: an op that packing would pass over is refused. */
import { blockOf } from './blockOf.ts';
import { currentRound, currentRun, type JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';
import type { Op } from './ops.ts';
import { offering, type Refusal, refuse } from './refusal.ts';

export function notAtPlan(state: JournalState): Refusal | undefined {
  if (state.checkpoint?.kind === 'plan') return undefined;
  const refusal = refuse('A request can be changed only at plan, before it is sent.');
  return offering(refusal, ...backToPlan(state));
}

/** At `reply` nothing has acted yet: the way to another request is to ask again. */
function backToPlan(state: JournalState): Op[] {
  return state.checkpoint?.kind === 'reply' ? [{ kind: 'askAgain' }] : [];
}

/** Never leaves, whatever anybody says: the system prompt, and the goal of the run that goes on. */
export function ruleProblem(state: JournalState, id: MessageId): Refusal | undefined {
  if (state.messages.get(id)?.role === 'system')
    return refuse('{0} is the system prompt: it is part of every request.', id);
  return currentRun(state)?.goal === id
    ? refuse('{0} is the goal of this run: it is part of every request.', id)
    : undefined;
}

export function dropProblem(state: JournalState, id: MessageId): Refusal | undefined {
  const byRule = ruleProblem(state, id);
  if (byRule) return byRule;
  const pinned = pinnedIn(state, blockOf(state, id));
  if (pinned.length > 0)
    return offering(
      refuse('{0} is pinned; unpin it first.', pinned[0]!),
      ...pinned.map((target) => ({ kind: 'unpin', target }) as const),
      { kind: 'drop', target: id },
    );
  const followers = followersOf(state, id).filter((one) => !isDropped(state, one));
  if (followers.length === 0) return undefined;
  // A request can't begin with an answer: a goal is the last of its run to leave, here as in packing.
  return offering(
    refuse('{0} is the goal that {1} follows; drop the messages behind it first.', id, followers[0]!),
    ...pinnedIn(state, followers).map((target) => ({ kind: 'unpin', target }) as const),
    ...heads(state, followers).map((target) => ({ kind: 'drop', target }) as const),
    { kind: 'drop', target: id },
  );
}

export function pinnedIn(state: JournalState, ids: readonly MessageId[]): MessageId[] {
  return ids.filter((id) => state.pins.has(id));
}

/** One of each block is enough to name it. */
function heads(state: JournalState, ids: readonly MessageId[]): MessageId[] {
  return [...new Set(ids.map((id) => blockOf(state, id)[0] ?? id))];
}

export function restoreProblem(state: JournalState, id: MessageId): Refusal | undefined {
  const run = state.messages.get(id)?.run;
  const goal = state.runs.find((one) => one.run === run)?.goal;
  if (goal === undefined || goal === id || !isDropped(state, goal)) return undefined;
  return offering(
    refuse('{0} follows the goal {1}, which you dropped; restore {1} first.', id, goal),
    { kind: 'restore', target: goal },
    { kind: 'restore', target: id },
  );
}

export function unpinProblem(state: JournalState, id: MessageId): Refusal | undefined {
  if (state.pins.has(id)) return undefined;
  const byRule = ruleProblem(state, id);
  if (byRule) return byRule;
  const [pinned] = pinnedIn(state, blockOf(state, id));
  return pinned === undefined
    ? refuse('{0} is not pinned.', id)
    : offering(refuse('{0} stays because {1} is pinned; unpin that.', id, pinned), {
        kind: 'unpin',
        target: pinned,
      });
}

/** Whether the user took a message (with its block) out of the request that is being made. */
export function isDropped(state: JournalState, id: MessageId): boolean {
  const own = currentRound(state)?.requestEdits;
  if (own?.removed.has(id)) return true;
  return blockOf(state, id).some((one) => own?.fates.get(one) === 'drop');
}

/** What stands in the history because of a run's goal; none for any other message. */
export function followersOf(state: JournalState, goal: MessageId): MessageId[] {
  const run = state.runs.find((one) => one.goal === goal)?.run;
  if (run === undefined) return [];
  return state.history.filter((id) => {
    const message = state.messages.get(id);
    return message?.run === run && message.role !== 'system' && id !== goal;
  });
}

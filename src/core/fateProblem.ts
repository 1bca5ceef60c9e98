/** Why a message can't be dropped, restored or unpinned: an op that packing would pass over is refused. */
import { blockOf } from './blockOf.ts';
import { currentRound, currentRun, type JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Never leaves, whatever anybody says: the system prompt, and the goal of the run that goes on. */
function ruleProblem(state: JournalState, id: MessageId): Refusal | undefined {
  if (state.messages.get(id)?.role === 'system')
    return refuse('{0} is the system prompt: it is part of every request.', id);
  return currentRun(state)?.goal === id
    ? refuse('{0} is the goal of this run: it is part of every request.', id)
    : undefined;
}

export function dropProblem(state: JournalState, id: MessageId): Refusal | undefined {
  const byRule = ruleProblem(state, id);
  if (byRule) return byRule;
  const pinned = blockOf(state, id).find((one) => state.pins.has(one));
  if (pinned !== undefined) return refuse('{0} is pinned; unpin it first.', pinned);
  const run = state.runs.find(({ goal }) => goal === id)?.run;
  const follower =
    run === undefined ? undefined : followersOf(state, run, id).find((one) => !isDropped(state, one));
  // A request can't begin with an answer: a goal is the last of its run to leave, here as in packing.
  return follower === undefined
    ? undefined
    : refuse('{0} is the goal that {1} follows; drop the messages behind it first.', id, follower);
}

export function restoreProblem(state: JournalState, id: MessageId): Refusal | undefined {
  const run = state.messages.get(id)?.run;
  const goal = state.runs.find((one) => one.run === run)?.goal;
  return goal !== undefined && goal !== id && isDropped(state, goal)
    ? refuse('{0} follows the goal {1}, which you dropped; restore {1} first.', id, goal)
    : undefined;
}

export function unpinProblem(state: JournalState, id: MessageId): Refusal | undefined {
  if (state.pins.has(id)) return undefined;
  const byRule = ruleProblem(state, id);
  if (byRule) return byRule;
  const pinned = blockOf(state, id).find((one) => state.pins.has(one));
  return pinned === undefined
    ? refuse('{0} is not pinned.', id)
    : refuse('{0} stays because {1} is pinned; unpin that.', id, pinned);
}

/** Whether the user took a message (with its block) out of the request that is being made. */
export function isDropped(state: JournalState, id: MessageId): boolean {
  const words = currentRound(state)?.requestEdits.fates;
  return blockOf(state, id).some((one) => words?.get(one) === 'drop');
}

function followersOf(state: JournalState, run: number, goal: MessageId): MessageId[] {
  return state.history.filter((id) => {
    const message = state.messages.get(id);
    return message?.run === run && message.role !== 'system' && id !== goal;
  });
}

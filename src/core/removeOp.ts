/** Something taken out: a message, a call of one (with its result), a parameter that was edited. */
import { blockOf } from './blockOf.ts';
import { changeProblem } from './changeProblem.ts';
import { currentText } from './editText.ts';
import { applyFate } from './fateOps.ts';
import { followersOf, isDropped, notAtPlan, pinnedIn, ruleProblem } from './fateProblem.ts';
import { currentRound, type JournalState } from './journalState.ts';
import { callsOf, contentText, type MessageId, type WireMessage } from './messages.ts';
import type { Applied, Op, RemoveOp } from './ops.ts';
import { parseMessage } from './parseMessage.ts';
import { splitTarget } from './pointer.ts';
import { offering, type Refusal, refuse } from './refusal.ts';
import { requestHistory } from './requestHistory.ts';
import { serialise } from './serialise.ts';
import { setMessage } from './setMessage.ts';

export function removeOp(state: JournalState, op: RemoveOp): Applied {
  const [root, path] = splitTarget(op.target);
  const call = /^tool_calls\/(\d{1,6})$/.exec(path)?.[1];
  if (op.scope === 'state') return refuse('What a session remembers can be set, not removed.');
  if (op.scope === 'request') {
    if (root === 'request') return notAtPlan(state) ?? removeParameter(state, path);
    const isOwn = requestHistory(state).includes(root) && !state.history.includes(root);
    if (isOwn && path === '') return removeInserted(state, root);
    // For one request that is what dropping a message is.
    if (path === '') return op.also?.length ? onlyOne(root) : applyFate(state, 'drop', root);
  }
  if (call !== undefined)
    return op.scope === 'pending'
      ? removePendingCall(state, root, Number(call))
      : removeCall(state, op, root, Number(call));
  if (path !== '') return refuse('Only messages, calls and request parameters can be removed.');
  return op.scope === 'history' ? removeMessages(state, op, root) : removeReply(state, root);
}

function onlyOne(id: MessageId): Refusal {
  const refusal = refuse('For one request each message is dropped by itself, a call with its results.');
  return offering(refusal, { kind: 'drop', target: id });
}

function removeParameter(state: JournalState, name: string): Applied {
  const part = currentRound(state)?.requestEdits.parameters.get(name);
  if (part === undefined)
    return refuse('{0} was not edited for this request: it is what the agent file says.', name);
  const before = state.parts.get(part) ?? 'null';
  return { ok: true, edit: { op: 'remove', target: `request/${name}`, before, scope: 'request' } };
}

/** What stands in this request only leaves with what it came with. */
function removeInserted(state: JournalState, id: MessageId): Applied {
  const own = currentRound(state)?.requestEdits.inserted.find(({ ids }) => ids.includes(id));
  const [target = id, ...others] = own?.ids ?? [];
  const problem = notAtPlan(state) ?? changeProblem(state, 'request', { gone: new Set(own?.ids) });
  if (problem) return problem;
  const before = currentText(state, target, 'request') ?? '';
  const along = others.length === 0 ? {} : { with: others };
  return { ok: true, edit: { op: 'remove', target, before, ...along, scope: 'request' } };
}

/** The reply that waits can only be replaced by another one. */
function removeReply(state: JournalState, id: MessageId): Applied {
  const reply = currentRound(state)?.replies.at(-1);
  if (reply?.message !== id)
    return refuse('Nothing waits to enter the history here: a reply can be changed from reply to observe.');
  return offering(refuse('A round needs a reply: edit it, or ask for another one.'), { kind: 'askAgain' });
}

function removePendingCall(state: JournalState, id: MessageId, index: number): Applied {
  const reply = currentRound(state)?.replies.at(-1);
  const message = reply?.message === id ? parseMessage(state.parts.get(reply.part) ?? '') : undefined;
  if (!message || !callsOf(message)[index])
    return refuse('Message {0} has no call {1}.', id, String(index + 1));
  const set = setMessage(state, id, '', 'pending', without(message, index));
  if (set.ok) return { ok: true, edit: { ...set.edit!, op: 'remove', target: `${id}/tool_calls/${index}` } };
  const call = currentRound(state)?.calls[index];
  // The call stays in the conversation, and nothing is run for it.
  return call?.status === 'waiting' && !call.verdict
    ? offering(set, { kind: 'skip', target: call.key })
    : set;
}

/** A call that was answered leaves with its result, or not at all. */
function removeCall(state: JournalState, op: RemoveOp, id: MessageId, index: number): Applied {
  const { scope, also = [] } = op;
  const block =
    scope === 'request' ? blockOf(state, id).filter((one) => !isRemoved(state, one)) : blockOf(state, id);
  const before = currentText(state, id, scope);
  const message = before === undefined ? undefined : parseMessage(before);
  const call = message && callsOf(message)[index];
  const misplaced = scope === 'request' ? notAtPlan(state) : undefined;
  if (misplaced) return misplaced;
  if (before === undefined || !message || !call)
    return refuse('Message {0} has no call {1}.', id, String(index + 1));
  if (scope === 'request' && isDropped(state, id))
    return offering(
      refuse('{0} is not sent, since you dropped it; restore it first.', id),
      { kind: 'restore', target: id },
      op,
    );
  const stranger = also.find((one) => one === id || !block.includes(one));
  if (stranger !== undefined) return refuse('{0} is no result of {1}.', stranger, id);
  const next = without(message, index);
  const [result] = block.filter((one) => answers(state, one, scope) === call.id);
  // Without it nothing is left of the message: it leaves as a whole.
  if (isEmpty(next))
    return offering(
      refuse('Nothing would be left of {0} without its only call.', id),
      ...(scope === 'request' ? [{ kind: 'drop', target: id } as const] : withRest(state, id, block)),
    );
  const change = { texts: new Map([[id, next]]), gone: new Set(also) };
  const problem = changeProblem(state, scope, change);
  const whole = { ...op, also: result === undefined ? also : [...new Set([...also, result])] };
  if (problem) return offering(problem, ...(scope === 'history' ? unpinned(state, whole) : [whole]));
  const pinned = pinnedIn(state, also);
  if (pinned.length > 0)
    return offering(
      refuse('{0} is pinned; unpin it first.', pinned[0]!),
      ...pinned.map((target) => ({ kind: 'unpin', target }) as const),
      op,
    );
  return {
    ok: true,
    edit: {
      op: 'remove',
      target: `${id}/tool_calls/${index}`,
      before,
      after: serialise(next),
      with: also,
      scope,
    },
  };
}

function isRemoved(state: JournalState, id: MessageId): boolean {
  return currentRound(state)?.requestEdits.removed.has(id) ?? false;
}

function answers(state: JournalState, id: MessageId, scope: RemoveOp['scope']): unknown {
  const message = parseMessage(currentText(state, id, scope) ?? '');
  return message?.role === 'tool' ? message.tool_call_id : undefined;
}

function without(message: WireMessage, index: number): WireMessage {
  const { tool_calls: _calls, ...rest } = message;
  const left = callsOf(message).toSpliced(index, 1);
  return left.length === 0 ? rest : { ...rest, tool_calls: left };
}

/** For good, with what can not stay without it. */
function removeMessages(state: JournalState, op: RemoveOp, root: MessageId): Applied {
  const ids = [root, ...(op.also ?? [])];
  const unknown = ids.find((id, index) => !state.history.includes(id) || ids.indexOf(id) < index);
  if (unknown !== undefined) return refuse('There is no message {0} in the history.', unknown);
  for (const id of ids) {
    const byRule = ruleProblem(state, id);
    if (byRule) return byRule;
  }
  const problem =
    goalProblem(state, ids) ??
    changeProblem(state, 'history', { gone: new Set(ids) }) ??
    pinnedIn(state, ids).map((id) => refuse('{0} is pinned; unpin it first.', id))[0];
  if (problem) return offering(problem, ...withRest(state, root, ids));
  const before = currentText(state, root, 'history') ?? '';
  const others = ids.length === 1 ? {} : { with: ids.slice(1) };
  return { ok: true, edit: { op: 'remove', target: root, before, ...others, scope: 'history' } };
}

function goalProblem(state: JournalState, ids: readonly MessageId[]): Refusal | undefined {
  for (const id of ids) {
    const [follower] = followersOf(state, id).filter((one) => !ids.includes(one));
    if (follower !== undefined)
      return refuse(
        '{0} is the goal that {1} follows: it can leave only with the messages behind it.',
        id,
        follower,
      );
  }
  return undefined;
}

/** All that has to leave with these: calls with their results, a goal with what follows it. Pins are taken off first. */
function withRest(state: JournalState, root: MessageId, ids: readonly MessageId[]): Op[] {
  const call = ids.length === 1 ? callOfResult(state, root) : undefined;
  if (call !== undefined)
    return unpinned(state, { kind: 'remove', target: call, scope: 'history', also: [root] });
  const all = new Set(ids);
  // What is added on the way is looked at in its turn.
  for (const id of all) for (const one of [...blockOf(state, id), ...followersOf(state, id)]) all.add(one);
  const [target = root, ...also] = state.history.filter((id) => all.has(id));
  return unpinned(state, { kind: 'remove', target, scope: 'history', also });
}

function unpinned(state: JournalState, op: RemoveOp): Op[] {
  const [root] = splitTarget(op.target);
  const own = op.target === root ? [root] : [];
  const pinned = pinnedIn(state, [...own, ...(op.also ?? [])]);
  return [...pinned.map((target) => ({ kind: 'unpin', target }) as const), op];
}

/** The call that a result answers, where its message has others, or a text, and stays without it. */
function callOfResult(state: JournalState, result: MessageId): string | undefined {
  const [head] = blockOf(state, result);
  const message = head === undefined ? undefined : parseMessage(currentText(state, head, 'history') ?? '');
  const calls = message ? callsOf(message) : [];
  const index = calls.findIndex(({ id }) => id === answers(state, result, 'history'));
  const isAll = message && isEmpty(without(message, index));
  return head === result || index < 0 || isAll ? undefined : `${head}/tool_calls/${index}`;
}

function isEmpty(message: WireMessage): boolean {
  return callsOf(message).length === 0 && contentText(message) === '';
}

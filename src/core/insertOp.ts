/** Something new: messages in the history or in one request, a call in the reply that waits. */
import { changeProblem } from './changeProblem.ts';
import { notAtPlan } from './fateProblem.ts';
import { currentRound, type JournalState } from './journalState.ts';
import { lateRule, legalInsert, messagesOf } from './legalInsert.ts';
import { callsOf, type MessageId, type WireMessage } from './messages.ts';
import type { Applied, InsertOp } from './ops.ts';
import { isRecord, parseJson } from './parseMessage.ts';
import { splitTarget } from './pointer.ts';
import { legalNameOf } from './repair.ts';
import { offering, type Refusal, refuse } from './refusal.ts';
import { requestHistory } from './requestHistory.ts';
import { serialise } from './serialise.ts';
import { setMessage } from './setMessage.ts';

export function insertOp(state: JournalState, op: InsertOp): Applied {
  const [root, path] = splitTarget(op.target);
  if (op.scope === 'pending' && path === 'tool_calls') return insertCall(state, root, op.value);
  if (op.target !== 'messages' || (op.scope !== 'history' && op.scope !== 'request')) {
    const refusal = refuse('Add to messages (for good or for this request), or to the calls of the reply.');
    const scope = state.checkpoint?.kind === 'plan' ? 'request' : 'history';
    return op.target === 'messages' ? offering(refusal, { ...op, scope }) : refusal;
  }
  const applied = insertMessages(state, op);
  return applied.ok ? applied : offering(applied, ...legalOp(state, op, applied));
}

/** Faults that one addition may have: a place, an id, a name, what it lacks. */
const mostFaults = 5;

/** The same addition with each fault repaired in turn, where that leads to one that is taken. */
function legalOp(state: JournalState, op: InsertOp, first: Refusal): InsertOp[] {
  let [next, refusal] = [op, first];
  for (let fault = 0; fault < mostFaults; fault++) {
    const repaired = legalInsert(state, next, refusal);
    if (!repaired) return [];
    const applied = insertMessages(state, repaired);
    if (applied.ok) return [repaired];
    [next, refusal] = [repaired, applied];
  }
  return [];
}

/** A call that nobody made yet gets a wire id that no other has. */
function insertCall(state: JournalState, id: MessageId, value: unknown): Applied {
  const reply = currentRound(state)?.replies.at(-1);
  if (reply?.message !== id) {
    const refusal = refuse('Calls can be added only to the reply that waits.');
    return reply
      ? offering(refusal, { kind: 'insert', target: `${reply.message}/tool_calls`, scope: 'pending', value })
      : refusal;
  }
  if (!isRecord(value) || typeof value['name'] !== 'string')
    return refuse('A call needs a name, and arguments as the text of a JSON object.');
  const { name, arguments: given = {} } = value;
  const before = parseJson(state.parts.get(reply.part) ?? '') as WireMessage;
  const known = callsOf(before);
  const used = new Set(known.map((call) => call.id));
  let number = known.length + 1;
  while (used.has(`call_added_${id}_${number}`)) number++;
  const call = {
    id: `call_added_${id}_${number}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : serialise(given) },
  };
  const set = setMessage(state, id, '', 'pending', { ...before, tool_calls: [...known, call] });
  if (!set.ok) return offeringName(set, id, name, given);
  return {
    ok: true,
    edit: { ...set.edit!, op: 'insert', target: `${id}/tool_calls/${known.length}` },
  };
}

function offeringName(refusal: Refusal, id: MessageId, name: unknown, given: unknown): Refusal {
  if (refusal.rule !== 'bad-name') return refusal;
  const value = { name: legalNameOf(String(name)), arguments: given };
  return offering(refusal, { kind: 'insert', target: `${id}/tool_calls`, scope: 'pending', value });
}

function insertMessages(state: JournalState, op: InsertOp): Applied {
  const { scope, behind } = op;
  const misplaced = (scope === 'request' ? notAtPlan(state) : undefined) ?? placeProblem(state, op);
  if (misplaced) return misplaced;
  const messages = messagesOf(op);
  const [first] = messages;
  if (first === undefined || !messages.every((one) => isRecord(one) && typeof one.role === 'string'))
    return refuse('A message needs a role (system, user or assistant) and a text.');
  const added = messages.map((one, index) => [idAt(state, index), one] as const);
  const problem = changeProblem(state, scope, { added: { behind, messages: added } });
  if (problem) return problem;
  const late = beforeGoal(state, op, messages);
  if (late) return late;
  const [[target, message], ...others] = added as [(typeof added)[number], ...typeof added];
  return {
    ok: true,
    edit: {
      op: 'insert',
      target,
      after: serialise(message),
      ...(behind === undefined ? {} : { behind }),
      ...(others.length === 0 ? {} : { with: others.map(([id, one]) => [id, serialise(one)] as const) }),
      scope,
    },
  };
}

function idAt(state: JournalState, index: number): MessageId {
  return `m${state.highest.message + 1 + index}`;
}

function placeProblem(state: JournalState, { scope, behind }: InsertOp): Refusal | undefined {
  if (behind === undefined) return undefined;
  const list = scope === 'request' ? requestHistory(state) : state.history;
  return list.includes(behind) ? undefined : refuse('There is no message {0} in the history.', behind);
}

/** A goal is the last of its run to leave the context: what a model said can't stand before it. */
function beforeGoal(
  state: JournalState,
  op: InsertOp,
  messages: readonly WireMessage[],
): Refusal | undefined {
  if (!messages.some(({ role }) => role === 'assistant')) return undefined;
  const list = op.scope === 'request' ? requestHistory(state) : state.history;
  const run = state.messages.get(op.behind ?? '')?.run;
  const goal = state.runs.find((one) => one.run === run)?.goal;
  if (goal === undefined || list.indexOf(goal) <= list.indexOf(op.behind ?? '')) return undefined;
  return {
    ...refuse('A reply of the model can not stand before {0}, the goal of its run.', goal),
    rule: lateRule,
  };
}

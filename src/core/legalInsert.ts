/** What would be taken in place of messages that can not be put in as they are. */
import { blockOf } from './blockOf.ts';
import type { JournalState } from './journalState.ts';
import { callsOf, type WireMessage } from './messages.ts';
import type { InsertOp } from './ops.ts';
import { parseJson } from './parseMessage.ts';
import type { Refusal } from './refusal.ts';
import { legalNameOf } from './repair.ts';
import { serialise } from './serialise.ts';

/** What a model said stands before the goal of its run: no fault of the list, but of what packing makes of it. */
export const lateRule = 'before-goal';

/** What is to be added; it may be no message at all. */
export function messagesOf({ value }: InsertOp): readonly WireMessage[] {
  const given = parseJson(serialise(value));
  return (Array.isArray(given) ? given : [given]) as readonly WireMessage[];
}

/** The same addition without what this refusal names: at the next place, with what it lacks, with another id or name. */
export function legalInsert(state: JournalState, op: InsertOp, { rule }: Refusal): InsertOp | undefined {
  if (typeof op.value === 'string' && op.value.trim() !== '')
    return { ...op, value: { role: 'user', content: op.value } };
  const messages = messagesOf(op);
  const block = blockOf(state, op.behind ?? '');
  const last = block.at(-1);
  switch (rule) {
    case 'orphan-result':
    case 'missing-result': {
      const whole = completed(messages);
      if (whole.length > messages.length) return { ...op, value: whole };
      return last === undefined || last === op.behind ? undefined : { ...op, behind: last };
    }
    case 'system-first':
      return { ...op, behind: state.history[leading(state) - 1] };
    case 'first-user': {
      const user = state.history.find((id) => state.messages.get(id)?.role === 'user');
      return user === undefined || user === op.behind ? undefined : { ...op, behind: user };
    }
    case lateRule:
      return { ...op, behind: goalAround(state, op.behind) };
    case 'duplicate-id':
      return { ...op, value: withFreshIds(state, messages) };
    case 'bad-name':
      return { ...op, value: messages.map(withLegalNames) };
    default:
      return undefined;
  }
}

/** The goal of the run that a message belongs to. */
function goalAround(state: JournalState, id: string | undefined): string | undefined {
  const run = state.messages.get(id ?? '')?.run;
  return state.runs.find((one) => one.run === run)?.goal;
}

/** How many messages stand before the conversation begins. */
function leading(state: JournalState): number {
  const first = state.history.findIndex((id) => state.messages.get(id)?.role !== 'system');
  return first < 0 ? state.history.length : first;
}

/** A result with a call that it answers, a call with a result that says that there is none. */
function completed(messages: readonly WireMessage[]): WireMessage[] {
  const whole: WireMessage[] = [];
  let open: string[] = [];
  const close = () => {
    for (const id of open.splice(0))
      whole.push({
        role: 'tool',
        tool_call_id: id,
        content: serialise({ success: false, error: 'no result' }),
      });
  };
  for (const message of messages) {
    const answers = message.tool_call_id;
    if (message.role === 'tool') {
      if (typeof answers !== 'string' || answers === '') return [];
      if (!open.includes(answers)) {
        close();
        const name = typeof message['name'] === 'string' ? legalNameOf(message['name']) : 'unknown_tool';
        const call = { id: answers, type: 'function', function: { name, arguments: '{}' } } as const;
        whole.push({ role: 'assistant', content: null, tool_calls: [call] });
      }
      open = open.filter((id) => id !== answers);
    } else {
      close();
      open = callsOf(message).map(({ id }) => id);
    }
    whole.push(message);
  }
  close();
  return whole;
}

function withFreshIds(state: JournalState, messages: readonly WireMessage[]): WireMessage[] {
  const fresh = (id: unknown) => (typeof id === 'string' ? `${id}_m${state.highest.message + 1}` : id);
  return messages.map((message) => ({
    ...message,
    ...(message.tool_call_id === undefined ? {} : { tool_call_id: fresh(message.tool_call_id) as string }),
    ...(callsOf(message).length === 0
      ? {}
      : { tool_calls: callsOf(message).map((call) => ({ ...call, id: fresh(call.id) as string })) }),
  }));
}

function withLegalNames(message: WireMessage): WireMessage {
  const calls = callsOf(message);
  if (calls.length === 0) return message;
  return {
    ...message,
    tool_calls: calls.map((call) => ({
      ...call,
      function: { ...call.function, name: legalNameOf(call.function.name) },
    })),
  };
}

import {
  callAt,
  type CallState,
  currentRound,
  currentRun,
  type JournalState,
  textOf,
} from '../core/journalState.ts';
import type { MessageId } from '../core/messages.ts';
import { parseJson, parseMessage } from '../core/parseMessage.ts';
import { sentList } from '../core/sentList.ts';
import type { Checkpoint } from '../runner/gate.ts';
import type { ExpressionScope } from './sandbox.ts';

/**
 * What expressions can name at a checkpoint: `round`, `phase`, `messages` (the history, each with its id),
 * `packed` (what is sent), `call`, `result`, `session`, `usage`, and `fresh`: the messages, calls and
 * results that are new in this round, so that a condition on them does not fire again every round.
 */
export function expressionScope(state: JournalState, at: Checkpoint): ExpressionScope {
  const round = currentRound(state);
  const messages = state.history.flatMap((id) => message(id, textOf(state, id)));
  const sent = (round && sentList(state, round)?.items) ?? [];
  const reply = round?.replies.at(-1);
  const call = at.key === undefined ? undefined : callAt(state, at.key);
  const results = (round?.calls ?? []).flatMap((one) =>
    message(one.message ?? '', state.parts.get(one.part ?? '')),
  );
  // What entered since the plan before this one: the model sees it for the first time in this round.
  const run = currentRun(state);
  const since = run?.rounds.at(-2)?.seq ?? run?.seq ?? 0;
  const isNew = (id: MessageId) => (state.messages.get(id)?.versions[0]?.seq ?? 0) > since;
  return {
    round: round?.round ?? 0,
    phase: at.kind,
    messages,
    packed: sent.flatMap(({ id, part }) => message(id, state.parts.get(part ?? ''))),
    reply: reply ? (message(reply.message, state.parts.get(reply.part))[0] ?? null) : null,
    call: call ? callValue(call) : null,
    result: results.at(-1) ?? null,
    session: Object.fromEntries(
      [...state.working].map(([key, part]) => [key, parseJson(state.parts.get(part) ?? 'null')]),
    ),
    usage: reply?.event.usage ?? null,
    fresh: {
      messages: messages.filter(({ id }) => isNew(id)),
      calls: (round?.calls ?? []).map(callValue),
      results,
    },
  };
}

function callValue({ key, name, arguments: text }: CallState) {
  return { key, name, arguments: parseJson(text) ?? text };
}

function message(id: MessageId, text: string | undefined): (Record<string, unknown> & { id: MessageId })[] {
  const parsed = text === undefined ? undefined : parseMessage(text);
  return parsed ? [{ ...parsed, id }] : [];
}

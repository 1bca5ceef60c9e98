/**
 * What an agent does, as its user hears of it: every event of the journal, and three made from them that need no
 * knowledge of it. Texts are as the journal has them: secrets are taken out.
 */
import type { CallOutcome, JournalEvent } from '../core/events.ts';
import { callAt, currentRound, currentRun, type JournalState } from '../core/journalState.ts';
import {
  type CallKey,
  contentText,
  type MessageId,
  type Observation,
  type Origin,
  type Role,
} from '../core/messages.ts';
import { parseJson, parseMessage } from '../core/parseMessage.ts';
import { callResults } from '../runner/callResults.ts';
import { isEmptyReply } from '../runner/replyOf.ts';

/** Told apart by `type`; those of the journal have dots in theirs or are one of its words, and all have a `seq`. */
export type AgentEvent = ToolCallEvent | ToolResultEvent | ChatMessageEvent | JournalEvent;

interface Place {
  readonly run: number;
  /** From 1; 0 before the first round of a run. */
  readonly round: number;
}

interface OfCall extends Place {
  /** The same in `tool_call` and `tool_result`, and unique in the session: run.round.position, such as `1.2.1`. */
  readonly id: CallKey;
  /** The tool's own name. */
  readonly name: string;
}

/** A call is about to run, or would be: every call has exactly one, before its `tool_result`. */
export interface ToolCallEvent extends OfCall {
  readonly type: 'tool_call';
  /** Parsed; the text as the model wrote it where that is no JSON (it is not executed then). */
  readonly arguments: unknown;
}

/** A call is over: `success` with the whole `data`, also where the model gets less of it, or an `error` in words. */
export type ToolResultEvent = OfCall & {
  readonly type: 'tool_result';
  readonly outcome: CallOutcome;
  readonly ms: number;
} & Observation;

/** A reply that has arrived, or any other message that has entered the history: each message once, in its order. */
export interface ChatMessageEvent extends Place {
  readonly type: 'message';
  readonly id: MessageId;
  readonly role: Role;
  /** Empty for a reply that is calls alone. */
  readonly text: string;
  readonly origin: Origin['kind'];
}

export function isJournalEvent(event: AgentEvent): event is JournalEvent {
  return 'seq' in event;
}

/** Makes the stream of one listener. Each event is told before the one that follows from it in `state`, its fold. */
export function createAgentEvents(
  state: JournalState,
  ownName: (name: string) => string,
): (event: JournalEvent) => readonly AgentEvent[] {
  const told = new Set<string>();
  const once = <Event>(id: string, make: () => readonly Event[]): readonly Event[] => {
    if (told.has(id)) return [];
    told.add(id);
    return make();
  };
  const call = (key: CallKey) => once(key, () => toolCall(state, key, ownName));

  return (event) => {
    switch (event.type) {
      case 'call.started':
        return [event, ...call(event.key)];
      case 'call.finished':
        // Rejected, malformed or cancelled: it was never started.
        return [event, ...call(event.key), ...toolResult(state, event.key, ownName)];
      case 'model.replied': {
        const isRound = currentRound(state)?.replies.at(-1)?.message === event.message;
        const isEmpty = isEmptyReply(parseMessage(state.parts.get(event.reply) ?? ''));
        if (!isRound || isEmpty) return [event];
        return [
          event,
          ...once(event.message, () => message(state, event.message, event.reply, 'assistant', 'reply')),
        ];
      }
      case 'history.appended':
        return [
          event,
          ...event.messages.flatMap(({ id, part, role, origin }) =>
            once(id, () => message(state, id, part, role, origin.kind)),
          ),
        ];
      default:
        return [event];
    }
  };
}

function placeOf(state: JournalState): Place {
  return { run: currentRun(state)?.run ?? 0, round: currentRound(state)?.round ?? 0 };
}

function toolCall(state: JournalState, key: CallKey, ownName: (name: string) => string): ToolCallEvent[] {
  const call = callAt(state, key);
  if (!call) return [];
  const { arguments: text } = call;
  const input = text.trim() === '' ? {} : (parseJson(text) ?? text);
  return [{ type: 'tool_call', id: key, name: ownName(call.name), arguments: input, ...placeOf(state) }];
}

function toolResult(state: JournalState, key: CallKey, ownName: (name: string) => string): ToolResultEvent[] {
  const { name = '', outcome, ms = 0 } = callAt(state, key) ?? {};
  const observation = callResults(state).get(key);
  if (!outcome || !observation) return [];
  const place = placeOf(state);
  return [{ type: 'tool_result', id: key, name: ownName(name), outcome, ms, ...place, ...observation }];
}

function message(
  state: JournalState,
  id: MessageId,
  part: string,
  role: Role,
  origin: Origin['kind'],
): ChatMessageEvent[] {
  const text = contentText(parseMessage(state.parts.get(part) ?? '') ?? { role });
  return [{ type: 'message', id, role, text, origin, ...placeOf(state) }];
}

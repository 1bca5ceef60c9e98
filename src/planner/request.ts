/** Assembles a request body as text from messages and parameters, and says it as the journal does: in parts. */
import { joinBody, requestItems, splicesBetween } from '../core/body.ts';
import type { AgentConfig } from '../core/config.ts';
import type { Item } from '../core/events.ts';
import { currentRound, type JournalState, textOf } from '../core/journalState.ts';
import { factsOfText } from '../core/messageFacts.ts';
import type { MessageId, RequestId, WireMessage } from '../core/messages.ts';
import type { Recorder, ToolSpec } from '../core/ports.ts';
import { requestParameters } from '../core/requestParameters.ts';
import { serialise } from '../core/serialise.ts';
import { rewire } from './egress.ts';
import type { PreparedRequest } from './prepared.ts';

export interface RequestInput {
  readonly state: JournalState;
  readonly tools: readonly ToolSpec[];
  /** Messages to send, in order. */
  readonly kept: readonly MessageId[];
  /** What is sent in place of a message's own text, where the packing shortened it. */
  readonly texts: ReadonlyMap<MessageId, string>;
  readonly request: RequestId;
  readonly recorder: Recorder;
}

/** The request of a round. Texts other than the messages' own become parts (that is why it takes a recorder). */
export function prepareRequest(input: RequestInput): PreparedRequest {
  const { state, kept, texts: shorter, recorder } = input;
  const own = currentRound(state)?.requestEdits.texts ?? new Map<MessageId, string>();
  const wanted = kept.map((id) => {
    const text = shorter.get(id) ?? state.parts.get(own.get(id) ?? '') ?? textOf(state, id) ?? '';
    return { text, facts: factsOfText(state, text) };
  });
  const texts = rewire(wanted);
  const items = kept.map((id, index): Item => {
    const text = texts[index] ?? '';
    return text === textOf(state, id) ? id : [id, recorder.part(text)];
  });
  const on = state.lastRequest ?? null;
  const { head, tail } = frame(requestParameters(state), input.tools);
  return {
    request: input.request,
    purpose: 'round',
    on,
    splices: splicesBetween(on === null ? [] : requestItems(state, on), items),
    head,
    tail,
    texts,
    body: joinBody(head, texts, tail),
  };
}

export interface AsideInput {
  readonly config: AgentConfig;
  readonly purpose: Exclude<PreparedRequest['purpose'], 'round'>;
  readonly messages: readonly WireMessage[];
  readonly request: RequestId;
  readonly recorder: Recorder;
  /** Ids for messages that are in this request only. */
  readonly nextMessage: () => MessageId;
}

/** A request beside the conversation: messages of its own, no tools, no edits. */
export function prepareAside(input: AsideInput): PreparedRequest {
  const texts = input.messages.map((message) => serialise(message));
  const items = texts.map((text): Item => [input.nextMessage(), input.recorder.part(text)]);
  const { model_name, temperature } = input.config;
  const parameters = [
    ['model', JSON.stringify(model_name)],
    ['temperature', JSON.stringify(temperature)],
  ] as const;
  const { head, tail } = frame(parameters, []);
  return {
    request: input.request,
    purpose: input.purpose,
    on: null,
    splices: [[0, 0, items]],
    head,
    tail,
    texts,
    body: joinBody(head, texts, tail),
  };
}

/** What stands around the messages: the model before them; parameters and tools behind them. */
function frame(
  wanted: Iterable<readonly [string, string]>,
  tools: readonly ToolSpec[],
): { head: string; tail: string[] } {
  const { model = '""', ...rest } = Object.fromEntries(wanted);
  const parameters = { ...rest, stream: 'true', stream_options: '{"include_usage":true}' };
  const fields = Object.entries(parameters).map(([name, json]) => `,${JSON.stringify(name)}:${json}`);
  return { head: `{"model":${model},"messages":[`, tail: [`]${fields.join('')}`, toolsTail(tools)] };
}

function toolsTail(tools: readonly ToolSpec[]): string {
  return tools.length === 0 ? '}' : `,"tools":${toolsText(tools)}}`;
}

/** The tools as the model is told of them: JSON text of the `tools` array. */
export function toolsText(tools: readonly ToolSpec[]): string {
  return JSON.stringify(
    tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  );
}

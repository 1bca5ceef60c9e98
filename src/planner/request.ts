/** Assembles a request body as text from messages and parameters, and says it as the journal does: in parts. */
import { itemId, itemText, joinBody, requestItems, splicesBetween } from '../core/body.ts';
import type { Item, Splice } from '../core/events.ts';
import { currentRound, type JournalState, textOf } from '../core/journalState.ts';
import { factsOfText } from '../core/messageFacts.ts';
import type { MessageId, RequestId } from '../core/messages.ts';
import type { ReadNote, Recorder, ToolSpec } from '../core/ports.ts';
import { requestFrame, type RequestFrame } from '../core/requestParameters.ts';
import { type Change, rewire, type Sent } from './egress.ts';
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
  /** The end point that is asked, as journaled. */
  readonly url: string;
}

/** The request of a round. Texts other than the messages' own become parts (that is why it takes a recorder). */
export function prepareRequest(input: RequestInput): PreparedRequest {
  const { state, kept, texts: shorter, recorder, url } = input;
  const frame = requestFrame(state, url);
  const own = currentRound(state)?.requestEdits.texts ?? new Map<MessageId, string>();
  const wanted = kept.map((id) => {
    const text = shorter.get(id) ?? state.parts.get(own.get(id) ?? '') ?? textOf(state, id) ?? '';
    return { text, facts: factsOfText(state, text), foreign: isForeign(state, id, url) };
  });
  const sent = rewire(wanted, frame.dialect);
  const items = kept.map((id, index): Item => {
    const text = sent[index]?.text ?? '';
    return text === textOf(state, id) ? id : [id, recorder.part(text)];
  });
  const on = state.lastRequest ?? null;
  const splices = splicesBetween(on === null ? [] : requestItems(state, on), items);
  // As the journal writes them: what it leaves out is put back on the way out.
  const written = (text: string) => state.parts.get(recorder.part(text)) ?? text;
  const head = written(headText(frame));
  const tail = tailTexts(frame, input.tools).map(written);
  const texts = items.map((item) => itemText(state, item) ?? '');
  return {
    request: input.request,
    purpose: 'round',
    on,
    splices,
    head,
    tail,
    texts,
    body: joinBody(head, texts, tail),
    notes: changeNotes(kept, sent, splices),
  };
}

/** What stands before the messages. */
export function headText({ model }: RequestFrame): string {
  return `{"model":${model},"messages":[`;
}

/** What stands behind them: parameters, then tools. */
export function tailTexts({ parameters, dialect }: RequestFrame, tools: readonly ToolSpec[]): string[] {
  const fields = [...parameters].map(([name, json]) => `,${JSON.stringify(name)}:${json}`).join('');
  return [`]${fields}`, tools.length === 0 ? '}' : `,"tools":${toolsText(tools, dialect.strict)}}`];
}

/** A reply of another end point: what its provider added to it is not for this one. */
function isForeign(state: JournalState, id: MessageId, url: string): boolean {
  const { kind, request } = state.messages.get(id)?.origin ?? {};
  const from = kind === 'reply' ? state.requests.get(request ?? '')?.attempts[0]?.sent.url : undefined;
  return from !== undefined && from !== url;
}

const changeWords: Readonly<Record<Change, readonly [code: string, detail: string]>> = {
  ids: [
    'ids-rewritten',
    'call ids that occur twice, or that another provider gave, were rewritten in call and result',
  ],
  arguments: ['arguments-replaced', 'arguments that are no JSON object were sent as {}'],
  fields: ['fields-stripped', "fields of a provider's own were not sent to a server that they are not for"],
  role: ['role-rewritten', 'instructions were sent under the role that this server takes'],
};

/** What was changed on the way out, told once: in the request that first sends a message so. */
function changeNotes(
  kept: readonly MessageId[],
  sent: readonly Sent[],
  splices: readonly Splice[],
): ReadNote[] {
  const fresh = new Set(splices.flatMap(([, , items]) => items.map(itemId)));
  return (Object.keys(changeWords) as Change[]).flatMap((change) => {
    const ids = kept.filter((id, index) => fresh.has(id) && sent[index]?.changes.includes(change));
    const [code, detail] = changeWords[change];
    return ids.length === 0 ? [] : [{ code, detail: `${detail} (${ids.join(', ')})` }];
  });
}

/** The tools as the model is told of them: JSON text of the `tools` array. */
export function toolsText(tools: readonly ToolSpec[], strict = true): string {
  return JSON.stringify(
    tools.map(({ name, description, parameters, strict: own }) => ({
      type: 'function',
      function: { name, description, ...(strict && own ? { strict: true } : {}), parameters },
    })),
  );
}

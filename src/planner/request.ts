/** Assembles a request body as text from messages and parameters, and says it as the journal does: in parts. */
import { beginsWith, itemId, itemText, requestBody, requestItems, splicesBetween } from '../core/body.ts';
import type { Item, Splice } from '../core/events.ts';
import { currentRound, type JournalState, textOf } from '../core/journalState.ts';
import { factsOfText } from '../core/messageFacts.ts';
import type { MessageId, RequestId } from '../core/messages.ts';
import type { ReadNote, Recorder, ToolSpec } from '../core/ports.ts';
import { requestFrame, type RequestFrame } from '../core/requestParameters.ts';
import { type Change, createRewiring, type Outgoing as WireText, type Sent } from './egress.ts';
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
  const { state, kept, recorder, url } = input;
  const frame = requestFrame(state, url);
  const { sent, items, texts } = outgoing(input, frame.dialect);
  const on = state.lastRequest ?? null;
  const splices = splicesBetween(on === null ? [] : requestItems(state, on), items);
  // As the journal writes them: what it leaves out is put back on the way out.
  const written = (text: string) => state.parts.get(recorder.part(text)) ?? text;
  const head = written(headText(frame));
  const tail = tailTexts(frame, input.tools).map(written);
  return {
    request: input.request,
    purpose: 'round',
    on,
    splices,
    body: requestBody(head, texts, tail),
    notes: changeNotes(kept, sent, splices),
  };
}

/** The messages of a request, and what they depend on. */
interface Outgoing {
  readonly url: string;
  readonly rewritten: number;
  readonly kept: readonly MessageId[];
  readonly shorter: ReadonlyMap<MessageId, string>;
  readonly rewiring: (message: WireText) => Sent;
  readonly sent: readonly Sent[];
  readonly items: readonly Item[];
  readonly texts: readonly string[];
}

/** Of the last request: where the next one only adds messages to it, it goes on from there. */
const lastOutgoing = new WeakMap<JournalState, Outgoing>();

function outgoing(input: RequestInput, dialect: RequestFrame['dialect']): Outgoing {
  const { state, kept, texts: shorter, recorder, url } = input;
  const { rewritten } = state;
  const before = lastOutgoing.get(state);
  const goesOn = before && onlyAdds(before, input) ? before : undefined;
  const rewiring = goesOn?.rewiring ?? createRewiring(dialect);
  const edited = currentRound(state)?.requestEdits.texts ?? new Map<MessageId, string>();
  const fresh = kept.slice(goesOn?.kept.length).map((id) => {
    const own = textOf(state, id);
    const text = shorter.get(id) ?? state.parts.get(edited.get(id) ?? '') ?? own ?? '';
    const foreign = isForeign(state, id, url);
    const sent = rewiring({ text, facts: factsOfText(state, text), foreign });
    const item: Item = sent.text === own ? id : [id, recorder.part(sent.text)];
    return { sent, item, text: itemText(state, item) ?? '' };
  });
  const now: Outgoing = {
    ...{ url, rewritten, kept, shorter, rewiring },
    sent: (goesOn?.sent ?? []).concat(fresh.map(({ sent }) => sent)),
    items: (goesOn?.items ?? []).concat(fresh.map(({ item }) => item)),
    texts: (goesOn?.texts ?? []).concat(fresh.map(({ text }) => text)),
  };
  lastOutgoing.set(state, now);
  return now;
}

/** Whether nothing that was sent is sent otherwise now, so that messages were added at most. */
function onlyAdds(before: Outgoing, { state, url, kept, texts }: RequestInput): boolean {
  return (
    before.url === url &&
    before.rewritten === state.rewritten &&
    beginsWith(kept, before.kept) &&
    (before.shorter.size + texts.size === 0 ||
      before.kept.every((id) => before.shorter.get(id) === texts.get(id)))
  );
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
export function changeNotes(
  kept: readonly MessageId[],
  sent: readonly Sent[],
  splices: readonly Splice[],
): ReadNote[] {
  if (!isAnyChanged(sent)) return [];
  const fresh = new Set(splices.flatMap(([, , items]) => items.map(itemId)));
  return (Object.keys(changeWords) as Change[]).flatMap((change) => {
    const ids = kept.filter((id, index) => fresh.has(id) && sent[index]?.changes.includes(change));
    const [code, detail] = changeWords[change];
    return ids.length === 0 ? [] : [{ code, detail: `${detail} (${ids.join(', ')})` }];
  });
}

/** Of a thousand messages, in each round: no call for each. */
function isAnyChanged(sent: readonly Sent[]): boolean {
  for (const { changes } of sent) if (changes.length > 0) return true;
  return false;
}

/** The tools as the model is told of them: JSON text of the `tools` array. */
export function toolsText(tools: readonly ToolSpec[], strict = true): string {
  if (lastTools.strict !== strict || !isSameList(lastTools.tools, tools))
    lastTools = { tools, strict, text: textOfTools(tools, strict) };
  return lastTools.text;
}

/** Asked several times a round, of the same tools. */
let lastTools: { readonly tools: readonly ToolSpec[]; readonly strict: boolean; readonly text: string } = {
  tools: [],
  strict: true,
  text: '[]',
};

function isSameList(one: readonly ToolSpec[], other: readonly ToolSpec[]): boolean {
  return one === other || (one.length === other.length && one.every((tool, index) => tool === other[index]));
}

function textOfTools(tools: readonly ToolSpec[], strict: boolean): string {
  return JSON.stringify(
    tools.map(({ name, description, parameters, strict: own }) => ({
      type: 'function',
      function: { name, description, ...(strict && own ? { strict: true } : {}), parameters },
    })),
  );
}

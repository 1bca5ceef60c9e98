/** A request beside the conversation, for a summary: messages of its own, no tools, no edits of the round. */
import { itemId, itemText, requestBody } from '../core/body.ts';
import type { Item } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import { messageFacts } from '../core/messageFacts.ts';
import type { MessageId, RequestId, WireMessage } from '../core/messages.ts';
import type { Recorder } from '../core/ports.ts';
import { asideFrame } from '../core/requestParameters.ts';
import { serialise } from '../core/serialise.ts';
import { rewire } from './egress.ts';
import type { PreparedRequest } from './prepared.ts';
import { changeNotes, headText, tailTexts } from './request.ts';

export interface AsideInput {
  readonly state: JournalState;
  readonly purpose: Exclude<PreparedRequest['purpose'], 'round'>;
  readonly messages: readonly WireMessage[];
  readonly request: RequestId;
  readonly recorder: Recorder;
  /** The end point that is asked, as journaled. */
  readonly url: string;
  /** Ids for messages that are in this request only. */
  readonly nextMessage: () => MessageId;
}

export function prepareAside(input: AsideInput): PreparedRequest {
  const { state, recorder, url, nextMessage } = input;
  const frame = asideFrame(state, url);
  const wanted = input.messages.map((message) => ({
    text: serialise(message),
    facts: messageFacts(message),
    foreign: false,
  }));
  const sent = rewire(wanted, frame.dialect);
  const items = sent.map(({ text }): Item => [nextMessage(), recorder.part(text)]);
  const splices = [[0, 0, items]] as const;
  const written = (text: string) => state.parts.get(recorder.part(text)) ?? text;
  const head = written(headText(frame));
  const tail = tailTexts(frame, []).map(written);
  const texts = items.map((item) => itemText(state, item) ?? '');
  return {
    request: input.request,
    purpose: input.purpose,
    on: null,
    splices,
    body: requestBody(head, texts, tail),
    notes: changeNotes(items.map(itemId), sent, splices),
  };
}

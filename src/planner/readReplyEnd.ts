/**
 * How a reply ended, and what it is worth. Four endings are told apart: complete, cut by the provider (a
 * failure: nothing of it is executed or remembered), cut by a limit, and cancelled.
 */
import type { FailureClass } from '../core/events.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { ModelFailure, ModelReply } from '../core/ports.ts';
import type { Accumulator } from './accumulate.ts';
import type { SettledCall } from './accumulateSettle.ts';
import type { Classified } from './classify.ts';
import { cleanText } from './classifyText.ts';
import { announcesCalls, finishOf } from './readReplyFinish.ts';
import { replyMessage } from './readReplyMessage.ts';
import type { Notes } from './readReplyNotes.ts';
import type { ReplyText } from './readReplyText.ts';

/** How the connection came to its end. */
export type Closing =
  /** `[DONE]`, or a whole JSON document. */
  | { readonly kind: 'done' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'broken'; readonly error: string }
  | { readonly kind: 'silent'; readonly ms: number }
  | { readonly kind: 'oversized'; readonly limit: number }
  | { readonly kind: 'aborted' };

export interface ReadState {
  readonly accumulator: Accumulator;
  readonly notes: Notes;
  readonly result: ReplyText['result'];
  /** It came as events, and not as one document. */
  readonly isStream: boolean;
  readonly foreignType: string | undefined;
  readonly closing: Closing;
  readonly bytes: number;
  /** The text as received. */
  readonly raw: string;
  /** Classifies an error that the server reported inside a 200. */
  readonly classify: (body: string) => Classified;
}

export type ReadEnd = Pick<ModelReply, 'ok' | 'message' | 'finish' | 'usage'> | FailedEnd;
export type FailedEnd = Pick<ModelFailure, 'ok'> & Classified;

export function endOfReply(state: ReadState): ReadEnd {
  const { accumulator, notes, result, closing } = state;
  if (result === 'done' && accumulator.begun) return complete(state);
  if (result === 'done') return state.foreignType === undefined ? nothingCame : foreign(state.foreignType);
  if (closing.kind === 'aborted')
    return failed('cancelled', 'Cancelled while the reply was arriving.', false);
  if (result?.kind === 'reported') {
    return { ok: false, ...state.classify(result.body) };
  }
  if (result) return failed('protocol', `${result.detail}.`, accumulator.begun);
  if (accumulator.finish === null) return incomplete(state);
  notes.add('done-missing', `the reply was complete, but ${inWords(closing)} instead of [DONE]`);
  return complete(state);
}

const nothingCame = failed(
  'protocol',
  'The server ended the reply without any of it (no "choices" came).',
  true,
);

function foreign(type: string): FailedEnd {
  const message = `The server speaks another API (it streams “${cleanText(type, 40)}”): api_base must lead to chat completions as OpenAI has them.`;
  return failed('protocol', message, false);
}

/** The reply stopped before its provider ended it. */
function incomplete({ closing, bytes, raw, foreignType }: ReadState): FailedEnd {
  const size = `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const how = inWords(closing);
  if (closing.kind === 'oversized') {
    return failed('protocol', `The reply is larger than ${closing.limit} bytes; it was not read on.`, false);
  }
  if (closing.kind === 'silent') {
    const wait = `${closing.ms / 1000} s`;
    const begun = `The reply stalled: nothing came for ${wait} after ${size}.`;
    return failed('timeout', bytes > 0 ? begun : `The model did not begin to answer within ${wait}.`, true);
  }
  if (foreignType !== undefined) return foreign(foreignType);
  if (raw.trim() === '')
    return failed('cut', `The server answered, but ${how} before any of the reply.`, true);
  if (!replyLike.test(raw)) {
    return failed('protocol', `The server sent no reply, but this: ${cleanText(raw, 200)}`, true);
  }
  const marks = 'neither a finish reason nor [DONE] had come';
  return failed('cut', `The reply was cut by the provider: ${how} after ${size}, and ${marks}.`, true);
}

/** How a JSON document or an event stream begins. */
const replyLike = /^\s*(?:[{:]|data\b|event\b|id\b|retry\b)/;

function inWords(closing: Closing): string {
  switch (closing.kind) {
    case 'done':
      return 'the server said [DONE]';
    case 'closed':
      return 'the connection was closed';
    case 'broken':
      return `the connection broke (${closing.error})`;
    case 'silent':
      return `nothing more came for ${closing.ms / 1000} s`;
    case 'oversized':
      return `it went on past ${closing.limit} bytes`;
    case 'aborted':
      return 'it was cancelled';
  }
}

/** The provider ended the reply. What counts is what it holds; the label only says whether it ended well. */
function complete(state: ReadState): ReadEnd {
  const { accumulator, notes } = state;
  const label = accumulator.finish;
  const finish = finishOf(label);
  if (accumulator.refusal !== '')
    return failed('refused', `The model refused: ${accumulator.refusal}`, false);
  if (finish === 'filtered')
    return failed('refused', `The provider's filter ended the reply (${label}).`, false);
  if (finish === 'failed')
    return failed('server', `The provider did not end the reply well (${label}).`, true);
  const settled = accumulator.calls();
  // Gateways write [DONE] also behind what their provider has cut.
  if (label === null && state.isStream && settled.some(isHalf))
    return failed(
      'cut',
      'The reply was cut by the provider: it ends inside a tool call, without a finish reason.',
      true,
    );
  const calls = finish === 'limit' ? wholeCalls(settled, notes) : settled;
  if (settled.length > 0 && calls.length === 0) {
    return failed(
      'cut',
      'The reply reached the token limit inside a tool call; no call of it is whole.',
      false,
    );
  }
  if (calls.length === 0 && !accumulator.content) return empty(finish === 'limit');
  noteLabel(state, calls.length);
  const message = replyMessage(
    accumulator.content,
    accumulator.extra(),
    calls.map(({ call }) => call),
    notes,
  );
  return { ok: true, message, finish: label, usage: accumulator.usage };
}

/**
 * Of a reply that a limit cut: the calls whose arguments are a whole JSON object. One without any argument
 * text can't be told from one that was cut before its arguments began, so it counts as cut.
 */
function wholeCalls(settled: readonly SettledCall[], notes: Notes): readonly SettledCall[] {
  const whole = settled.filter(({ call, blank }) => !blank && isRecord(parseJson(call.function.arguments)));
  const cut = settled.filter((one) => !whole.includes(one)).map(({ call }) => call.function.name);
  if (cut.length > 0)
    notes.add('calls-cut', `the token limit cut these calls, which were taken out: ${cut.join(', ')}`);
  return whole;
}

/** Its arguments begin as an object and do not come to its end. */
function isHalf({ call }: SettledCall): boolean {
  const text = call.function.arguments;
  return /^\s*\{/.test(text) && !/\}\s*$/.test(text) && parseJson(text) === undefined;
}

function empty(limited: boolean): FailedEnd {
  if (limited)
    return failed('protocol', 'The reply reached the token limit before any text or call of it.', false);
  return failed('protocol', 'The model returned an empty reply: neither text nor calls.', true);
}

function noteLabel({ accumulator, notes }: ReadState, calls: number): void {
  const label = accumulator.finish;
  const said = label === null ? 'gave no finish reason' : `said ${JSON.stringify(label)}`;
  const kept = calls === 1 ? '1 call' : `${calls} calls`;
  if (finishOf(label) === 'limit') {
    notes.add('cut-by-limit', `the provider ${said}: the reply ends at the token limit`);
  } else if (calls > 0 && !announcesCalls(label)) {
    notes.add('finish-disagrees', `the provider ${said}; the reply holds ${kept}, which count`);
  } else if (calls === 0 && announcesCalls(label)) {
    notes.add('finish-disagrees', `the provider ${said}, but the reply holds no call`);
  } else if (label === null) {
    notes.add('finish-missing', `the provider ${said}`);
  }
}

function failed(failure: FailureClass, message: string, retryable: boolean): FailedEnd {
  return { ok: false, class: failure, message, retryable };
}

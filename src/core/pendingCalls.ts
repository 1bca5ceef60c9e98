import type { CallFinished } from './events.ts';
import type { CallState, RoundState } from './journalState.ts';
import { callTexts } from './messages.ts';
import { parseMessage } from './parseMessage.ts';

/**
 * The calls of a reply's text, in order. A call that was there before under the same key keeps what is
 * known of it (it may have run), whatever an edit made of the others.
 */
export function listCalls(round: RoundState, replyText: string): CallState[] {
  const message = parseMessage(replyText);
  const before = new Map(round.calls.map((call) => [call.key, call]));
  return (message ? callTexts(message) : []).map((call, index) => {
    const key = `${round.run}.${round.round}.${index + 1}`;
    const known = before.get(key);
    const fresh = { key, position: index + 1, ...call };
    return known && known.status !== 'waiting' ? known : { status: 'waiting' as const, ...known, ...fresh };
  });
}

export function finishCall(call: CallState, event: CallFinished & { readonly seq: number }): void {
  call.status = 'finished';
  call.finished = event.seq;
  call.outcome = event.outcome;
  call.message = event.message;
  call.part = event.part;
  if (event.observation !== undefined) call.observation = event.observation;
  call.ms = event.ms;
  call.source = event.source;
}

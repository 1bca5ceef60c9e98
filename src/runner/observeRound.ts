/** OBSERVE: the reply and one result per call enter the history, in one piece: it is legal before and after. */
import { currentRound } from '../core/journalState.ts';
import type { Session } from '../session/session.ts';
import { isEmptyReply, replyOf } from './replyOf.ts';

export function observeRound({ journal, state }: Session): void {
  const round = currentRound(state);
  const reply = round?.replies.at(-1);
  if (!round || !reply || isEmptyReply(replyOf(state))) return;
  const results = round.calls.flatMap(({ key, message, part }) => {
    const origin = { kind: 'call', call: key } as const;
    return message && part ? [{ id: message, role: 'tool' as const, part, origin }] : [];
  });
  const origin = { kind: 'reply', request: reply.request } as const;
  journal.append({
    type: 'history.appended',
    messages: [{ id: reply.message, role: 'assistant', part: reply.part, origin }, ...results],
  });
}

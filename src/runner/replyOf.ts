import { currentRound, type JournalState } from '../core/journalState.ts';
import { callsOf, contentText } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';

type Reply = ReturnType<typeof parseMessage>;

/** The current round's reply as it stands, edits included; undefined before there is one. */
export function replyOf(state: JournalState): Reply {
  const reply = currentRound(state)?.replies.at(-1);
  return reply && parseMessage(state.parts.get(reply.part) ?? '');
}

/** Neither text nor calls: nothing that may enter a history. */
export function isEmptyReply(reply: Reply): boolean {
  return !reply || (contentText(reply) === '' && callsOf(reply).length === 0);
}

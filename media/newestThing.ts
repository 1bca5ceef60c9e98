import type { JournalState, RoundState } from '../src/core/journalState.ts';
import type { CallKey } from '../src/core/messages.ts';
import { replyView } from '../src/core/replyView.ts';

/** How far a round has got below the messages that were sent. */
export interface NewestThing {
  /** Another one for each thing that came: the reply, a call that is next, runs, or has ended. */
  readonly key: string;
  /** Absent: the reply itself. */
  readonly call?: CallKey;
}

/** What came last in a round, which is what a stop in it is about; undefined before its reply. */
export function newestThing(state: JournalState, round: RoundState): NewestThing | undefined {
  const reply = replyView(state, round);
  if (!reply) return undefined;
  const call = reply.calls.findLast(({ status }) => status !== 'later');
  if (!call) return { key: reply.message };
  return { key: `${reply.message} ${call.key} ${call.status}`, call: call.key };
}

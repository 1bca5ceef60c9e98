import { bodyOf } from '../../core/body.ts';
import type { JournalState } from '../../core/journalState.ts';
import type { RequestId } from '../../core/messages.ts';

/** The exact body of an attempt; undefined for one that is not there, or of which a text is missing. */
export function requestText(state: JournalState, request: RequestId, attempt: number): string | undefined {
  const made = state.requests.get(request)?.attempts.find(({ sent }) => sent.attempt === attempt);
  return made && bodyOf(state, made.sent, made.seq);
}

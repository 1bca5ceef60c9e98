import { type JournalState, textOf } from '../../core/journalState.ts';
import { contentText } from '../../core/messages.ts';
import { parseMessage } from '../../core/parseMessage.ts';

/** What a session is called: its last goal. */
export function titleOf(state: JournalState): string {
  const goal = state.runs.at(-1)?.goal;
  const message = goal === undefined ? undefined : parseMessage(textOf(state, goal) ?? '');
  return message ? contentText(message).slice(0, 200) : (state.opened?.agent ?? '');
}

import { type JournalState, textOf } from './journalState.ts';
import { callsOf, type MessageId } from './messages.ts';
import { parseMessage } from './parseMessage.ts';

/**
 * The messages that stay or leave together with this one, in order: an assistant message with calls and its
 * results; any other message by itself. Empty for a message that is not in the history.
 */
export function blockOf(state: JournalState, id: MessageId): readonly MessageId[] {
  const { history } = state;
  const isResult = (at: number) => state.messages.get(history[at] ?? '')?.role === 'tool';
  const at = history.indexOf(id);
  if (at < 0) return [];
  let start = at;
  while (start > 0 && isResult(start)) start--;
  const head = parseMessage(textOf(state, history[start]!) ?? '');
  if (!head || callsOf(head).length === 0) return [id];
  let end = start + 1;
  while (isResult(end)) end++;
  return history.slice(start, end);
}

import { type JournalState, textOf } from './journalState.ts';

/** The history as an OpenAI messages array: the texts as they stand, one message a line. */
export function exportMessages(state: JournalState): string {
  const texts = state.history.flatMap((id) => textOf(state, id) ?? []);
  return texts.length === 0 ? '[]\n' : `[\n${texts.join(',\n')}\n]\n`;
}

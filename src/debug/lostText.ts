/** The filter `contextLost`: a text that no message of a request contains. Its condition is the text itself. */
import * as l10n from '@vscode/l10n';
import { type JournalState, currentRound, textOf } from '../core/journalState.ts';
import { callsOf, contentText } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { sentList } from '../core/sentList.ts';
import type { Checkpoint } from '../runner/gate.ts';
import { type Fault, fault } from './faults.ts';

export type LostText = (state: JournalState, at: Checkpoint, text: string | undefined) => Fault | undefined;

/**
 * Looks at what is sent, at each checkpoint, for a text. A text that is gone is a fault once, until it is back: it
 * would stop every round else.
 */
export function createLostText(): LostText {
  let missing: string | undefined;
  return (state, { kind }, text) => {
    // At reply too: a server may have refused what stood at plan, and got less.
    const round = kind === 'plan' || kind === 'reply' ? currentRound(state) : undefined;
    const sent = round && text !== undefined ? sentList(state, round) : undefined;
    if (!sent || text === undefined) return undefined;
    if (sent.items.some(({ part }) => holds(state.parts.get(part ?? ''), text))) {
      missing = undefined;
      return undefined;
    }
    if (missing === text) return undefined;
    missing = text;
    return fault('contextLost', words(state, text), state.packings[sent.packing ?? -1]?.seq ?? sent.seq);
  };
}

function words(state: JournalState, text: string): string {
  const { t } = l10n;
  const holders = state.history.filter((id) => holds(textOf(state, id), text));
  return holders.length === 0
    ? t('No message that is sent contains {0}, and none of the history does', JSON.stringify(text))
    : t('No message that is sent contains {0}; it stands in {1}', JSON.stringify(text), holders.join(', '));
}

function holds(wire: string | undefined, text: string): boolean {
  const message = parseMessage(wire ?? '');
  if (!message) return false;
  const called = callsOf(message).flatMap(({ function: { name, arguments: input } }) => [name, input]);
  return [contentText(message), ...called].some((one) => one.includes(text));
}

import { type CallState, currentRound } from '../core/journalState.ts';
import { callTexts } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import type { ToolCallRequest } from '../core/ports.ts';
import type { Session } from '../session/session.ts';

/** A call of the current reply as the model wrote it: the journal may hold placeholders for secrets in its arguments. */
export function trueCall({ journal, state }: Session, call: CallState): ToolCallRequest {
  const { name, position } = call;
  const text = state.parts.get(currentRound(state)?.replies.at(-1)?.part ?? '') ?? '';
  const revealed = journal.redactor.reveal(text);
  if (revealed === text) return call;
  const message = parseMessage(revealed);
  return { name, arguments: (message && callTexts(message)[position - 1]?.arguments) ?? call.arguments };
}

import type { AgentConfig } from '../core/config.ts';
import { currentRound, type JournalState } from '../core/journalState.ts';
import { parseJson } from '../core/parseMessage.ts';

/** The model that the round's request asks: an edit of the request may name another one. */
export function requestedModel(state: JournalState, config: AgentConfig): string {
  const edited = currentRound(state)?.requestEdits.parameters.get('model');
  const model = edited === undefined ? undefined : parseJson(state.parts.get(edited) ?? '');
  return typeof model === 'string' ? model : config.model_name;
}

/** What a session learns of an end point and a model from its refusals, as the fold keeps it. */
import type { Edited, ModelFailed, ModelRequested } from './events.ts';
import { currentRound, type JournalState } from './journalState.ts';
import { isRecord, parseJson } from './parseMessage.ts';

/** A rewrite answers the refusal of the last request, whatever its purpose. */
export function learnRepair(state: JournalState, edit: Edited): void {
  const sent = state.lastSent;
  if (!sent) return;
  const { run = 0, round = 0 } = currentRound(state) ?? {};
  state.repairs.push({ run, round, url: sent.url, model: modelOf(state, sent), edit });
}

export function learnOverflow(state: JournalState, { tokens = {} }: ModelFailed, sent: ModelRequested): void {
  const at = currentRound(state)?.packing;
  const packing = at === undefined ? undefined : state.packings[at]?.event;
  if (!packing || sent.purpose !== 'round') return;
  const { total: packed, reserve } = packing;
  state.overflows.push({ url: sent.url, model: modelOf(state, sent), packed, reserve, tokens });
}

/** The model that a request names: its head is `{"model":"…","messages":[`. */
function modelOf(state: JournalState, sent: ModelRequested): string {
  const head = parseJson(`${state.parts.get(sent.head) ?? ''}]}`);
  const model = isRecord(head) ? head['model'] : undefined;
  return typeof model === 'string' ? model : JSON.stringify(model ?? null);
}

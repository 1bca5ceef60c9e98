import { currentRound, currentRun, type JournalState } from './journalState.ts';
import { isRecord, parseJson } from './parseMessage.ts';

/**
 * The parameters of the request that is being made, by name, as JSON text: those of the agent's settings,
 * then what was edited for this request only. What is sent and what is shown are both this.
 */
export function requestParameters(state: JournalState): ReadonlyMap<string, string> {
  const config = parseJson(state.parts.get(currentRun(state)?.config ?? '') ?? 'null');
  const { model_name: model, temperature } = isRecord(config) ? config : {};
  const edits = currentRound(state)?.requestEdits.parameters ?? new Map<string, string>();
  return new Map([
    ['model', JSON.stringify(model ?? '')],
    ...(temperature === undefined ? [] : [['temperature', JSON.stringify(temperature)] as const]),
    ...[...edits].flatMap(([name, part]) => {
      const text = state.parts.get(part);
      return text === undefined ? [] : [[name, text] as const];
    }),
  ]);
}

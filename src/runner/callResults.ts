import { type CallState, type JournalState, roundAt, textOf } from '../core/journalState.ts';
import { contentText, type Observation } from '../core/messages.ts';
import { isRecord, parseJson, parseMessage } from '../core/parseMessage.ts';
import type { CallResults, Toolbox, ToolSpec } from '../core/ports.ts';

/** The results of a session's calls, from its journal: whole, also where the model got less. */
export function callResults(state: JournalState): CallResults {
  return {
    get keys() {
      return allCalls(state).flatMap(({ key, part }) => (part === undefined ? [] : [key]));
    },
    get cut() {
      const isCut = ({ observation, message = '' }: CallState) =>
        observation !== undefined || state.fates.get(message)?.fate === 'trimmed';
      return allCalls(state).flatMap((call) => (isCut(call) ? [call.key] : []));
    },
    get(key) {
      const [run = 0, round = 0] = key.split('.').map(Number);
      const call = roundAt(state, run, round)?.calls.find((one) => one.key === key);
      return call && observationOf(state, call);
    },
  };
}

/** The tools that a model is told of now: the pager costs tokens in each request, so it waits until it is needed. */
export function offeredTools(state: JournalState, { tools, pager }: Toolbox): readonly ToolSpec[] {
  return state.hasCutResults ? [...tools, pager] : tools;
}

function allCalls(state: JournalState): CallState[] {
  return state.runs.flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls));
}

/** The whole result of a finished call; what a user made of it by an edit goes before what the tool said. */
function observationOf(state: JournalState, call: CallState): Observation | undefined {
  const { part, observation, message = '' } = call;
  if (part === undefined) return undefined;
  const text = textOf(state, message) ?? state.parts.get(part) ?? '';
  const isEdited = call.edited || text !== state.parts.get(part);
  const content = contentText(parseMessage(text) ?? { role: 'tool' });
  const whole = observation === undefined || isEdited ? undefined : state.parts.get(observation);
  const value = parseJson(whole ?? content);
  if (!isRecord(value)) return { success: true, data: content };
  const { error, data } = value;
  return value['success'] === false
    ? { success: false, error: typeof error === 'string' ? error : content }
    : { success: true, data: data === undefined ? content : data };
}

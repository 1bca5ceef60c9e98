/** The parameters of a request: the agent's settings, the user's edits of this request, the server's dialect. */
import type { AgentConfig } from '../core/config.ts';
import { currentRound, type JournalState } from '../core/journalState.ts';
import { serialise } from '../core/serialise.ts';
import { type Dialect, dialectOf, type Parameters } from './dialect.ts';

export interface RequestFrame {
  readonly model: string;
  /** Without the model. */
  readonly parameters: Parameters;
  readonly dialect: Dialect;
}

/** What the next request of this round is sent with; the same for the debugger's view and for the wire. */
export function requestFrame(state: JournalState, config: AgentConfig, url: string): RequestFrame {
  const edits = currentRound(state)?.requestEdits.parameters ?? new Map<string, string>();
  const edited = [...edits].map(([name, part]) => [name, state.parts.get(part) ?? 'null'] as const);
  const all = new Map<string, string>([
    ['model', JSON.stringify(config.model_name)],
    ['temperature', JSON.stringify(config.temperature)],
    ['stream', 'true'],
    ['stream_options', '{"include_usage":true}'],
    ...Object.entries(config.parameters ?? {}).map(([name, value]) => [name, serialise(value)] as const),
    ...edited,
  ]);
  const model = all.get('model') ?? '""';
  all.delete('model');
  const dialect = dialectOf(state, url, modelName(model));
  return { model, parameters: dialect.apply(all, new Set(edits.keys())), dialect };
}

/** The name that a request's model field holds; what is no text is shown as it is. */
export function modelName(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

/** The parameters of the request that is being made. What is sent and what is shown are both this. */
import { type Dialect, dialectOf, type Parameters } from './dialect.ts';
import { currentRound, currentRun, type JournalState } from './journalState.ts';
import type { PartId } from './messages.ts';
import { isRecord, parseJson } from './parseMessage.ts';
import { serialise } from './serialise.ts';

export interface RequestFrame {
  /** JSON text. */
  readonly model: string;
  /** All others, in the order in which they are sent. */
  readonly parameters: Parameters;
  readonly dialect: Dialect;
}

/**
 * The agent's settings, then what was edited for this request only, as the end point takes them. Without a URL
 * the end point is the one that was asked last.
 */
export function requestFrame(state: JournalState, url = lastUrl(state)): RequestFrame {
  return frameOf(state, url, currentRound(state)?.requestEdits.parameters ?? new Map<string, PartId>());
}

/**
 * The same of a request beside the conversation, which the edits of the round's request are not for, nor what is said
 * of tools and of the answer's form: it has no tools, and its answer is a text.
 */
export function asideFrame(state: JournalState, url: string): RequestFrame {
  const { parameters, ...frame } = frameOf(state, url, new Map());
  return { ...frame, parameters: new Map([...parameters].filter(([name]) => !ofRounds.has(name))) };
}

/** Servers refuse the first two where there are no tools, and the third where the instructions do not speak of JSON. */
const ofRounds: ReadonlySet<string> = new Set(['tool_choice', 'parallel_tool_calls', 'response_format']);

function frameOf(state: JournalState, url: string, edits: ReadonlyMap<string, PartId>): RequestFrame {
  const all = new Map<string, string>([
    ...configured(state.parts.get(currentRun(state)?.config ?? '') ?? 'null'),
    ...[...edits].flatMap(([key, part]) => {
      const text = state.parts.get(part);
      return text === undefined ? [] : [[key, text] as const];
    }),
  ]);
  const model = all.get('model') ?? '""';
  all.delete('model');
  const dialect = dialectOf(state, url, modelName(model));
  return { model, parameters: dialect.apply(all, new Set(edits.keys())), dialect };
}

/** What a configuration says of its requests, read once: it is the same in every round of a run. */
function configured(text: string): Parameters {
  if (lastConfigured?.text !== text) lastConfigured = { text, parameters: readConfigured(text) };
  return lastConfigured.parameters;
}

let lastConfigured: { readonly text: string; readonly parameters: Parameters } | undefined;

function readConfigured(text: string): Parameters {
  const config = parseJson(text);
  const { model_name: name, temperature, parameters: further } = isRecord(config) ? config : {};
  return new Map([
    ['model', JSON.stringify(name ?? '')],
    ...(temperature === undefined ? [] : [['temperature', JSON.stringify(temperature)] as const]),
    ...assembled,
    ...Object.entries(isRecord(further) ? further : {}).map(
      ([key, value]) => [key, serialise(value)] as const,
    ),
  ]);
}

/** Those that a user may see and edit, by name, as JSON text. */
export function requestParameters(state: JournalState): Parameters {
  const { model, parameters } = requestFrame(state);
  const own = assembled.map(([name]) => name);
  return new Map([['model', model], ...[...parameters].filter(([name]) => !own.includes(name))]);
}

/** How the reply comes is ours to say. */
const assembled: (readonly [string, string])[] = [
  ['stream', 'true'],
  ['stream_options', '{"include_usage":true}'],
];

function lastUrl(state: JournalState): string {
  return state.requests.get(state.lastRequest ?? '')?.attempts.at(-1)?.sent.url ?? '';
}

/** The name that a model field holds; what is no text is shown as it is. */
function modelName(json: string): string {
  const value = parseJson(json);
  return typeof value === 'string' ? value : json;
}

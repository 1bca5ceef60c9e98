/** The calls of a run as the repetition detector compares them. */
import type { CallOutcome } from '../core/events.ts';
import { type CallState, currentRound, currentRun, type JournalState } from '../core/journalState.ts';
import { contentText } from '../core/messages.ts';
import { isRecord, parseJson, parseMessage } from '../core/parseMessage.ts';
import type { Toolbox, ToolSpec } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import { type CallEntry, windowRounds } from './repetition.ts';

/** The anomaly that a repetition leaves; the count starts anew behind it. */
export const repeatedCall = 'repeated-call';

/** Each call is compared with the ones after it for many rounds; an edit gives it another part. */
const entries = new WeakMap<CallState, { readonly part: string | undefined; readonly entry: CallEntry }>();

/** The finished calls of the run's last rounds, oldest first, without those that such an anomaly has counted. */
export function callEntries(state: JournalState, toolbox: Toolbox): CallEntry[] {
  const since = state.anomalies.findLast(({ code }) => code === repeatedCall)?.seq ?? -1;
  const found: CallEntry[] = [];
  for (const { round, calls } of currentRun(state)?.rounds.slice(-windowRounds) ?? []) {
    for (const call of calls) {
      const { finished, outcome, effects, part } = call;
      if (finished === undefined || finished < since || !outcome || outcome === 'cancelled') continue;
      const known = entries.get(call);
      if (known?.part === part && known?.entry.seq === finished) {
        found.push(known.entry);
        continue;
      }
      const text = resultText(state, call);
      const entry = entryOf(call, { seq: finished, round, outcome, effects, text }, toolbox.find(call.name));
      entries.set(call, { part, entry });
      found.push(entry);
    }
  }
  return found;
}

/** A call that is about to be recorded as finished, in the current round. `text`: its whole observation. */
export function newestEntry(
  state: JournalState,
  toolbox: Toolbox,
  call: CallState,
  { outcome, text }: { readonly outcome: CallOutcome; readonly text: string },
): CallEntry {
  const round = currentRound(state)?.round ?? 0;
  const { effects } = call;
  return entryOf(call, { seq: state.seq, round, outcome, effects, text }, toolbox.find(call.name));
}

/** What was found of a call before it was recorded holds of the record. */
export function keepEntry(call: CallState, entry: CallEntry): void {
  if (call.finished !== undefined)
    entries.set(call, { part: call.part, entry: { ...entry, seq: call.finished } });
}

interface Finished {
  readonly seq: number;
  readonly round: number;
  readonly outcome: CallOutcome;
  readonly effects: CallState['effects'];
  readonly text: string;
}

function entryOf(
  call: CallState,
  { seq, round, outcome, effects, text }: Finished,
  spec?: ToolSpec,
): CallEntry {
  return {
    key: call.key,
    seq,
    round,
    name: call.name,
    signature: signatureOf(call, spec?.cosmetic),
    fingerprint: `${outcome} ${text.replace(clock, '')}`,
    changes: outcome === 'ok' && (effects === 'workspace' || effects === 'outside'),
  };
}

/**
 * What a clock wrote into a result: dates with a time, times of day, and what something took. A test that fails in the
 * same way a second later has said nothing new.
 */
const clock =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b|\b1[5-9]\d{11}\b|\b\d+(?:\.\d+)? ?ms\b|\b\d+\.\d+ ?s(?:ec(?:onds)?)?\b/g;

/** What the tool said, without what was noted beside it for the model. */
function resultText(state: JournalState, call: CallState): string {
  if (call.observation !== undefined && !call.edited) return state.parts.get(call.observation) ?? '';
  const content = contentText(parseMessage(state.parts.get(call.part ?? '') ?? '') ?? { role: 'tool' });
  const observation = parseJson(content);
  if (!isRecord(observation)) return content;
  const { note: _note, ...result } = observation;
  return serialise(result);
}

/**
 * Name and arguments of a call as far as they matter: keys in any order are the same, and so are values of
 * the fields that the tool calls cosmetic. Arguments that are no JSON object are compared as text.
 */
export function signatureOf(
  { name, arguments: text }: Pick<CallState, 'name' | 'arguments'>,
  cosmetic: readonly string[] = [],
): string {
  const value = text.trim() === '' ? {} : parseJson(text);
  if (!isRecord(value)) return `${name} ${text.trim()}`;
  const fields = Object.entries(value).filter(([key]) => !cosmetic.includes(key));
  try {
    return `${name} ${JSON.stringify(sorted(Object.fromEntries(fields)))}`;
  } catch {
    // Nested deeper than recursion goes: only the very same text is the same then.
    return `${name} ${text.trim()}`;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, field]) => [key, sorted(field)]));
}

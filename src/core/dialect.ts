/**
 * What an end point and a model do not take, learnt from their refusals: the rewrites that the journal holds for
 * this URL and model. Nothing is stored beside the journal, so a reopened session knows it too.
 */
import type { EditKind } from './events.ts';
import type { JournalState } from './journalState.ts';
import { splitTarget } from './pointer.ts';

/** Request parameters by name, as JSON text, in the order in which they are sent. */
export type Parameters = ReadonlyMap<string, string>;

/** The same value under another name; it goes both ways. */
export const otherNames: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

export interface Dialect {
  /** The role that instructions are sent with. */
  readonly systemRole: 'system' | 'developer';
  /** Fields of assistant messages that are not sent. */
  readonly withoutFields: ReadonlySet<string>;
  readonly strict: boolean;
  /** Ids of calls leave as nine letters and digits, which is all that some servers take. */
  readonly shortIds: boolean;
  /** The parameters as this server takes them. `explicit`: set for this request, after any refusal. */
  apply(parameters: Parameters, explicit: ReadonlySet<string>): Parameters;
}

interface Removal {
  readonly name: string;
  /** The value that was refused, as JSON text. */
  readonly value: string | undefined;
  /** Refused in the very round that is being asked. */
  readonly now: boolean;
}

/** The longest reply that fits where a longer one was refused, in tokens, under whichever name it is sent. */
interface Ceiling {
  readonly name: string;
  readonly most: number;
}

/** @param model as the request names it */
export function dialectOf(state: JournalState, url: string, model: string): Dialect {
  const run = state.runs.at(-1);
  const round = run?.rounds.at(-1);
  const repairs = state.repairs.filter((one) => one.url === url && one.model === model);
  const names = (kind: EditKind, prefix: string) =>
    repairs.flatMap(({ edit }) => {
      const [, path] = splitTarget(edit.target);
      return edit.op === kind && path.startsWith(prefix) ? [path.slice(prefix.length)] : [];
    });
  const removals = repairs.flatMap((one): Removal[] => {
    const [, name] = splitTarget(one.edit.target);
    if (one.edit.op !== 'remove' || name.includes('/')) return [];
    const value = state.parts.get(one.edit.before ?? '');
    return [{ name, value, now: one.run === run?.run && one.round === round?.round }];
  });
  const ceilings = repairs.flatMap(({ edit }): Ceiling[] => {
    const [, name] = splitTarget(edit.target);
    if (edit.op !== 'set' || edit.before === undefined || otherNames[name] === undefined) return [];
    return [{ name, most: Number(state.parts.get(edit.after ?? '')) }];
  });
  const role = repairs.findLast(({ edit }) => edit.target === 'request/messages/role')?.edit.after;
  return {
    systemRole: role !== undefined && state.parts.get(role) === '"developer"' ? 'developer' : 'system',
    withoutFields: new Set(names('remove', 'messages/')),
    strict: !names('remove', 'tools/').includes('strict'),
    shortIds: names('set', 'messages/').includes('call_id'),
    apply: (parameters, explicit) =>
      applyCeilings(applyRemovals(parameters, removals, explicit), ceilings, explicit),
  };
}

/**
 * A name that has another one passes its value on. Otherwise the refused value is what is left out: another one,
 * of a changed agent file, is sent, since nobody has refused it.
 */
function applyRemovals(
  parameters: Parameters,
  removals: readonly Removal[],
  explicit: ReadonlySet<string>,
): Parameters {
  const sent = new Map(parameters);
  for (const { name, value, now } of removals) {
    const held = sent.get(name);
    if (held === undefined) continue;
    const other = otherNames[name];
    const both = other !== undefined && removals.some((removal) => removal.name === other);
    if (other !== undefined && !both) sent.set(other, held);
    else if (explicit.has(name) || !(now || held === value)) continue;
    sent.delete(name);
  }
  return sent;
}

function applyCeilings(
  parameters: Parameters,
  ceilings: readonly Ceiling[],
  explicit: ReadonlySet<string>,
): Parameters {
  const sent = new Map(parameters);
  for (const { name, most } of ceilings) {
    for (const one of [name, otherNames[name] ?? name]) {
      if (Number(sent.get(one)) > most && !explicit.has(one)) sent.set(one, String(most));
    }
  }
  return sent;
}

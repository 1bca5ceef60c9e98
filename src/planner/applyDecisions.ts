/** Asks a policy and takes over what it decides. A policy may be a user's module: its answer is hostile input. */
import { capText } from '../core/capText.ts';
import type { MessageId } from '../core/messages.ts';
import { isRecord } from '../core/parseMessage.ts';
import { serialise } from '../core/serialise.ts';
import { thrownText } from '../core/thrownText.ts';
import { type Blocked, blockedBy } from './blocked.ts';
import type { Draft, NamedPolicy, PackInput } from './pack.ts';
import type { PolicyInput, PolicyMessage } from './policy.ts';
import type { Unit } from './units.ts';

/** Characters of what a policy calls its rule: it is journaled with each decision. */
const longestRule = 200;

/** Returns why the answer can not be used; then nothing of it was taken. */
export function applyDecisions(
  draft: Draft,
  units: readonly Unit[],
  policy: NamedPolicy,
  offered: PolicyInput,
  input: PackInput,
): Blocked | undefined {
  const block = (problem: string) => blockedBy('policy', 0, [], input, problem);
  const answer = ask(policy, offered);
  if (!answer.ok) return block(answer.problem);
  if (answer.decisions.length === 0) return undefined;
  const taken: (() => void)[] = [];
  const gone = new Set<MessageId>();
  const decided = new Set<MessageId>();
  const places = placesOf(units);
  for (const decision of answer.decisions) {
    const place = isRecord(decision)
      ? places.get(typeof decision['id'] === 'string' ? decision['id'] : '')
      : undefined;
    if (!isRecord(decision) || !place)
      return block(`it names no message of the history (${shown(decision)})`);
    if (decided.has(place.message.id)) return block(`it decides twice about ${place.message.id}`);
    decided.add(place.message.id);
    if (place.unit.pinned) return block(`it touches ${place.message.id}, which is pinned`);
    const { need, room, rule } = decision;
    const arithmetic = {
      rule: typeof rule === 'string' ? capText(rule, longestRule) : policy.name,
      ...(isTokens(need) ? { need } : {}),
      ...(isTokens(room) ? { room } : {}),
    };
    if (decision['fate'] === 'dropped') {
      gone.add(place.message.id);
      taken.push(() => draft.fates.set(place.message.id, { fate: 'dropped', ...arithmetic }));
    } else if (decision['fate'] === 'trimmed') {
      const shorter = shorten(decision['to'], place.message, input);
      if (typeof shorter === 'string') return block(shorter);
      // What is no shorter for it is sent as it is.
      if (shorter.tokens >= place.message.tokens) continue;
      taken.push(() => {
        draft.sizes.set(place.message.id, shorter.tokens);
        draft.shortened.set(place.message.id, shorter.to);
        draft.fates.set(place.message.id, { fate: 'trimmed', need: place.message.tokens, ...arithmetic });
      });
    } else return block(`a fate is neither "dropped" nor "trimmed" (${shown(decision)})`);
  }
  const broken = units.find(({ messages }) => new Set(messages.map(({ id }) => gone.has(id))).size > 1);
  if (broken) return block(`it parts calls from their results (${idList(broken)})`);
  if (units.some(({ newest, messages }) => newest && gone.has(messages[0]!.id)))
    return block('it drops what the model has to answer to');
  for (const take of taken) take();
  return undefined;
}

type Answer =
  | { readonly ok: true; readonly decisions: readonly unknown[] }
  | { readonly ok: false; readonly problem: string };

function ask({ decide }: NamedPolicy, offered: PolicyInput): Answer {
  try {
    const answer: unknown = decide(offered);
    // What fails later is nobody's to catch but ours.
    if (answer instanceof Promise) answer.catch(() => undefined);
    if (Array.isArray(answer)) return copied(answer);
    return { ok: false, problem: `it must return a list of decisions, and returned ${shown(answer)}` };
  } catch (error) {
    return { ok: false, problem: `it threw ${thrownText(error)}` };
  }
}

/** A copy that is data and nothing else: it says the same whenever it is asked, and throws never. */
function copied(answer: readonly unknown[]): Answer {
  try {
    return { ok: true, decisions: structuredClone(answer) };
  } catch (error) {
    const problem = `it must return a list of decisions that are data: ${thrownText(error)}`;
    return { ok: false, problem };
  }
}

function placesOf(units: readonly Unit[]) {
  return new Map(
    units.flatMap((unit) => unit.messages.map((message) => [message.id, { unit, message }] as const)),
  );
}

/** The shorter form that a decision names, or why there is none. */
function shorten(to: unknown, message: PolicyMessage & { readonly uncut?: boolean }, input: PackInput) {
  const { id, tokens, stub, uncut } = message;
  if (uncut) return `it shortens ${id}, and a user's message is never cut`;
  if (to === 'stub') {
    return stub === undefined
      ? `${id} is no result, so no line can stand for it`
      : ({ to, tokens: stub } as const);
  }
  if (!isTokens(to)) return `${id} must be shortened to "stub" or to a number of tokens`;
  return { to, tokens: Math.min(tokens, input.cut(id, Math.floor(to))) };
}

function isTokens(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function idList({ messages }: Unit): string {
  return messages.map(({ id }) => id).join(', ');
}

function shown(value: unknown): string {
  const text = value instanceof Promise ? 'a promise' : serialise(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

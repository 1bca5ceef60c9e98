/**
 * What expressions can name at a checkpoint: `round`, `phase`, `messages` (the history, each with its id), `packed`
 * (what is sent), `reply`, `call`, `result`, `request` (its parameters), `session`, `usage`, and `fresh`: the messages,
 * calls and results that are new in this round, so that a condition on them does not fire again every round.
 *
 * A sandbox gets each text once: the list of messages is appended to, and only where the history was rewritten are its
 * ids (not its texts) brought in anew.
 */
import {
  callAt,
  type CallState,
  currentRound,
  currentRun,
  type JournalState,
  partAt,
} from '../core/journalState.ts';
import type { MessageId, PartId } from '../core/messages.ts';
import { parseJson, parseMessage } from '../core/parseMessage.ts';
import { requestParameters } from '../core/requestParameters.ts';
import { sentList } from '../core/sentList.ts';
import type { Checkpoint } from '../runner/gate.ts';
import type { ScopeValues } from './sandbox.ts';

/** Where an expression is evaluated. */
export interface Place {
  readonly state: JournalState;
  readonly at: Checkpoint;
}

/** A value on its way into the sandbox: messages that are not there yet, and the value's form. */
interface Brought {
  /** Key, id, wire text, and whether that text is a message. */
  readonly messages: readonly (readonly [Key, MessageId, string, boolean])[];
  readonly form: Form;
}

/** A message with one of its texts. */
type Key = string;

type Form =
  | { readonly json: unknown }
  | { readonly ref: Key | null }
  /** The first `keep` items stay as they are. */
  | { readonly keep: number; readonly keys: readonly Key[] }
  | { readonly fields: Readonly<Record<string, Form>> };

type Sent = readonly [id: MessageId, part: PartId | undefined];

export const scopeNames = [
  'round',
  'phase',
  'messages',
  'packed',
  'reply',
  'call',
  'result',
  'request',
  'session',
  'usage',
  'fresh',
] as const;
type ScopeName = (typeof scopeNames)[number];

/** The values of one sandbox. */
export function createScopeValues(): ScopeValues<Place> {
  let place: Place | undefined;
  const inside = new Set<Key>();
  const lists = new Map<string, readonly Key[]>();
  let history:
    { readonly state: JournalState; readonly rewritten: number; readonly length: number } | undefined;

  const bring = (name: ScopeName, { state, at }: Place): Brought => {
    const messages: (readonly [Key, MessageId, string, boolean])[] = [];

    const keyOf = ([id, part]: Sent): Key => {
      const key = `${id} ${part ?? ''}`;
      if (inside.has(key)) return key;
      const text = state.parts.get(part ?? '') ?? '';
      messages.push([key, id, text, parseMessage(text) !== undefined]);
      inside.add(key);
      return key;
    };
    /** Lists mostly grow: what they begin with alike stays. */
    const listOf = (list: string, sent: readonly Sent[]): Form => {
      const keys = sent.map(keyOf);
      const before = lists.get(list) ?? [];
      const differs = keys.findIndex((key, index) => key !== before[index]);
      const keep = differs < 0 ? keys.length : differs;
      lists.set(list, keys);
      return { keep, keys: keys.slice(keep) };
    };
    const historyList = (): Form => {
      const { rewritten, history: ids } = state;
      const hasGrown = history?.state === state && history.rewritten === rewritten;
      const keep = hasGrown ? (history?.length ?? 0) : 0;
      history = { state, rewritten, length: ids.length };
      return { keep, keys: ids.slice(keep).map((id) => keyOf(nowOf(state, id))) };
    };

    const round = currentRound(state);
    const reply = round?.replies.at(-1);
    const calls = round?.calls ?? [];
    const results = calls.flatMap(({ message, part }): Sent[] =>
      message === undefined ? [] : [[message, part]],
    );
    const forms: Readonly<Record<ScopeName, () => Form>> = {
      round: () => ({ json: round?.round ?? 0 }),
      phase: () => ({ json: at.kind }),
      messages: historyList,
      packed: () =>
        listOf(
          'packed',
          ((round && sentList(state, round)?.items) ?? []).map(({ id, part }) => [id, part]),
        ),
      reply: () => ({ ref: reply ? keyOf([reply.message, reply.part]) : null }),
      call: () => {
        const call = at.key === undefined ? undefined : callAt(state, at.key);
        return { json: call ? callValue(call) : null };
      },
      result: () => ({ ref: results.length > 0 ? keyOf(results.at(-1)!) : null }),
      request: () => ({ json: objectOf(requestParameters(state)) }),
      session: () => ({
        json: objectOf(
          [...state.working].map(([key, part]) => [key, state.parts.get(part) ?? 'null'] as const),
        ),
      }),
      usage: () => ({ json: reply?.event.usage ?? null }),
      fresh: () => ({
        fields: {
          messages: listOf(
            'fresh.messages',
            freshIds(state).map((id) => nowOf(state, id)),
          ),
          calls: { json: calls.map(callValue) },
          results: listOf('fresh.results', results),
        },
      }),
    };
    const form = forms[name]();
    return { messages, form };
  };

  return {
    names: scopeNames,
    at(next) {
      place = next;
    },
    bring: (name) =>
      place ? JSON.stringify(bring(name as ScopeName, place)) : '{"messages":[],"form":{"json":null}}',
  };
}

function nowOf(state: JournalState, id: MessageId): Sent {
  const message = state.messages.get(id);
  return [id, message && partAt(message)];
}

/** What entered since the plan before this one: the model sees it for the first time in this round. */
function freshIds(state: JournalState): MessageId[] {
  const run = currentRun(state);
  const since = run?.rounds.at(-2)?.seq ?? run?.seq ?? 0;
  const isFresh = (id: MessageId) => (state.messages.get(id)?.versions[0]?.seq ?? 0) > since;
  const { history } = state;
  const old = history.findLastIndex((id) => !isFresh(id));
  const last = history.slice(old + 1);
  // What was put in between (a summary) stands before them.
  const added = (run?.rounds.slice(-2) ?? []).flatMap(({ appended }) => appended);
  return [...added.filter((id) => isFresh(id) && !last.includes(id)), ...last];
}

function callValue({ key, name, arguments: text }: CallState) {
  return { key, name, arguments: parseJson(text) ?? text };
}

/** Of JSON texts by name; own properties whatever they are called. */
function objectOf(texts: Iterable<readonly [string, string]>): object {
  return Object.fromEntries([...texts].map(([key, text]) => [key, parseJson(text) ?? null]));
}

import type { JournalState, RoundState } from './journalState.ts';
import { partAt } from './journalState.ts';
import type { FateChange } from './events.ts';
import { applyFates } from './fates.ts';
import type { MessageId, PartId } from './messages.ts';
import { messageBody } from './messageView.ts';
import type { RoundRef } from './protocol.ts';
import { isOut, sentList } from './sentList.ts';

/** How often a text stands in a message as people read it: its text, its calls, a provider's own fields. */
export function countInMessage(part: string, text: string): number {
  const wanted = text.toLowerCase();
  if (wanted === '') return 0;
  // Most messages do not have it, which their JSON text shows faster than taking it apart does.
  if (!part.toLowerCase().includes(JSON.stringify(wanted).slice(1, -1))) return 0;
  const { text: own, calls, extras } = messageBody(part);
  const texts = [own, ...calls.flatMap((call) => [call.name, call.arguments]), ...extras.flat()];
  return texts.reduce((sum, one) => sum + countIn(one.toLowerCase(), wanted), 0);
}

function countIn(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

/** Where a text was found. */
export interface Found {
  /** Places in all messages, each message counted once. */
  readonly total: number;
  /** In the order of the history; each with the first round that sent it, or that it is the reply of. */
  readonly messages: readonly FoundMessage[];
  /** Places in what each round sent, by `run.round`; rounds without any are not there. */
  readonly rounds: ReadonlyMap<string, number>;
}

export interface FoundMessage {
  readonly id: MessageId;
  readonly count: number;
  readonly round: RoundRef;
}

/** `hits`: how often each part has it. Cost: rounds times the messages that have it. */
export function foundIn(state: JournalState, hits: ReadonlyMap<PartId, number>): Found {
  const firstRound = new Map<MessageId, RoundRef>();
  const rounds = new Map<string, number>();
  const holders = [...state.messages.values()].filter(({ versions }) =>
    versions.some(({ part }) => hits.has(part)),
  );
  const ids = new Set(holders.map(({ id }) => id));
  const fates = createFates(state);
  for (const round of state.runs.flatMap((run) => run.rounds)) {
    let count = 0;
    for (const [id, part] of sentOf(state, round, ids, fates)) {
      const places = hits.get(part) ?? 0;
      if (places === 0) continue;
      count += places;
      if (!firstRound.has(id)) firstRound.set(id, { run: round.run, round: round.round });
    }
    if (count > 0) rounds.set(`${round.run}.${round.round}`, count);
  }
  const messages = state.history.flatMap((id): readonly FoundMessage[] => {
    const message = ids.has(id) ? state.messages.get(id) : undefined;
    if (!message) return [];
    const count = Math.max(...message.versions.map(({ part }) => hits.get(part) ?? 0));
    const { run, round } = message;
    return [{ id, count, round: firstRound.get(id) ?? { run, round } }];
  });
  const all = [...messages, ...pendingReply(state, hits)];
  return { total: all.reduce((sum, { count }) => sum + count, 0), messages: all, rounds };
}

type FatesTo = (packing: number) => ReadonlyMap<MessageId, FateChange>;

/** Fates packing by packing: each asked for is a later one than before. */
function createFates(state: JournalState): FatesTo {
  const fates = new Map<MessageId, FateChange>();
  let next = 0;
  return (packing) => {
    for (; next <= packing; next++) if (state.packings[next]) applyFates(fates, state.packings[next]!.event);
    return fates;
  };
}

/** Of some messages: those that a round sent, with the text they had in it. */
function sentOf(
  state: JournalState,
  round: RoundState,
  ids: ReadonlySet<MessageId>,
  fatesTo: FatesTo,
): (readonly [MessageId, PartId])[] {
  const { packing } = round;
  const seq = packing === undefined ? undefined : state.packings[packing]?.seq;
  if (packing === undefined || seq === undefined || round.edits.length > 0) {
    const items = sentList(state, round)?.items ?? [];
    return items.flatMap(({ id, part }) => (ids.has(id) && part !== undefined ? [[id, part] as const] : []));
  }
  const fates = fatesTo(packing);
  return [...ids].flatMap((id) => {
    const message = state.messages.get(id);
    const fate = fates.get(id);
    const part = fate?.part ?? (message && partAt(message, seq));
    return part === undefined || isOut(fate?.fate) ? [] : [[id, part] as const];
  });
}

/** The reply that has not entered the history yet. */
function pendingReply(state: JournalState, hits: ReadonlyMap<PartId, number>): FoundMessage[] {
  const round = state.runs.at(-1)?.rounds.at(-1);
  const reply = round?.replies.at(-1);
  const count = reply && !state.messages.has(reply.message) ? hits.get(reply.part) : undefined;
  if (!round || !reply || count === undefined) return [];
  return [{ id: reply.message, count, round: { run: round.run, round: round.round } }];
}

import type { JournalState, MessageState } from './journalState.ts';
import type { MessageId, PartId } from './messages.ts';
import { messageBody } from './messageView.ts';
import type { RoundRef } from './protocol.ts';
import { SentPlaces } from './sentPlaces.ts';

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

/** `hits`: how often each part has it. Cost: the messages and what each request changed of the one before it. */
export function foundIn(state: JournalState, hits: ReadonlyMap<PartId, number>): Found {
  const holders = new Map<MessageId, MessageState>();
  for (const message of state.messages.values())
    if (message.versions.some(({ part }) => hits.has(part))) holders.set(message.id, message);
  const firstRound = new Map<MessageId, RoundRef>();
  const rounds = new Map<string, number>();
  const places = new SentPlaces(state, hits, holders);
  for (const round of state.runs.flatMap((run) => run.rounds)) {
    const { count, fresh } = places.next(round);
    if (count > 0) rounds.set(`${round.run}.${round.round}`, count);
    for (const id of fresh)
      if (!firstRound.has(id)) firstRound.set(id, { run: round.run, round: round.round });
  }
  const messages = state.history.flatMap((id): readonly FoundMessage[] => {
    const message = holders.get(id);
    if (!message) return [];
    const count = Math.max(...message.versions.map(({ part }) => hits.get(part) ?? 0));
    const { run, round } = message;
    return [{ id, count, round: firstRound.get(id) ?? { run, round } }];
  });
  const all = [...messages, ...pendingReply(state, hits)];
  return { total: all.reduce((sum, { count }) => sum + count, 0), messages: all, rounds };
}

/** The reply that has not entered the history yet. */
function pendingReply(state: JournalState, hits: ReadonlyMap<PartId, number>): FoundMessage[] {
  const round = state.runs.at(-1)?.rounds.at(-1);
  const reply = round?.replies.at(-1);
  const count = reply && !state.messages.has(reply.message) ? hits.get(reply.part) : undefined;
  if (!round || !reply || count === undefined) return [];
  return [{ id: reply.message, count, round: { run: round.run, round: round.round } }];
}

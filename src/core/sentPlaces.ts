import { itemId, requestItems, spliceInPlace } from './body.ts';
import type { Item } from './events.ts';
import { type JournalState, type MessageState, partAt, type RoundState } from './journalState.ts';
import type { MessageId, PartId, RequestId } from './messages.ts';
import { isPacked, sentList } from './sentList.ts';

/** How many places of a searched text a round sent, and the messages whose first place it may have been. */
export interface PlacesOfRound {
  readonly count: number;
  readonly fresh: readonly MessageId[];
}

/**
 * Counts the places of a text in what each round sent, round by round: each asked for comes after the one before. The
 * list of messages is carried from request to request by its splices, so that a round costs what it changed.
 */
export class SentPlaces {
  private list: Item[] = [];
  /** The request that it is of. */
  private at: RequestId | null = null;
  private nextReworded = 0;
  /** Places of each message that is in the list and has some, and their sum. */
  private readonly places = new Map<MessageId, number>();
  private count = 0;
  /** Messages that are in the list with the text that the history has of them. */
  private readonly own = new Set<MessageId>();
  private fresh: MessageId[] = [];

  constructor(
    private readonly state: JournalState,
    /** Places by part. */
    private readonly hits: ReadonlyMap<PartId, number>,
    /** The messages that have a part with some. */
    private readonly holders: ReadonlyMap<MessageId, MessageState>,
  ) {}

  next(round: RoundState): PlacesOfRound {
    this.fresh = [];
    for (const request of round.requests) this.go(request);
    // At most the last round of a run ends so, and the newest one for a while.
    if (isPacked(this.state, round)) return this.packed(round);
    if (round.requests.length === 0) return { count: 0, fresh: [] };
    return { count: this.count, fresh: this.fresh.filter((id) => this.places.has(id)) };
  }

  private packed(round: RoundState): PlacesOfRound {
    const items = sentList(this.state, round)?.items ?? [];
    const found = items.filter(({ part }) => this.placesOf(part) > 0);
    const count = found.reduce((sum, { part }) => sum + this.placesOf(part), 0);
    return { count, fresh: found.map(({ id }) => id) };
  }

  private go(id: RequestId): void {
    const request = this.state.requests.get(id);
    if (!request) return;
    const seq = request.attempts[0]?.seq ?? 0;
    const gone = request.splices.flatMap(([from, remove]) => this.list.slice(from, from + remove));
    if (request.on === this.at && spliceInPlace(this.list, request.splices)) {
      for (const item of gone) this.leave(item);
      for (const [, , items] of request.splices) for (const item of items) this.enter(item, seq);
    } else {
      for (const item of this.list) this.leave(item);
      this.list = [...requestItems(this.state, id)];
      for (const item of this.list) this.enter(item, seq);
    }
    this.reword(seq);
    this.at = id;
  }

  private enter(item: Item, seq: number): void {
    if (typeof item !== 'string') {
      this.set(item[0], this.placesOf(item[1]));
      return;
    }
    const holder = this.holders.get(item);
    if (!holder) return;
    this.own.add(item);
    this.set(item, this.placesOf(partAt(holder, seq)));
  }

  private leave(item: Item): void {
    const id = itemId(item);
    this.own.delete(id);
    this.set(id, 0);
  }

  /** What got another text for good before event `seq`, and is in the list. */
  private reword(seq: number): void {
    const { reworded } = this.state;
    for (; (reworded[this.nextReworded]?.seq ?? Infinity) < seq; this.nextReworded++) {
      const { id } = reworded[this.nextReworded]!;
      if (this.own.has(id)) this.enter(id, seq);
    }
  }

  private set(id: MessageId, now: number): void {
    this.count += now - (this.places.get(id) ?? 0);
    if (now === 0) this.places.delete(id);
    else {
      this.places.set(id, now);
      this.fresh.push(id);
    }
  }

  private placesOf(part: PartId | undefined): number {
    return this.hits.get(part ?? '') ?? 0;
  }
}

/**
 * Where new items entered a list: in groups, each in front of an item that was there before, or at the end. One walk,
 * whatever the list: a log of another program may bring ten thousand messages between ten thousand others.
 */
import type { MessageId } from './messages.ts';

/** The items `[from, to)` are new, and `before` is the one that they came in front of; at the end there is none. */
export interface Arrival {
  readonly from: number;
  readonly to: number;
  readonly before?: MessageId;
}

export function arrivals(ids: readonly MessageId[], isNew: (id: MessageId) => boolean): Arrival[] {
  const groups: Arrival[] = [];
  let from = 0;
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!;
    if (isNew(id)) continue;
    if (from < at) groups.push({ from, to: at, before: id });
    from = at + 1;
  }
  if (from < ids.length) groups.push({ from, to: ids.length });
  return groups;
}

/** A list with the arrivals of `ids` put in; those before an item that it does not have go to its end. */
export function withArrivals(
  list: readonly MessageId[],
  ids: readonly MessageId[],
  groups: readonly Arrival[],
): MessageId[] {
  const waiting = new Map(groups.map((group) => [group.before, group]));
  const result: MessageId[] = [];
  const put = (before: MessageId | undefined) => {
    const group = waiting.get(before);
    if (!group) return;
    for (let at = group.from; at < group.to; at++) result.push(ids[at]!);
    waiting.delete(before);
  };
  for (const id of list) {
    put(id);
    result.push(id);
  }
  for (const before of waiting.keys()) put(before);
  return result;
}

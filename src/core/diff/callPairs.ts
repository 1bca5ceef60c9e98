/**
 * What the call ids of two lists tell: messages that make, or answer, the same call belong together, where each list has
 * that call once (some servers number anew in each reply). And where the lists have no id in common, all calls were
 * given new ones. Ids are those of https://platform.openai.com/docs/api-reference/chat
 */
import { callsOf, hasCall, isAnswer, roleOf, visitCalls } from './foreignMessage.ts';
import type { Messages, Pair, Unpaired } from './foreignPairs.ts';

export interface CallPairs {
  /** Pairs that share a call. */
  readonly find: () => Pair[];
  /** Whether both lists have calls, and no id in common; `partners` by new index, or -1. */
  readonly areRenamed: (partners: Int32Array) => boolean;
}

/** Reads the calls of the messages that have no equal on the other side. */
export function createCallPairs(before: Messages, after: Messages, { from, to }: Unpaired): CallPairs {
  const [made, answered] = [createShared(), createShared()];
  let [at, isShared] = [0, false];
  const place = (id: string, answers: boolean) => (answers ? answered : made).places.set(id, at);
  for (at of from) visitCalls(before[at], place);
  const share = (id: string, answers: boolean) => {
    const { places, ids } = answers ? answered : made;
    if (places.has(id)) ids.add(id);
    isShared ||= made.places.has(id) || answered.places.has(id);
  };
  for (const index of to) visitCalls(after[index], share);
  return {
    find: () => [answered, made].flatMap((shared) => pairsOf(before, after, to, shared, shared === answered)),
    areRenamed: (partners) =>
      // A call among the messages that were kept is most often one of the first.
      !partners.some((old) => old >= 0 && hasCall(before[old])) &&
      made.places.size + answered.places.size > 0 &&
      !isShared,
  };
}

/** Of the calls that are made, or of the answers. */
interface Shared {
  /** By id the last old message that has it. */
  readonly places: Map<string, number>;
  /** Ids that a new message has, too. */
  readonly ids: Set<string>;
}

const createShared = (): Shared => ({ places: new Map(), ids: new Set() });

/** Among messages that all make calls, or all answer them. */
function pairsOf(
  before: Messages,
  after: Messages,
  to: readonly number[],
  { places, ids }: Shared,
  answers: boolean,
): Pair[] {
  if (ids.size === 0) return [];
  const sure = onceIn(after, onceIn(before, ids, answers), answers);
  const taken = new Set<number>();
  const pairs: Pair[] = [];
  for (const index of to) {
    if (isAnswer(after[index]) !== answers) continue;
    const id = callsOf(after[index]).find((one) => sure.has(one) && !taken.has(places.get(one)!));
    const old = id === undefined ? undefined : places.get(id)!;
    if (old === undefined || roleOf(before[old]) !== roleOf(after[index])) continue;
    taken.add(old);
    pairs.push({ from: old, to: index, by: 'call' });
  }
  return pairs;
}

/** Those of the ids that a list makes, or answers, exactly once. */
function onceIn(messages: Messages, ids: ReadonlySet<string>, answers: boolean): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const count = (id: string, isAnswered: boolean) => {
    if (isAnswered === answers && ids.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  };
  for (const message of messages) visitCalls(message, count);
  return new Set([...counts].flatMap(([id, times]) => (times === 1 ? id : [])));
}

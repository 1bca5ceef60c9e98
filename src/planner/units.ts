import type { MessageId } from '../core/messages.ts';
import type { PackInput, PackMessage } from './pack.ts';
import type { PolicyUnit } from './policy.ts';

/** An assistant block with its results, or a message by itself, as it stands in a packing. */
export interface Unit extends PolicyUnit {
  readonly messages: readonly PackMessage[];
  /** The user's word on it, for this request. */
  readonly forced?: 'drop' | 'restore';
}

/** The units of a history, with the sizes that its messages have in this packing. */
export function unitsOf(input: PackInput, sizeOf: (message: PackMessage) => number): Unit[] {
  const units: Unit[] = [];
  let at = 0;
  while (at < input.messages.length) {
    let end = at + 1;
    if (input.messages[at]!.hasCalls) while (input.messages[end]?.role === 'tool') end++;
    units.push(unitOf(input.messages.slice(at, end), input, sizeOf));
    at = end;
  }
  // What was added to the conversation (a summary, retrieved context) is not what the model has to answer to.
  const newest = units.findLastIndex(({ messages }) => messages[0]?.added !== true);
  return withHeldGoals(units).map((unit, index) => (index === newest ? { ...unit, newest: true } : unit));
}

/** What stays of an earlier run keeps that run's goal: a request can't begin with an answer. */
function withHeldGoals(units: readonly Unit[]): readonly Unit[] {
  const staying = units.filter(({ pinned, messages }) => pinned && messages[0]?.role !== 'system');
  const held = new Set(staying.map(({ run }) => run));
  return units.map((unit) => {
    if (!unit.goal || !held.has(unit.run)) return unit;
    const { forced: _word, ...goal } = unit;
    return { ...goal, pinned: true };
  });
}

function unitOf(
  messages: readonly PackMessage[],
  input: PackInput,
  sizeOf: (message: PackMessage) => number,
): Unit {
  const first = messages[0]!;
  const forced =
    input.forced.size === 0
      ? undefined
      : messages.map(({ id }) => input.forced.get(id)).find((word) => word !== undefined);
  const byRule = first.role === 'system' || first.goalOf === input.run;
  const pinned = byRule || messages.some(({ id }) => input.pins.has(id));
  return {
    messages: resized(messages, sizeOf),
    tokens: messages.reduce((sum, message) => sum + sizeOf(message), 0),
    run: first.run,
    pinned: pinned || forced === 'restore',
    newest: false,
    goal: first.goalOf !== undefined,
    ...(forced === undefined || (pinned && forced === 'drop') ? {} : { forced }),
  };
}

/** The messages with other sizes; the same objects where they are the same. */
export function resized(
  messages: readonly PackMessage[],
  sizeOf: (message: PackMessage) => number,
): readonly PackMessage[] {
  if (messages.every((message) => message.tokens === sizeOf(message))) return messages;
  return messages.map((message) => ({ ...message, tokens: sizeOf(message) }));
}

export function idsOf(units: readonly PolicyUnit[]): MessageId[] {
  return units.flatMap(({ messages }) => messages.map(({ id }) => id));
}

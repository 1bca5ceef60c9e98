/**
 * An edited message, whole, with the difference where it is: its text, each call (joined by wire id), each field
 * of a provider's own. Arguments and results are compared as JSON where they are JSON. What is not shown of a
 * message (ids, types) is shown when it is what differs: no edit is invisible. All its fields share one budget
 * of work: a message of a hundred large calls costs no more than one of one.
 */
import { mergedOrder } from './diff/mergedOrder.ts';
import type { CallText } from './messages.ts';
import { type MessageBody, messageBody } from './messageView.ts';
import { isRecord, parseMessage } from './parseMessage.ts';
import { jsonOfParsed } from './jsonOfParsed.ts';
import { type ValueDiff, valueDiff } from './diff/valueDiff.ts';
import { createWordBudget, type WordBudget } from './diff/wordDiff.ts';

/** One field of a message in both texts. `name` is the tool's, or the field's own. */
export interface FieldDiff {
  /** `rest`: what is not shown otherwise, as JSON. `message`: the whole text, where it can't be told better. */
  readonly field: 'content' | 'arguments' | 'extra' | 'rest' | 'message';
  readonly name?: string;
  /** The wire id of a call: now, or before when it was removed. */
  readonly wireId?: string;
  readonly change: 'same' | 'edited' | 'added' | 'removed';
  /** Where it stands in the message's JSON: now, or before when it was removed. */
  readonly path: string;
  readonly diff: ValueDiff;
}

/** All fields of a message, changed or not; `before` and `after` are its JSON texts. Never throws. */
export function messageDiff(before: string, after: string): FieldDiff[] {
  const [from, to] = [messageBody(before), messageBody(after)];
  const budget = createWordBudget();
  if (!from.parsed || !to.parsed) return [wholeDiff(budget, before, after)];
  const pairs = pairCalls(from.calls, to.calls);
  const fields = [
    ...contentDiff(budget, from, to),
    ...callDiffs(budget, from.calls, to.calls, pairs),
    ...extraDiffs(budget, from, to),
    ...restDiff(budget, before, after, pairs),
  ];
  const isVisible = before === after || fields.some(({ change }) => change !== 'same');
  return isVisible ? fields : [wholeDiff(budget, before, after)];
}

function wholeDiff(budget: WordBudget, before: string, after: string): FieldDiff {
  return fieldDiff(budget, { field: 'message', path: '' }, before, after);
}

/** A side that is not there is undefined. */
function fieldDiff(
  budget: WordBudget,
  place: Pick<FieldDiff, 'field' | 'path' | 'name' | 'wireId'>,
  before: string | undefined,
  after: string | undefined,
): FieldDiff {
  const diff = valueDiff(before ?? '', after ?? '', budget);
  if (before === undefined) return { ...place, change: 'added', diff };
  if (after === undefined) return { ...place, change: 'removed', diff };
  return { ...place, change: before === after ? 'same' : 'edited', diff };
}

function contentDiff(budget: WordBudget, from: MessageBody, to: MessageBody): FieldDiff[] {
  const isEmpty = from.text === '' && to.text === '' && to.calls.length > 0;
  return isEmpty ? [] : [fieldDiff(budget, { field: 'content', path: 'content' }, from.text, to.text)];
}

/** For each new call the index of its old one, or -1: by wire id, else by place; always the same tool. */
function pairCalls(from: readonly CallText[], to: readonly CallText[]): number[] {
  const keyOf = ({ name, wireId }: CallText) => JSON.stringify([name, wireId]);
  const byId = new Map<string, number[]>();
  for (const [index, call] of from.entries()) {
    if (call.wireId === '') continue;
    const known = byId.get(keyOf(call));
    if (known) known.push(index);
    else byId.set(keyOf(call), [index]);
  }
  const pairs = to.map((call) => byId.get(keyOf(call))?.shift() ?? -1);
  const used = new Set(pairs);
  return pairs.map((index, place) =>
    index < 0 && from[place]?.name === to[place]!.name && !used.has(place) ? place : index,
  );
}

function callDiffs(
  budget: WordBudget,
  from: readonly CallText[],
  to: readonly CallText[],
  pairs: readonly number[],
): FieldDiff[] {
  const fields: FieldDiff[] = [];
  mergedOrder(from.length, pairs, (fromIndex, toIndex) => {
    const old = fromIndex === undefined ? undefined : from[fromIndex];
    const now = toIndex === undefined ? undefined : to[toIndex];
    const path = `tool_calls/${toIndex ?? fromIndex}/function/arguments`;
    const { name = '', wireId = '' } = now ?? old ?? {};
    const place = { field: 'arguments', path, name, wireId } as const;
    fields.push(fieldDiff(budget, place, old?.arguments, now?.arguments));
  });
  return fields;
}

function extraDiffs(budget: WordBudget, from: MessageBody, to: MessageBody): FieldDiff[] {
  const [old, now] = [new Map(from.extras), new Map(to.extras)];
  return [...new Set([...now.keys(), ...old.keys()])].map((name) =>
    fieldDiff(budget, { field: 'extra', path: name, name }, old.get(name), now.get(name)),
  );
}

function restDiff(budget: WordBudget, before: string, after: string, pairs: readonly number[]): FieldDiff[] {
  const oldCalls = pairs.filter((index) => index >= 0);
  const newCalls = pairs.flatMap((index, place) => (index < 0 ? [] : place));
  const [old, now] = [restOf(before, oldCalls), restOf(after, newCalls)];
  return old === now ? [] : [fieldDiff(budget, { field: 'rest', path: '' }, old, now)];
}

/** What the other fields leave out, as JSON text: role, ids, the frames of the calls that both have. */
function restOf(text: string, calls: readonly number[]): string {
  const { role, tool_call_id, tool_calls, content } = parseMessage(text) ?? {};
  const frames = Array.isArray(tool_calls) ? calls.map((index) => frameOf(tool_calls[index])) : [];
  return jsonOfParsed({
    role,
    tool_call_id,
    content: Array.isArray(content) ? content.map((part) => without(part, 'text')) : undefined,
    tool_calls: frames.length > 0 ? frames : undefined,
  });
}

function frameOf(call: unknown): unknown {
  if (!isRecord(call)) return call;
  const inner = without(without(call['function'], 'name'), 'arguments');
  return { ...call, function: inner };
}

function without(value: unknown, key: string): unknown {
  if (!isRecord(value)) return value;
  const { [key]: _left, ...rest } = value;
  return rest;
}

import type { Usage } from '../core/events.ts';
import { isRecord } from '../core/parseMessage.ts';
import { createCallCollector } from './accumulateCalls.ts';
import { createContent } from './accumulateContent.ts';
import { createFields } from './accumulateFields.ts';
import type { SettledCall } from './accumulateSettle.ts';
import { readUsage } from './accumulateUsage.ts';
import type { Notes } from './readReplyNotes.ts';

/** The reply so far, out of chunks (`choices[0].delta`) or out of one whole completion (`choices[0].message`). */
export interface Accumulator {
  add(chunk: Readonly<Record<string, unknown>>): void;
  /** A chunk had a choice in it: this is a chat completion. */
  readonly begun: boolean;
  /** Text or a call has come (reasoning does not count). */
  readonly answering: boolean;
  /** Content as it will stand in the message: null when no text field came at all. */
  readonly content: string | null;
  /** The label as the provider gave it; null when none came. */
  readonly finish: string | null;
  readonly refusal: string;
  readonly usage: Usage | null;
  calls(): SettledCall[];
  /** Fields of the message that the API does not define. */
  extra(): Record<string, unknown>;
}

export function createAccumulator(notes: Notes, onText: (delta: string) => void): Accumulator {
  const content = createContent(notes, onText);
  const calls = createCallCollector(notes);
  const fields = createFields();
  let legacy = false;
  let byDeltas = false;
  const choiceOf = createChoice(notes);
  const seen: Pick<Mutable<Accumulator>, 'begun' | 'finish' | 'refusal' | 'usage'> = {
    begun: false,
    finish: null,
    refusal: '',
    usage: null,
  };

  return {
    get begun() {
      return seen.begun;
    },
    get finish() {
      return seen.finish;
    },
    get refusal() {
      return seen.refusal;
    },
    get usage() {
      return seen.usage;
    },
    get content() {
      return content.value;
    },
    get answering() {
      return isAnswering();
    },
    add,
    calls: () => calls.settled(),
    extra: () => fields.all(),
  };

  function add(chunk: Readonly<Record<string, unknown>>): void {
    const { x_groq: groq } = chunk;
    seen.usage = readUsage(chunk['usage']) ?? readUsage(isRecord(groq) && groq['usage']) ?? seen.usage;
    const choice = choiceOf(chunk['choices']);
    if (!choice) return;
    seen.usage = readUsage(choice['usage']) ?? seen.usage;
    const { finish_reason: label, delta, message, text } = choice;
    if (typeof label === 'string' && label !== '') seen.finish = label;
    if (isRecord(delta)) addFields(delta, (entries) => calls.add(entries));
    byDeltas ||= isRecord(delta) && isAnswering();
    // A whole message at the end of a stream repeats what the deltas said; some servers stream messages only.
    if (isRecord(message) && !byDeltas) {
      const isFirst = calls.count === 0;
      addFields(unsaid(message, { ...fields.all(), content: content.value }), (entries) =>
        isFirst ? calls.addWhole(entries) : calls.add(entries),
      );
    } else if (!isRecord(delta) && typeof text === 'string') content.add(text);
    seen.begun = true;
  }

  function isAnswering(): boolean {
    return Boolean(content.value) || calls.count > 0;
  }

  function addFields(delta: Record<string, unknown>, addCalls: (entries: readonly unknown[]) => void): void {
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'content') content.add(value);
      else if (name === 'refusal') seen.refusal += typeof value === 'string' ? value : '';
      else if (name === 'tool_calls') addCalls(listOf(value, notes));
      else if (name === 'function_call' && isRecord(value)) addLegacy(value, addCalls);
      else if (name !== 'role') fields.add(name, value);
    }
  }

  /** The one call of the API before `tool_calls`. A server that sends both means the same call by it. */
  function addLegacy(called: Record<string, unknown>, addCalls: (entries: readonly unknown[]) => void): void {
    if (calls.count > 0 && !legacy) return;
    legacy = true;
    notes.add('function-call', 'the call came as "function_call", the form before "tool_calls"');
    addCalls([{ index: 0, type: 'function', function: called }]);
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A message without the texts that were said before it: it may hold all of them so far. */
function unsaid(
  message: Record<string, unknown>,
  held: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const rest = Object.entries(message).map(([name, value]) => {
    const said = held[name];
    const isLonger = typeof said === 'string' && typeof value === 'string' && value.startsWith(said);
    return [name, isLonger ? value.slice(said.length) : value];
  });
  return Object.fromEntries(rest) as Record<string, unknown>;
}

/** Of several choices one counts: the one with the index 0, or the first that comes where none has it. */
function createChoice(notes: Notes): (choices: unknown) => Record<string, unknown> | undefined {
  let counts: number | undefined;
  return (choices) => {
    const usable = listOf(choices, notes).filter(isRecord);
    const indexes = usable.map(({ index }) => Number(index ?? 0));
    counts ??= indexes.includes(0) ? 0 : indexes[0];
    if (counts)
      notes.add(
        'choice-index',
        `no choice had the index 0; the first one that came counts (index ${counts})`,
      );
    const first = usable.find((_, at) => indexes[at] === counts);
    if (usable.length > (first ? 1 : 0))
      notes.add('extra-choices', 'the server sent more than one choice; the first one counts');
    return first;
  };
}

function listOf(value: unknown, notes: Notes): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  notes.add('not-a-list', 'one thing came where a list of them has to be');
  return [value];
}

import type { Usage } from '../core/events.ts';
import { isRecord } from '../core/parseMessage.ts';
import { createCallCollector } from './accumulateCalls.ts';
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
  readonly text: string;
  /** The label as the provider gave it; null when none came. */
  readonly finish: string | null;
  readonly refusal: string;
  readonly usage: Usage | null;
  calls(): SettledCall[];
  /** Content as it will stand in the message: null when no text field came at all. */
  readonly content: string | null;
  extra(): Record<string, unknown>;
}

export function createAccumulator(notes: Notes, onText: (delta: string) => void): Accumulator {
  const calls = createCallCollector(notes);
  const fields = createFields();
  let begun = false;
  let content: string | null = null;
  let refusal = '';
  let finish: string | null = null;
  let usage: Usage | null = null;
  /** Half of a surrogate pair at the end of a delta: its other half comes with the next one. */
  let half = '';

  return {
    add(chunk) {
      usage = readUsage(chunk['usage']) ?? usage;
      const choice = firstChoice(chunk['choices']);
      if (!choice) return;
      usage = readUsage(choice['usage']) ?? usage;
      const label = choice['finish_reason'];
      if (typeof label === 'string' && label !== '') finish = label;
      addMessage(choice);
      begun = true;
    },
    get begun() {
      return begun;
    },
    get answering() {
      return (content !== null && content !== '') || calls.count > 0;
    },
    get text() {
      return content ?? '';
    },
    get finish() {
      return finish;
    },
    get refusal() {
      return refusal;
    },
    get usage() {
      return usage;
    },
    get content() {
      return content;
    },
    calls: () => calls.settled(),
    extra: () => fields.all(),
  };

  function firstChoice(choices: unknown): Record<string, unknown> | undefined {
    if (!Array.isArray(choices)) return undefined;
    const usable = choices.filter(isRecord);
    const first = usable.find(({ index }) => index === undefined || index === null || Number(index) === 0);
    if (usable.length > (first ? 1 : 0)) {
      notes.add('extra-choices', 'the server sent more than one choice; the first one counts');
    }
    return first;
  }

  function addMessage(choice: Record<string, unknown>): void {
    const { delta, message } = choice;
    if (isRecord(delta)) addDelta(delta, (entry) => calls.add(entry));
    // A whole message at the end of a stream repeats what the deltas said.
    else if (isRecord(message) && !begun) addDelta(message, (entry) => calls.addWhole(entry));
  }

  function addDelta(delta: Record<string, unknown>, addCall: (entry: unknown) => void): void {
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'content') addContent(value);
      else if (name === 'refusal') refusal += typeof value === 'string' ? value : '';
      else if (name === 'tool_calls') for (const entry of listOf(value)) addCall(entry);
      else if (name !== 'role') fields.add(name, value);
    }
  }

  function addContent(value: unknown): void {
    if (value === null || value === undefined) return;
    const text = typeof value === 'string' ? value : partsText(value, notes);
    content = (content ?? '') + text;
    const whole = half + text;
    half = /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : '';
    const ready = half === '' ? whole : whole.slice(0, -1);
    if (ready !== '') onText(ready.toWellFormed());
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

/** Content as a list of parts (some servers): the text of them, joined. */
function partsText(value: unknown, notes: Notes): string {
  const parts = listOf(value);
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : isRecord(part) ? part['text'] : undefined,
  );
  const kept = texts.filter((text) => typeof text === 'string');
  notes.add(
    'content-parts',
    `content came as a list of ${parts.length} parts, ${kept.length} of them text, which is kept`,
  );
  return kept.join('');
}

import { isRecord } from '../core/parseMessage.ts';
import type { Notes } from './readReplyNotes.ts';

/** One streamed piece of a tool call; what did not come is empty. */
export interface Fragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  /** Argument text, to append; `whole` says that it replaces what is held. */
  readonly text: string;
  readonly whole: boolean;
  readonly typed: boolean;
  readonly extra: readonly (readonly [string, unknown])[];
}

/** Reads one entry of `tool_calls`; undefined (and a note) for something that is no call. */
export function readFragment(entry: unknown, notes: Notes): Fragment | undefined {
  if (!isRecord(entry)) {
    notes.add('call-unreadable', `an entry of tool_calls is not an object: ${excerpt(entry)}`);
    return undefined;
  }
  const { index, id, type, function: fn, ...others } = entry;
  const { called, rest } = isRecord(fn) ? { called: fn, rest: others } : flat(others, notes);
  return {
    index: readIndex(index, notes),
    id: readId(id, notes),
    name: typeof called['name'] === 'string' ? called['name'] : '',
    ...readArguments(called['arguments'], notes),
    typed: type === 'function',
    extra: Object.entries(rest),
  };
}

/** Some servers write a call's name and arguments into the entry itself. */
function flat(entry: Record<string, unknown>, notes: Notes) {
  const { name, arguments: text, ...rest } = entry;
  if (name === undefined && text === undefined) return { called: {}, rest };
  notes.add('call-flat', 'a call came without "function": its name and arguments stood beside its id');
  return { called: { name, arguments: text }, rest };
}

function readId(value: unknown, notes: Notes): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return '';
  notes.add('id-number', `the id of a call came as a number (${value}) and not as text`);
  return String(value);
}

function readIndex(value: unknown, notes: Notes): number | undefined {
  const isText = typeof value === 'string' && /^\d{1,6}$/.test(value);
  if (isText) notes.add('index-text', `the index of a call came as text (${JSON.stringify(value)})`);
  const index = isText ? Number(value) : value;
  return Number.isSafeInteger(index) && Number(index) >= 0 ? Number(index) : undefined;
}

/** Arguments are JSON text by the API. Anything else is written as the JSON that it is. */
function readArguments(value: unknown, notes: Notes): { readonly text: string; readonly whole: boolean } {
  if (value === undefined || value === null) return { text: '', whole: false };
  if (typeof value === 'string') return { text: value, whole: false };
  notes.add('arguments-object', `arguments came as JSON and not as text: ${excerpt(value)}`);
  return { text: JSON.stringify(value), whole: true };
}

function excerpt(value: unknown): string {
  return Array.from(JSON.stringify(value) ?? '')
    .slice(0, 200)
    .join('');
}

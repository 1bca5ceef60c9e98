import { isRecord } from '../core/parseMessage.ts';
import type { Notes } from './readReplyNotes.ts';

/** The text of a reply as its deltas come. */
export interface Content {
  add(value: unknown): void;
  /** Null when no text field came at all. */
  readonly value: string | null;
}

export function createContent(notes: Notes, onText: (delta: string) => void): Content {
  let value: string | null = null;
  /** Half of a surrogate pair at the end of a delta: its other half comes with the next one. */
  let half = '';
  return {
    add(delta) {
      if (delta === null || delta === undefined) return;
      const text = typeof delta === 'string' ? delta : partsText(delta, notes);
      value = (value ?? '') + text;
      const whole = half + text;
      half = endsInHalf(whole) ? whole.slice(-1) : '';
      const ready = whole.slice(0, whole.length - half.length);
      if (ready !== '') onText(ready.toWellFormed());
    },
    get value() {
      return value;
    },
  };
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** Content as a list of parts (some servers): the text of them, joined. */
function partsText(value: unknown, notes: Notes): string {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = parts
    .map((part) => (isRecord(part) ? part['text'] : part))
    .filter((text) => typeof text === 'string');
  notes.add(
    'content-parts',
    `content came as ${parts.length} parts, ${texts.length} of them text, which is kept`,
  );
  return texts.join('');
}

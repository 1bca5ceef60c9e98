import type { JournalEvent, Part, Stamp } from './events.ts';
import { isEvent } from './eventShape.ts';
import { isRecord, parseJson } from './parseMessage.ts';
import type { Cut, PanelEvent } from './protocol.ts';

/** UTF-16 units of a text that cross to a panel unasked. */
export const headLimit = 2048;
/** A message keeps all its calls, however many, up to this size: the panel's fold has to find them. */
const structureLimit = 64 * 1024;

/**
 * An event as panels get it. A text over 2 KB becomes its head and its size. The head of a JSON text is
 * JSON with its long strings shortened, so that a fold still finds roles, names and calls in it. What has not the shape
 * of its type crosses as an event of a type that nobody knows, at its place `seq`: panels need not look again.
 */
export function panelEvent(event: JournalEvent, seq = event.seq): PanelEvent {
  if (!isEvent(event)) return { seq, at: 0, type: 'unreadable' } as unknown as PanelEvent;
  switch (event.type) {
    case 'part':
      return event.text.length <= headLimit ? event : shortPart(event);
    case 'anomaly':
      return { ...event, detail: headOf(event.detail, headLimit) };
    case 'logged':
      return { ...event, text: headOf(event.text, headLimit) };
    case 'model.failed':
      return { ...event, message: headOf(event.message, headLimit) };
    default:
      return event;
  }
}

/** The first `limit` UTF-16 units, one less where that would halve a surrogate pair. */
export function headOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
}

const beyondAscii = /[^\0-\x7f]/;

/** Bytes of a text in UTF-8; half a surrogate pair counts as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  // Nearly every text is plain, and the engine sees that far faster than the loop below.
  if (!beyondAscii.test(text)) return bytes;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // Both halves of a pair together are 4 bytes: 2 units and 2 more.
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index++;
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function shortPart(event: Stamp & Part): PanelEvent {
  const { text, seq, at, type, id } = event;
  const head = shortJson(text) ?? { text: headOf(text, headLimit), at: [] };
  const cut: Cut = { chars: text.length, bytes: utf8Length(text), at: head.at };
  // Without `redacted`: its spans are places of the whole text.
  return { seq, at, type, id, text: head.text, cut };
}

/** JSON with long strings shortened, or undefined when the text is no JSON object or stays too large. */
function shortJson(text: string): { readonly text: string; readonly at: readonly string[] } | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const allowed = typeof value['role'] === 'string' ? structureLimit : headLimit;
  for (const limit of [1024, 256, 64]) {
    const at: string[] = [];
    const short = JSON.stringify(shortStrings(value, limit, '', at));
    if (short.length <= (limit === 64 ? allowed : headLimit) && at.length > 0) return { text: short, at };
  }
  return undefined;
}

function shortStrings(value: unknown, limit: number, path: string, at: string[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= limit) return value;
    at.push(path);
    return headOf(value, limit);
  }
  const below = (key: string | number) => (path === '' ? String(key) : `${path}/${key}`);
  if (Array.isArray(value)) return value.map((item, index) => shortStrings(item, limit, below(index), at));
  if (!isRecord(value)) return value;
  // fromEntries defines its keys: one named __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, shortStrings(field, limit, below(key), at)]),
  );
}

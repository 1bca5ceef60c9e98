/**
 * Cuts what a tool said and keeps it true: the content stays JSON, with one gap however often it was cut, and what it
 * says of the rest (a note, the end of a page) names the place where the rest begins now.
 */
import {
  type CapParts,
  capEnds,
  capParts,
  countCodePoints,
  endsAt,
  sliceCodePoints,
} from '../core/capText.ts';
import type { CallKey } from '../core/messages.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import { type Rest, restNote, restOf } from '../core/restNote.ts';
import { isResultPage, type ResultPage } from '../core/resultPage.ts';
import { serialise } from '../core/serialise.ts';

/**
 * The content with at most `limit` characters of data; undefined for one that is no observation. `call`: where its whole
 * can be read, for one that was not cut before.
 */
export function cutResult(content: string, limit: number, call?: CallKey): string | undefined {
  const result = parseResult(content);
  if (!result) return undefined;
  const { value, field, note } = result;
  const shown = value[field];
  if (isResultPage(shown)) return serialise({ ...value, [field]: cutPage(shown, limit) });
  const rest = restOf(note);
  const text = typeof shown === 'string' ? shown : serialise(shown);
  const { head, gap, tail } = cutText(text, rest?.start, limit);
  if (gap === '') return content;
  const start = countCodePoints(head) + 1;
  return serialise({ ...value, [field]: head + gap + tail, ...noteOn(note, rest, start, call) });
}

/** The note of a result that is cut: what it said, and where the rest begins now. */
function noteOn(note: string, rest: Rest | undefined, start: number, call: CallKey | undefined) {
  if (rest) return { note: rest.before + restNote(rest.call, start) };
  if (call === undefined) return {};
  return { note: [note, restNote(call, start)].filter(Boolean).join(' ') };
}

/** The content without its note, where there is no room for it: then nothing is said of the rest. */
export function withoutNote(content: string): string {
  const { note: _note, ...value } = parseResult(content)?.value ?? {};
  return Object.keys(value).length === 0 ? content : serialise(value);
}

function parseResult(content: string) {
  const value = parseJson(content);
  if (!isRecord(value) || typeof value['success'] !== 'boolean') return undefined;
  const field = value['success'] ? 'data' : 'error';
  const note = typeof value['note'] === 'string' ? value['note'] : '';
  return value[field] === undefined ? undefined : { value, field, note };
}

/** A page ends earlier: one that showed head and tail would be read on behind a gap that nobody comes back to. */
function cutPage(page: ResultPage, limit: number): ResultPage {
  const text = sliceCodePoints(page.text, 0, limit);
  return { ...page, end: page.start - 1 + countCodePoints(text), text };
}

/** `start`: where the note says that the rest begins. After an edit there may be no gap: then the text is the whole. */
function cutText(text: string, start: number | undefined, limit: number): CapParts {
  const ends = start === undefined ? undefined : endsAt(text, start - 1);
  return ends ? capEnds(ends, limit) : capParts(text, limit);
}

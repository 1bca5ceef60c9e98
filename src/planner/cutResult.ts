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
import { isRecord, parseJson } from '../core/parseMessage.ts';
import { restNote, restOf } from '../core/restNote.ts';
import { isResultPage, type ResultPage } from '../core/resultPage.ts';
import { serialise } from '../core/serialise.ts';

/** The content with at most `limit` characters of data; undefined for one that is no observation. */
export function cutResult(content: string, limit: number): string | undefined {
  const result = parseResult(content);
  if (!result) return undefined;
  const { value, field, note } = result;
  const shown = value[field];
  if (isResultPage(shown)) return serialise({ ...value, [field]: cutPage(shown, limit) });
  const rest = restOf(note);
  const text = typeof shown === 'string' ? shown : serialise(shown);
  const { head, gap, tail } = cutText(text, rest?.start, limit);
  if (gap === '') return content;
  const moved = rest && { note: rest.before + restNote(rest.call, countCodePoints(head) + 1) };
  return serialise({ ...value, [field]: head + gap + tail, ...moved });
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

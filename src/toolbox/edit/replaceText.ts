import type { WorkspaceResult } from '../../core/ports.ts';
import { keepBreaks } from './keepBreaks.ts';
import { type LfText, lfText } from './lfText.ts';
import { nearMatches } from './nearMatches.ts';

export interface Replaced {
  readonly text: string;
  /** Places that were replaced. */
  readonly count: number;
  /** The lines of the new text that hold the first of them, from 1. */
  readonly lines: readonly [start: number, end: number];
}

/** Places that an error names. */
const named = 10;

/**
 * Replaces a piece of a text, word for word. Models write LF: the piece is looked for with all line breaks as LF, and put
 * into the text as it is, so that every byte outside of it stays; new lines get the breaks of their surroundings.
 * Refused when the piece is not there, or when it is there more than once without `all`.
 */
export function replaceText(
  original: string,
  old: string,
  next: string,
  all: boolean,
): WorkspaceResult<Replaced> {
  if (old === '') return refused('old_string is empty: give the text that is to be replaced');
  const wanted = lfText(old).text;
  const replacement = lfText(next).text;
  if (wanted === replacement)
    return refused('old_string and new_string are the same: there is nothing to change');
  const asIs = lfText(original);
  const places = placesOf(asIs.text, wanted);
  if (places.length > 0) return replaceAt(original, asIs, places, wanted.length, replacement, all, false);
  // Files of old Macs end their lines with CR alone; nobody writes those on purpose.
  const alone = lfText(original, true);
  const more = /\r(?!\n)/.test(original) ? placesOf(alone.text, lfText(old, true).text) : [];
  if (more.length > 0)
    return replaceAt(original, alone, more, wanted.length, lfText(next, true).text, all, true);
  return refused(`old_string is not in the file. ${nearMatches(alone.text, lfText(old, true).text)}`);
}

function refused(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `${error}. Nothing was changed` };
}

/** Where a piece stands, one behind the other without overlap. */
function placesOf(text: string, piece: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) places.push(at);
  return places;
}

function replaceAt(
  original: string,
  lf: LfText,
  places: readonly number[],
  length: number,
  next: string,
  all: boolean,
  alone: boolean,
): WorkspaceResult<Replaced> {
  if (places.length > 1 && !all) return ambiguous(lf.text, places);
  let text = '';
  let from = 0;
  for (const place of places) {
    const [start, end] = [lf.toOriginal(place), lf.toOriginal(place + length)];
    text += original.slice(from, start);
    text += keepBreaks(original.slice(start, end), next, breakAround(original, start, end, alone), alone);
    from = end;
  }
  const first = lineAt(lf.text, places[0]!);
  return {
    ok: true,
    text: text + original.slice(from),
    count: places.length,
    lines: [first, first + next.split('\n').length - 1],
  };
}

function ambiguous(text: string, places: readonly number[]): WorkspaceResult<Replaced> {
  const lines = places.slice(0, named).map((place) => lineAt(text, place));
  const rest = places.length > named ? `, and ${places.length - named} more` : '';
  return refused(
    `old_string is there ${places.length} times, at the lines ${lines.join(', ')}${rest}: give more of the lines around ` +
      'the one that is meant, or say replace_all',
  );
}

/** The break that ends the line behind a place, else the one before it. */
function breakAround(text: string, start: number, end: number, alone: boolean): string {
  const any = alone ? /\r\n|\r|\n/g : /\r\n|\n/g;
  any.lastIndex = end;
  const behind = any.exec(text)?.[0];
  if (behind !== undefined) return behind;
  const at = Math.max(text.lastIndexOf('\n', start - 1), alone ? text.lastIndexOf('\r', start - 1) : -1);
  if (start === 0 || at < 0) return '\n';
  return text[at] === '\n' && text[at - 1] === '\r' ? '\r\n' : text[at]!;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

import type { Observation } from '../core/messages.ts';
import { serialise } from '../core/serialise.ts';
import { capParts, countCodePoints } from '../core/capText.ts';
import { resultText } from './resultText.ts';

export interface Capping {
  /** Code points of the content. */
  readonly limit: number;
  /** Something to know that the tool did not say; none when empty. */
  readonly note?: string | undefined;
  /** How to get what was left out; `start` is the first character of it, from 1. */
  readonly rest?: (start: number) => string;
}

/** What the model gets of a result: JSON, always, and at most `limit` code points of it. */
export function capObservation(
  observation: Observation,
  { limit, note, rest }: Capping,
): { readonly content: string; readonly isCut: boolean } {
  const whole = serialise(withNote(observation, note));
  if (whole.length <= limit || countCodePoints(whole) <= limit) return { content: whole, isCut: false };
  const text = resultText(observation);
  const cut = (room: number): string => {
    const { head, gap, tail } = capParts(text, room);
    const notes = [note, gap === '' ? undefined : rest?.(countCodePoints(head) + 1)].filter(Boolean);
    const shown = head + gap + tail;
    return serialise(
      withNote(
        observation.success ? { success: true, data: shown } : { success: false, error: shown },
        notes.length === 0 ? undefined : notes.join(' '),
      ),
    );
  };
  return { content: fit(cut, limit), isCut: true };
}

/** The text is written as JSON, where quotes and line ends take two characters: its share is found by trying. */
function fit(cut: (room: number) => string, limit: number): string {
  let room = limit;
  let content = cut(room);
  while (room > 0 && countCodePoints(content) > limit) {
    const over = countCodePoints(content) - limit;
    room -= Math.max(1, Math.min(over, Math.ceil(room / 8)));
    content = cut(room);
  }
  return content;
}

function withNote(
  observation: Observation,
  note: string | undefined,
): Observation & { readonly note?: string } {
  return note === undefined || note === '' ? observation : { ...observation, note };
}

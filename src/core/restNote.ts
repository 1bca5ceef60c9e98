import type { CallKey } from './messages.ts';

/** The tool that pages through a result, by name: every agent has it. */
export const pagerName = 'read_result';

const words = 'What is left out can be read with';

/** How to get what a result leaves out, as a model would write the call; `start` is its first character, from 1. */
export function restNote(call: CallKey, start: number): string {
  return `${words} ${pagerName}(${JSON.stringify({ call, start })}).`;
}

export interface Rest {
  readonly call: CallKey;
  readonly start: number;
  /** What the note says before. */
  readonly before: string;
}

const pattern = new RegExp(`${words} ${pagerName}\\(\\{"call":"([\\d.]+)","start":(\\d+)\\}\\)\\.$`);

/** What `restNote` says at the end of a note; undefined where it says nothing. */
export function restOf(note: string): Rest | undefined {
  const found = pattern.exec(note);
  return found
    ? { call: found[1] ?? '', start: Number(found[2]), before: note.slice(0, found.index) }
    : undefined;
}

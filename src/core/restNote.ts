import { type CallKey, contentText } from './messages.ts';
import { isRecord, parseJson, parseMessage } from './parseMessage.ts';

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

/** Whether a message, as its text is sent, is a result that says where the rest of it can be read. */
export function namesRest(text: string): boolean {
  if (!text.includes(pagerName)) return false;
  const message = parseMessage(text);
  const value = message?.role === 'tool' ? parseJson(contentText(message)) : undefined;
  return isRecord(value) && typeof value['note'] === 'string' && restOf(value['note']) !== undefined;
}

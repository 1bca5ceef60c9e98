/** Reading journal text: JSON Lines, where a torn last line is cut off and reported. */
import type { JournalEvent } from '../core/events.ts';
import { eventProblem } from '../core/eventShape.ts';
import { isRecord } from '../core/parseMessage.ts';

export type ReadJournal =
  | {
      readonly ok: true;
      readonly events: JournalEvent[];
      /** UTF-16 length of the text that holds whole events: where the next append starts. */
      readonly whole: number;
      /** What was cut off, when the last line was torn. */
      readonly torn?: string;
    }
  | {
      readonly ok: false;
      readonly line: number;
      readonly message: string;
      /** What stands before that line, and is whole. */
      readonly events: readonly JournalEvent[];
    };

/** Parses a journal's text. Only the last line may be broken; anything else names its line. */
export function readJournalText(text: string): ReadJournal {
  const steps = readJournalSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * The same line by line, for texts that take long.
 * @param from the seq of the first event of this text: not 0 for what was appended to a journal that is known
 */
export function* readJournalSteps(text: string, from = 0): Generator<void, ReadJournal> {
  const events: JournalEvent[] = [];
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const line = text.slice(at, newline < 0 ? text.length : newline);
    const last = newline < 0 || newline === text.length - 1;
    const event = parseLine(line);
    const seq = from + events.length;
    const problem = lineProblem(event, seq);
    if (problem !== undefined || newline < 0) {
      // A line without its newline was being written when the writer died, even when it parses.
      if (last && (seq > 0 || isBeginning(line)))
        return { ok: true, events, whole: at, torn: text.slice(at) };
      return { ok: false, line: seq + 1, message: problem ?? 'the only line is not complete', events };
    }
    events.push(event as JournalEvent);
    at = newline + 1;
    yield;
  }
  return { ok: true, events, whole: at };
}

/** Whether an only line is a journal's first that was being written; any other text is not ours to cut. */
function isBeginning(line: string): boolean {
  const first = '{"seq":0,"at":';
  return line.startsWith(first) || (line !== '' && first.startsWith(line));
}

/** Undefined for a line that is no JSON, the empty one among them. How deep it may be is for its shape to say. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function lineProblem(event: unknown, seq: number): string | undefined {
  if (!isRecord(event)) return 'the line is not a JSON object';
  if (seq === 0 && event['type'] !== 'session.opened') return 'a journal begins with session.opened';
  if (seq === 0 && event['v'] !== 1)
    return `journal version ${JSON.stringify(event['v'])} is not one this version reads (1)`;
  if (event['seq'] !== seq) return `seq is ${JSON.stringify(event['seq'])}, expected ${seq}`;
  return eventProblem(event);
}

/** The Debug Console's text: streamed replies as they arrive, the loop's log lines, notices. */
import type { JournalEvent } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import { currentRun } from '../core/journalState.ts';
import { answerText, logLine } from '../core/logLine.ts';
import { visible } from '../core/visible.ts';

/** `console` stands out, `important` asks for attention, `stdout` and `stderr` are the program's. */
export type Category = 'console' | 'important' | 'stdout' | 'stderr';

export interface Output {
  print(text: string, category?: Category): void;
  /** A piece of the reply that is arriving. */
  onText(delta: string): void;
  /** After the event was folded into `state`. */
  onEvent(state: JournalState, event: JournalEvent): void;
}

export function createOutput(send: (event: string, body: object) => void): Output {
  let streaming = false;
  const print = (text: string, category: Category = 'stdout') =>
    send('output', { category, output: `${visible(text)}\n` });

  return {
    print,
    onText(delta) {
      streaming = true;
      send('output', { category: 'stdout', output: visible(delta) });
    },
    onEvent(state, event) {
      const line = logLine(state, event, streaming);
      if (event.type === 'model.replied' || event.type === 'model.failed') {
        if (streaming) send('output', { category: 'stdout', output: '\n' });
        streaming = false;
      }
      if (line !== undefined) print(line);
      // The answer was streamed as it came; it is printed again only when an edit made it another.
      const answer = currentRun(state)?.ended?.answer;
      if (event.type === 'edited' && answer !== undefined && event.target.startsWith(answer)) {
        print(answerText(state) ?? '');
      }
    },
  };
}

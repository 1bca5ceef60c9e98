/** The Debug Console's text: streamed replies as they arrive, the loop's log lines, notices. */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalEvent } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import { currentRun } from '../core/journalState.ts';
import { answerText, logLine } from '../core/logLine.ts';
import { visible } from '../core/visible.ts';

/** `console` stands out, `important` asks for attention, `stdout` and `stderr` are the program's. */
export type Category = 'console' | 'important' | 'stdout' | 'stderr';

/** Where in a source a text comes from; lines from 1. */
export type Origin = Pick<DebugProtocol.OutputEvent['body'], 'source' | 'line'>;

export interface Output {
  print(text: string, category?: Category, origin?: Origin): void;
  /** A piece of the reply that is arriving. */
  onText(delta: string): void;
  /** After the event was folded into `state`. */
  onEvent(state: JournalState, event: JournalEvent): void;
}

export function createOutput(send: (event: string, body: object) => void): Output {
  let streaming = false;
  /** What the console shows of the last reply: as it was streamed, or in its log line. */
  let shown = '';
  const print = (text: string, category: Category = 'stdout', origin: Origin = {}) =>
    send('output', { category, output: `${visible(text)}\n`, ...origin });

  /** The answer is what the history holds: printed when what was shown while it came is not that. */
  const printAnswer = (state: JournalState) => {
    const answer = answerText(state);
    if (answer === undefined || answer === shown) return;
    const isShort = shown.endsWith(`] ${answer} → answer`);
    if (!isShort) print(isEdited(state) ? l10n.t('The answer, as edited: {0}', answer) : answer);
    shown = answer;
  };

  return {
    print,
    onText(delta) {
      if (!streaming) shown = '';
      streaming = true;
      shown += delta;
      send('output', { category: 'stdout', output: visible(delta) });
    },
    onEvent(state, event) {
      const line = logLine(state, event, streaming);
      if (event.type === 'model.replied' || event.type === 'model.failed') {
        if (streaming) send('output', { category: 'stdout', output: '\n' });
        else shown = line ?? '';
        streaming = false;
      }
      if (line !== undefined) print(line);
      const isOver = currentRun(state)?.ended !== undefined;
      if (isOver && (event.type === 'run.ended' || event.type === 'edited')) printAnswer(state);
    },
  };
}

function isEdited(state: JournalState): boolean {
  const run = currentRun(state);
  const reply = run?.rounds.at(-1)?.replies.at(-1);
  return state.messages.get(run?.ended?.answer ?? '')?.versions.at(-1)?.part !== reply?.event.reply;
}

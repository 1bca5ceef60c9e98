/**
 * The log lines of the loop, in the form that this tradition of agents knows: `[iter 1][plan] …`.
 * A pure function of the journal, so that the console, the command line and a saved journal say the same.
 */
import type { CallFinished, JournalEvent, ModelFailed, ModelReplied, ModelRequested } from './events.ts';
import { isEvent } from './eventShape.ts';
import { callAt, currentRound, currentRun, type JournalState, textOf } from './journalState.ts';
import { callsOf, contentText } from './messages.ts';
import { parseMessage } from './parseMessage.ts';

/** Code points of a text that a log line shows. */
const shown = 300;

/**
 * The line that an event just folded into `state` deserves; most deserve none. Where the reply's text was
 * shown while it streamed, `streamed` leaves it out of the plan line.
 */
export function logLine(state: JournalState, event: JournalEvent, streamed = false): string | undefined {
  if (!isEvent(event)) return undefined;
  switch (event.type) {
    case 'model.replied': {
      const purpose = purposeOf(state, event);
      if (purpose !== 'round') return line(state, purpose, summaryText(state, event));
      return line(state, 'plan', planText(state, event, streamed));
    }
    case 'resumed':
      return event.verb === 'askAgain' ? line(state, 'plan', askedAgain(state)) : undefined;
    case 'model.failed': {
      const retry = event.retryIn === undefined ? '' : `; trying again in ${seconds(event.retryIn)}`;
      const purpose = purposeOf(state, event);
      const phase = purpose === 'round' ? 'plan' : purpose;
      return line(state, phase, `model failed (${event.class}): ${event.message}${retry}`);
    }
    case 'call.finished':
      return line(state, 'action', actionText(state, event));
    case 'history.appended':
      return observeText(state, event);
    case 'run.ended':
      return endText(state);
    case 'anomaly':
      return line(state, 'note', `${event.code}: ${event.detail}`);
    default:
      return undefined;
  }
}

function line(state: JournalState, phase: string, text: string): string {
  return `[iter ${currentRound(state)?.round ?? 0}][${phase}] ${short(text)}`;
}

function planText(state: JournalState, event: ModelReplied, streamed: boolean): string {
  const message = parseMessage(state.parts.get(event.reply) ?? '');
  const names = (message ? callsOf(message) : []).map((call) => call.function.name);
  const text = message && !streamed ? contentText(message) : '';
  return [...(text === '' ? [] : [text]), names.length > 0 ? `→ ${names.join(', ')}` : '→ answer'].join(' ');
}

function askedAgain(state: JournalState): string {
  const { setAside = [], edits = [] } = currentRound(state) ?? {};
  const id = setAside.at(-1)?.message;
  const hasEnded = edits.some(({ scope, by }) => scope === 'request' && by === 'user');
  return [
    'asked again',
    ...(id === undefined ? [] : [`the reply ${id} is set aside`]),
    ...(hasEnded ? ['what was edited for that request only is as it was'] : []),
  ].join('; ');
}

/** A reply to a request beside the conversation is no turn of it. */
function purposeOf(state: JournalState, { request }: ModelReplied | ModelFailed): ModelRequested['purpose'] {
  return state.requests.get(request)?.attempts[0]?.sent.purpose ?? 'round';
}

function summaryText(state: JournalState, { reply }: ModelReplied): string {
  const message = parseMessage(state.parts.get(reply) ?? '');
  return message ? contentText(message) : '';
}

function actionText(state: JournalState, event: CallFinished): string {
  const call = callAt(state, event.key);
  const own = call?.tool === undefined ? '' : ` (${call.tool})`;
  return `${call?.name ?? event.key}${own} ${call?.arguments ?? ''} ${seconds(event.ms)} ${event.outcome}`;
}

function observeText(
  state: JournalState,
  event: JournalEvent & { type: 'history.appended' },
): string | undefined {
  const results = event.messages.filter((message) => message.role === 'tool');
  if (results.length === 0) return undefined;
  const contents = results.map(({ part }) =>
    contentText(parseMessage(state.parts.get(part) ?? '') ?? { role: 'tool' }),
  );
  return contents.map((content) => line(state, 'observe', content)).join('\n');
}

function endText(state: JournalState): string | undefined {
  const ended = currentRun(state)?.ended;
  if (!ended || ended.outcome === 'done') return undefined;
  return line(state, 'end', ended.limit === undefined ? ended.outcome : `${ended.outcome}: ${ended.limit}`);
}

/** The text of the answer of the last run, as the history holds it; undefined while there is none. */
export function answerText(state: JournalState): string | undefined {
  const answer = currentRun(state)?.ended?.answer;
  const message = answer === undefined ? undefined : parseMessage(textOf(state, answer) ?? '');
  return message && contentText(message);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)}s`;
}

function short(text: string): string {
  const end = endOfPoints(text, shown);
  return (end === text.length ? text : `${text.slice(0, end)} …`).replace(/\s*\n\s*/g, ' ⏎ ');
}

/** Where so many code points of a text end, in UTF-16 units. */
function endOfPoints(text: string, count: number): number {
  if (text.length <= count) return text.length;
  let end = 0;
  for (let n = 0; n < count && end < text.length; n++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return end;
}

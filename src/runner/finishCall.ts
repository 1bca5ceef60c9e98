/** Records how a call ended, with what the model gets of it, and notices when it repeats earlier ones. */
import { type CallState } from '../core/journalState.ts';
import type { Observation } from '../core/messages.ts';
import type { Toolbox } from '../core/ports.ts';
import { parseJson } from '../core/parseMessage.ts';
import { restNote } from '../core/restNote.ts';
import { serialise } from '../core/serialise.ts';
import type { Session } from '../session/session.ts';
import { capObservation } from '../toolbox/capObservation.ts';
import { callEntries, keepEntry, newestEntry, repeatedCall } from './callEntries.ts';
import type { Finished } from './performCall.ts';
import { blockWords, nudgeAt, type Repetition, repetitionIn, stopAt } from './repetition.ts';

/** Characters of an observation that the model gets; the whole stays in the journal. */
const observationLimit = 4000;

export function finishCall(session: Session, toolbox: Toolbox, call: CallState, finished: Finished): void {
  const { journal } = session;
  const { outcome, ms, source } = finished;
  const { observation, text } = cleaned(session, finished.observation);
  const newest =
    outcome === 'cancelled' ? undefined : newestEntry(session.state, toolbox, call, { outcome, text });
  const repetition = newest ? repetitionIn([...callEntries(session.state, toolbox), newest]) : noRepetition;
  const { content, isCut } = capObservation(observation, {
    limit: observationLimit,
    note: [emptyWords(observation), repetition.count >= nudgeAt ? nudge(repetition) : '']
      .filter(Boolean)
      .join(' '),
    rest: (start) => restNote(call.key, start),
  });
  const part = journal.part(serialise({ role: 'tool', tool_call_id: call.wireId, content }));
  journal.append({
    type: 'call.finished',
    key: call.key,
    outcome,
    message: journal.nextMessage(),
    part,
    ...(isCut ? { observation: journal.part(text) } : {}),
    ms: Math.round(ms),
    source,
  });
  if (newest) keepEntry(call, newest);
  if (repetition.count >= stopAt) report(session, call, repetition);
}

/** Without secrets before it is cut: half a key is no key to be found. `text`: the same as JSON. */
function cleaned(
  { journal }: Session,
  observation: Observation,
): { readonly observation: Observation; readonly text: string } {
  const whole = serialise(observation);
  const { text } = journal.redactor.clean(whole);
  if (text === whole) return { observation, text };
  const known = (parseJson(text) as Observation | undefined) ?? unclean;
  return { observation: known, text: serialise(known) };
}

const unclean: Observation = {
  success: false,
  error: 'the result held a secret that could not be taken out of it',
};

const noRepetition: Repetition = { count: 0, block: [], calls: [] };

/** An empty result is a result: said in words, so that nobody takes it for a failure or for a lost one. */
function emptyWords(observation: Observation): string {
  if (!observation.success) return '';
  const { data } = observation;
  if (data === null || data === undefined) return 'It succeeded and returned nothing.';
  if (data === '') return 'It succeeded; the text is empty.';
  return Array.isArray(data) && data.length === 0 ? 'It succeeded; the list is empty.' : '';
}

/** For the model: it can still change its course. */
function nudge({ count, block }: Repetition): string {
  const what = block.length === 1 ? 'this same call' : `the same calls (${blockWords(block)})`;
  return (
    `You have made ${what} ${count} times in this run and got the same result each time. ` +
    'Do not repeat it: use what you have, try something else, or answer.'
  );
}

/** For the user, and for the end of the run. */
function report({ journal }: Session, call: CallState, { count, block, calls }: Repetition): void {
  const keys = calls.map(({ key }) => key).join(', ');
  journal.append({
    type: 'anomaly',
    code: repeatedCall,
    detail: `${blockWords(block)}: made ${count} times with the same result (calls ${keys})`,
    about: calls.map(({ key, seq }) => (key === call.key ? (call.finished ?? seq) : seq)),
  });
}

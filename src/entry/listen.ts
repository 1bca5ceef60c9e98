import type { JournalEvent } from '../core/events.ts';
import type { Session } from '../session/session.ts';
import { errorText } from '../toolbox/errorText.ts';
import { type AgentEvent, createAgentEvents } from './agentEvents.ts';

export type AgentListener = (event: AgentEvent) => void;

/**
 * Tells a listener what happens in a session until the returned function is called, `past` events first. Whatever the
 * listener does, it gets each event once and in order (also those that it causes itself), and a listener that throws or
 * rejects does not break the run: the first such error of a listener is a process warning.
 */
export function listen(
  { journal, state }: Session,
  listener: AgentListener,
  ownName: (name: string) => string,
  past: readonly JournalEvent[],
): () => void {
  const toEvents = createAgentEvents(state, ownName);
  const waiting: AgentEvent[] = [];
  let isTelling = false;
  let hasFailed = false;
  const fail = (error: unknown) => {
    if (!hasFailed) process.emitWarning(`onEvent failed, and the run goes on: ${errorText(error)}`);
    hasFailed = true;
  };
  const tellAll = () => {
    if (isTelling) return;
    isTelling = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) tell(listener, next, fail);
    isTelling = false;
  };
  waiting.push(...past.flatMap(toEvents));
  const stop = journal.onEvent((event) => {
    waiting.push(...toEvents(event));
    tellAll();
  });
  tellAll();
  return stop;
}

function tell(
  listener: (event: AgentEvent) => unknown,
  event: AgentEvent,
  fail: (error: unknown) => void,
): void {
  try {
    const answer = listener(event);
    if (answer instanceof Promise) answer.catch(fail);
  } catch (error) {
    fail(error);
  }
}

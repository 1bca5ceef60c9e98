/** A journal with all that a session can hold: two calls, an edit, a rejection, a retry, a truncation, two runs. */
import type { JournalEvent } from '../../src/core/events.ts';
import type { Stop, StopRules } from '../../src/runner/gate.ts';
import { type Run, startRun } from '../../src/runner/run.ts';
import type { Session } from '../../src/session/session.ts';
import { calls, createScriptedModel, fails, says } from './scriptedModel.ts';
import { createTestAgent, createTestSession } from './testAgent.ts';

/** Runs them on a session, and returns its events. */
export async function writeRichJournal(session: Session = createTestSession()): Promise<JournalEvent[]> {
  const model = createScriptedModel([
    fails('rate-limit', { retryable: true, status: 429, retryAfter: 500 }),
    calls(
      [
        { name: 'calculator', arguments: { expression: '45+20' }, id: 'call_a' },
        { name: 'add_todo', arguments: { content: 'reply to mail' }, id: 'call_b' },
      ],
      'I add up, then add it.',
    ),
    calls([{ name: 'list_todos', id: 'call_a' }]),
    says('65 minutes. You rejected the to-do.', { prompt: 323, completion: 28 }),
    calls([{ name: 'calculator', arguments: { expression: '1+1' }, id: 'call_c' }]),
    says('Two.', { prompt: 200, completion: 3 }),
  ]);
  const agent = await createTestAgent(model, { max_history: 7, context: { policy: 'window' } });
  await debugged(agent, session, 'How long do 45 and 20 minutes take?', (run, stop) => {
    if (stop.kind === 'act' && stop.key === '1.1.1')
      run.apply({
        kind: 'set',
        target: 'm3/tool_calls/0/function/arguments',
        scope: 'pending',
        value: '{"expression":"45+30"}',
      });
    if (stop.kind === 'act' && stop.key === '1.1.2')
      run.apply({ kind: 'reject', target: '1.1.2', reason: 'no' });
  });
  await debugged(agent, session, 'And 1+1?', (run, stop) => {
    if (stop.kind === 'plan')
      run.apply({ kind: 'set', target: 'request/temperature', scope: 'request', value: 1 });
  });
  model.assertDone();
  return [...session.journal.events];
}

/** A run that stops everywhere, is looked at, and goes on. */
async function debugged(
  agent: Awaited<ReturnType<typeof createTestAgent>>,
  session: Session,
  goal: string,
  atStop: (run: Run, stop: Stop) => void,
): Promise<void> {
  const rules: StopRules = { hits: async () => ({ faults: [], breakpoints: [], phases: ['filter:all'] }) };
  const holder: { run?: Run } = {};
  holder.run = startRun(agent, session, {
    goal,
    rules,
    onStopped: (stop) =>
      queueMicrotask(() => {
        if (!holder.run) return;
        atStop(holder.run, stop);
        holder.run.gate.resume('continue');
      }),
  });
  await holder.run.done;
}

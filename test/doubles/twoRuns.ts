/** A session of two runs, shown at each stop of the second, and ops to be said of it. */
import assert from 'node:assert/strict';
import type { JournalState } from '../../src/core/journalState.ts';
import type { Op } from '../../src/core/ops.ts';
import { calls, createScriptedModel, says } from './scriptedModel.ts';
import type { Session } from '../../src/session/session.ts';
import { stepThrough, type Visit } from './stepThrough.ts';
import { createTestAgent, createTestSession, problemsOf } from './testAgent.ts';

/**
 * m1 system, m2 goal of run 1, m3 its answer; run 2: m4 goal, round 1 with calls 2.1.1 and 2.1.2 of one tool
 * (m5, results m6 and m7), round 2 with the answer m8.
 */
const steps = [
  says('Hello.'),
  calls(
    [
      { name: 'calculator', arguments: { expression: '1+1' }, id: 'call_a' },
      { name: 'calculator', arguments: { expression: '2+2' }, id: 'call_b' },
    ],
    'I calculate.',
  ),
  says('2 and 4.'),
];

/** Shows every stop of the second run, by name: `1 plan`, `1 act 2.1.2`, `2 end`, … */
export async function atEachStop(
  visit: (name: string, state: JournalState, run: Parameters<Visit>[1], session: Session) => void,
) {
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel(steps), {
    todos: [{ content: 'reply to mail' }],
  });
  await stepThrough(agent, session, 'Hello?', () => undefined);
  const outcome = await stepThrough(agent, session, 'Add 1 and 1, then 2 and 2.', ({ kind, key }, run) => {
    const round = session.state.runs.at(-1)?.rounds.length ?? 0;
    visit([round, kind, key].filter((one) => one !== undefined).join(' '), session.state, run, session);
  });
  assert.equal(outcome, 'done');
  assert.deepEqual(problemsOf(session), []);
  return session;
}

export const stopNames = [
  '1 plan',
  '1 reply',
  '1 act 2.1.1',
  '1 act 2.1.2',
  '1 observe',
  '2 plan',
  '2 reply',
  '2 observe',
  '2 end',
];

export const set = (target: string, scope: Extract<Op, { kind: 'set' }>['scope'], value: unknown): Op => ({
  kind: 'set',
  target,
  scope,
  value,
});

export const call = (id: string, expression: string, name = 'calculator') => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify({ expression }) },
});
export const reply = (...tool_calls: readonly unknown[]) => ({
  role: 'assistant',
  content: 'I calculate.',
  tool_calls,
});
export const say = (role: string) => ({ role, content: 'x' });
export const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });
export const insert = (scope: 'history' | 'request' | 'pending', value: unknown, behind?: string): Op => ({
  kind: 'insert',
  target: 'messages',
  scope,
  value,
  ...(behind === undefined ? {} : { behind }),
});
export const addCall = (id: string, value: unknown): Op => ({
  kind: 'insert',
  target: `${id}/tool_calls`,
  scope: 'pending',
  value,
});
export const remove = (
  target: string,
  scope: Extract<Op, { kind: 'remove' }>['scope'],
  ...also: string[]
): Op => ({
  kind: 'remove',
  target,
  scope,
  ...(also.length === 0 ? {} : { also }),
});
export const [a, b] = [call('call_a', '1+1'), call('call_b', '2+2')];

import assert from 'node:assert/strict';
import type { JournalEvent } from '../../src/core/events.ts';
import type { Op } from '../../src/core/ops.ts';
import type { Run } from '../../src/runner/run.ts';
import { calls, createScriptedModel, says } from './scriptedModel.ts';
import { stepThrough } from './stepThrough.ts';
import { createTestAgent, createTestSession } from './testAgent.ts';

/** A run in which the model is asked again, after edits, and messages come and go by hand. */
export async function writeEditedJournal(): Promise<JournalEvent[]> {
  const session = createTestSession();
  const model = createScriptedModel([
    calls([{ name: 'calculator', arguments: { expression: '1+1' }, id: 'call_a' }], 'First.'),
    calls([{ name: 'calculator', arguments: { expression: '2+2' }, id: 'call_b' }], 'Second.'),
    says('Four.'),
  ]);
  const take = (run: Run, op: Op) => assert.ok(run.apply(op).ok, JSON.stringify(op));
  let asked = 0;
  await stepThrough(await createTestAgent(model), session, 'Add.', ({ kind }, run) => {
    const round = session.state.runs[0]?.rounds.length;
    if (kind === 'plan' && asked === 0) {
      const value = { role: 'user', content: 'Only now.' };
      take(run, { kind: 'insert', target: 'messages', scope: 'request', value, behind: 'm2' });
    }
    if (kind === 'reply' && asked++ === 0) take(run, { kind: 'askAgain' });
    if (kind === 'plan' && round === 2) {
      const [head = '', result = ''] = session.state.history.slice(-2);
      const value = [
        { role: 'user', content: 'And?' },
        { role: 'assistant', content: 'Well.' },
      ];
      take(run, { kind: 'insert', target: 'messages', scope: 'history', value, behind: result });
      take(run, { kind: 'remove', target: `${head}/tool_calls/0`, scope: 'history', also: [result] });
    }
  });
  return [...session.journal.events];
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScopeValues, type Place } from '../../../src/debug/expressionScope.ts';
import { createSandbox } from '../../../src/debug/sandbox.ts';
import { startRun } from '../../../src/runner/run.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession } from '../../doubles/testAgent.ts';

/** A sandbox that counts what is brought into it, in characters. */
function counting() {
  let brought = 0;
  const sandbox = createSandbox<Place>(() => {
    const values = createScopeValues();
    return {
      ...values,
      bring(name) {
        const text = values.bring(name);
        brought += text.length;
        return text;
      },
    };
  });
  return {
    sandbox,
    take: () => {
      const now = brought;
      brought = 0;
      return now;
    },
  };
}

async function runRounds(rounds: number, onCheckpoint: (place: Place) => Promise<void>): Promise<void> {
  const steps = Array.from({ length: rounds - 1 }, (_, n) =>
    calls([{ name: 'calculator', arguments: { expression: `${n}+1` }, id: `c${n}` }]),
  );
  const agent = await createTestAgent(createScriptedModel([...steps, says('done')]), {
    max_iters: rounds,
    context: { max_tokens: 1_000_000, policy: 'none' },
  });
  const session = createTestSession();
  const hits = async (at: Place['at']) => {
    await onCheckpoint({ state: session.state, at });
    return { faults: [], breakpoints: [], phases: [] };
  };
  // A run that is debugged stops at its end, and waits there.
  const run = startRun(agent, session, {
    goal: 'Add.',
    rules: { hits },
    onStopped: () => setImmediate(() => run.gate.resume('continue')),
  });
  await run.done;
}

test('what a condition brings in at a checkpoint does not grow with the rounds', async () => {
  const { sandbox, take } = counting();
  const perRound: number[] = [];
  let bad = '';
  await runRounds(120, async (place) => {
    const { ok, ...result } = await sandbox.evaluate(
      'messages.length >= packed.length && fresh.messages.every((m) => m.id) && request.model && session && !usage?.x && "yes"',
      place,
    );
    if (!ok || !('value' in result) || result.value.text !== '"yes"') bad ||= JSON.stringify(result);
    if (place.at.kind === 'plan') perRound.push(take());
  });
  assert.equal(bad, '');
  assert.equal(perRound.length, 120);
  const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);
  const [first, last] = [sum(perRound.slice(5, 25)), sum(perRound.slice(-20))];
  assert.ok(last < first * 1.15, `20 rounds brought in ${first} characters at first, ${last} at last`);
});

test('an expression sees what the journal holds, at every checkpoint', async () => {
  const { sandbox } = counting();
  let checked = 0;
  await runRounds(12, async (place) => {
    const { state } = place;
    const result = await sandbox.evaluate(
      'messages.map((m) => m.id + JSON.stringify(m).length).join()',
      place,
    );
    const expected = state.history.map((id) => {
      const text = state.parts.get(state.messages.get(id)?.versions.at(-1)?.part ?? '') ?? '';
      return id + JSON.stringify({ ...(JSON.parse(text) as object), id }).length;
    });
    assert.equal(result.ok && result.value.text, JSON.stringify(expected.join()));
    checked++;
  });
  assert.ok(checked > 40);
});

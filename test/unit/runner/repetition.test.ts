import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { contentText } from '../../../src/core/messages.ts';
import { parseMessage } from '../../../src/core/parseMessage.ts';
import { signatureOf } from '../../../src/runner/callEntries.ts';
import { type CallEntry, repetitionIn } from '../../../src/runner/repetition.ts';
import { startRun } from '../../../src/runner/run.ts';
import type { Session } from '../../../src/session/session.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import type { Tool } from '../../../src/toolbox/tool.ts';
import {
  calls,
  createScriptedModel,
  type ModelStep,
  type ScriptedCall,
  says,
} from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

/** One call a round; `!` marks one that changed something. */
const entries = (words: string): CallEntry[] =>
  words.split(' ').map((word, index) => {
    const [name = '', result = ''] = word.split('=');
    const changes = name.endsWith('!');
    return {
      key: `1.${index + 1}.1`,
      seq: index,
      round: index + 1,
      name,
      signature: name,
      fingerprint: result,
      changes,
    };
  });
const countOf = (words: string) => repetitionIn(entries(words)).count;
const blockOf = (words: string) =>
  repetitionIn(entries(words))
    .block.map(({ name }) => name)
    .join(' ');

test('C23 periods 1 to 5 count by period; 6 does not', () => {
  for (const [period, block] of ['a', 'a b', 'a b c', 'a b c d', 'a b c d e'].entries()) {
    const words = Array<string>(4).fill(block).join(' ');
    assert.equal(countOf(words), 4, block);
    assert.equal(repetitionIn(entries(words)).block.length, period + 1, block);
    assert.equal(repetitionIn(entries(words)).calls.length, 3 * (period + 1) + 1, block);
  }
  assert.equal(countOf(Array<string>(4).fill('a b c d e f').join(' ')), 1);
  assert.equal(countOf(''), 1);
  assert.equal(repetitionIn([]).count, 0);
});

test('C23 other calls in between do not reset the count; the block is then the call alone', () => {
  assert.equal(countOf('a x a y a z a'), 4);
  assert.equal(blockOf('a x a y a z a'), 'a');
  assert.equal(countOf('a a x a a'), 4);
  assert.equal(blockOf('a b a b a b a b'), 'a b'.split(' ').toReversed().join(' '));
});

test('C23 a result that changes, or arguments that differ, are no repetition', () => {
  assert.equal(countOf('poll=1 poll=2 poll=3 poll=4 poll=5'), 1);
  assert.equal(countOf('try1=no try2=no try3=no try4=no'), 1);
});

test('C23 progress resets the count: the same check after different changes is no circle', () => {
  assert.equal(countOf('check edit1! check edit2! check edit3! check edit4! check'), 1);
  // A change that is made again and again is part of the circle.
  assert.equal(countOf('read write! read write! read write! read write!'), 4);
  assert.equal(countOf('read w1! w2! read w1! w2! read w1! w2! read w1! w2!'), 4);
});

test('C23 equal calls in one reply count once: the model has not seen an answer between them', () => {
  const inOne = entries('a a a a a').map((entry) => ({ ...entry, round: 1 }));
  assert.equal(repetitionIn(inOne).count, 1);
});

test('signatures: key order, blanks and cosmetic fields make no difference; values do', () => {
  const sign = (text: string, cosmetic?: string[]) => signatureOf({ name: 't', arguments: text }, cosmetic);
  assert.equal(sign('{"a":1,"b":{"c":2,"d":3}}'), sign(' {"b":{"d":3,"c":2},"a":1.0} '));
  assert.equal(sign(''), sign('{}'));
  assert.equal(sign('{"a":1,"label":"x"}', ['label']), sign('{"label":"y","a":1}', ['label']));
  assert.notEqual(sign('{"a":1,"label":"x"}'), sign('{"label":"y","a":1}'));
  assert.notEqual(sign('{"a":[1,2]}'), sign('{"a":[2,1]}'));
  assert.notEqual(sign('{"a":"1"}'), sign('{"a":1}'));
  assert.notEqual(sign('{"a":{"b":1}}'), sign('{"a":[["b",1]]}'));
  assert.notEqual(sign('{broken'), sign('{broken2'));
  const deep = (n: number) => `{"a":${'['.repeat(n)}${']'.repeat(n)}}`;
  assert.notEqual(sign(deep(20_000)), sign(deep(20_001)));
});

// ——— in the loop ———

function tool(name: string, run: () => unknown, effects: 'none' | 'workspace' = 'none'): Tool {
  const input = z.looseObject({ label: z.string().optional() });
  return defineTool({ name, description: name, effects, cosmetic: ['label'], input, run });
}

async function runCalls(rounds: readonly (readonly ScriptedCall[])[], tools: readonly Tool[], settings = {}) {
  const steps: ModelStep[] = rounds.map((list) => calls(list));
  const model = createScriptedModel([...steps, says('done')]);
  const session = createTestSession();
  const agent = await createTestAgent(model, { max_iters: 100, ...settings }, tools);
  const outcome = await startRun(agent, session, { goal: 'go' }).done;
  assert.deepEqual(problemsOf(session), []);
  return { outcome, session, model, why: session.state.runs[0]?.ended?.limit };
}

const results = (session: Session) =>
  session.state.history.flatMap((id) => {
    const { versions, role } = session.state.messages.get(id)!;
    const message = parseMessage(session.state.parts.get(versions[0]!.part) ?? '');
    return role === 'tool' && message ? [contentText(message)] : [];
  });
const repeats = (session: Session) =>
  session.journal.events.filter((event) => event.type === 'anomaly' && event.code === 'repeated-call');

test('C23 the same call with keys in another order and another label: told at 3, ended by name at 4', async () => {
  const rounds = Array.from({ length: 9 }, (_, n) => [
    { name: 'look', arguments: n % 2 === 0 ? { a: 1, b: 2, label: `try ${n}` } : { label: 'x', b: 2, a: 1 } },
  ]);
  const { outcome, why, session, model } = await runCalls(rounds, [tool('look', () => 'the same')]);
  assert.equal(outcome, 'limit');
  assert.equal(model.bodies.length, 4);
  assert.equal(
    why,
    'repeated calls: look: made 4 times with the same result (calls 1.1.1, 1.2.1, 1.3.1, 1.4.1)',
  );
  assert.deepEqual(results(session).slice(0, 2), Array(2).fill('{"success":true,"data":"the same"}'));
  assert.match(
    results(session)[2] ?? '',
    /"data":"the same","note":"You have made this same call 3 times .*"\}$/,
  );
  const [anomaly] = repeats(session);
  assert.ok(anomaly?.type === 'anomaly');
  const about = anomaly.about.map((seq) => session.journal.events[seq]);
  assert.deepEqual(
    about.map((event) => (event?.type === 'call.finished' ? event.key : event?.type)),
    ['1.1.1', '1.2.1', '1.3.1', '1.4.1'],
  );
});

test('C23 a result that differs by what a clock wrote is the same; one that gets on is not', async () => {
  const rounds = Array.from({ length: 8 }, () => [{ name: 'look' }]);
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 10, n, n)).toISOString();
  const saying = async (say: (n: number) => unknown) => {
    let n = 0;
    return (await runCalls(rounds, [tool('look', () => say(++n))])).model.bodies.length;
  };
  for (const say of [
    (n: number) => ({ at: at(n), status: 'failed' }),
    (n: number) => `[${at(n).replace('T', ' ').slice(0, 19)}] 3 failed`,
    (n: number) => `10:0${n}:59 3 failed in ${n}.25 s (setup ${n} ms)`,
    (n: number) => ({ now: Date.UTC(2026, 0, 1) + n, failed: 3 }),
  ])
    assert.equal(await saying(say), 4, JSON.stringify(say(1)));
  for (const say of [
    (n: number) => ({ at: at(n), done: `${n} of 20` }),
    (n: number) => `${at(n)} ${n * 10} %`,
    (n: number) => ({ elapsed: `${n} s`, status: 'running' }),
    (n: number) => ({ offset: 1_500_000_000 + n }),
    (n: number) => `version 1.${n}`,
  ])
    assert.equal(await saying(say), 9, JSON.stringify(say(1)));
});

test('C23 read and write in turn, each changing nothing new, end in one named stop', async () => {
  const rounds = Array.from({ length: 12 }, (_, n) => [{ name: n % 2 === 0 ? 'read' : 'write' }]);
  const tools = [tool('read', () => 'r'), tool('write', () => 'w', 'workspace')];
  const { outcome, why, session } = await runCalls(rounds, tools);
  assert.equal(outcome, 'limit');
  assert.match(why ?? '', /^repeated calls: (read → write|write → read): made 4 times/);
  assert.equal(repeats(session).length, 1);
  assert.ok((session.state.runs[0]?.rounds.length ?? 0) <= 8);
});

test('C23 a failure that repeats counts too; results that were capped are compared whole', async () => {
  const failing = tool('fail', () => {
    throw new Error('no');
  });
  const same = await runCalls(Array(9).fill([{ name: 'fail' }]), [failing]);
  assert.equal(same.model.bodies.length, 4);
  let n = 0;
  const long = tool('long', () => `${'x'.repeat(3000)}${n++}${'x'.repeat(3000)}`);
  const changing = await runCalls(Array(9).fill([{ name: 'long' }]), [long]);
  assert.equal(changing.outcome, 'done');
  const fixed = await runCalls(Array(9).fill([{ name: 'long2' }]), [tool('long2', () => 'y'.repeat(9000))]);
  assert.equal(fixed.model.bodies.length, 4);
});

test('C23 20 polls whose results change, and 20 retries that differ, run to their end', async () => {
  let n = 0;
  const polls = await runCalls(Array(20).fill([{ name: 'poll' }]), [tool('poll', () => n++)]);
  assert.equal(polls.outcome, 'done');
  const retries = Array.from({ length: 20 }, (_, i) => [{ name: 'try', arguments: { attempt: i } }]);
  const retried = await runCalls(retries, [tool('try', () => 'failed again')]);
  assert.equal(retried.outcome, 'done');
  assert.deepEqual([...repeats(polls.session), ...repeats(retried.session)], []);
});

test('C23 under a debugger the run is not ended: it pauses at 4, and again 4 calls later', async () => {
  const model = createScriptedModel([...Array<ModelStep>(11).fill(calls([{ name: 'look' }])), says('done')]);
  const session = createTestSession();
  const agent = await createTestAgent(model, { max_iters: 100 }, [tool('look', () => 1)]);
  const rules = { hits: async () => ({ faults: [], breakpoints: [], phases: [] }) };
  const run = startRun(agent, session, {
    goal: 'go',
    rules,
    onStopped: () => void queueMicrotask(() => run.gate.resume('continue')),
  });
  assert.equal(await run.done, 'done');
  const keys = repeats(session).map((event) => (event.type === 'anomaly' ? event.detail : '').slice(-7));
  assert.deepEqual(keys, [' 1.4.1)', ' 1.8.1)']);
});

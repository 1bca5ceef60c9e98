/** DESIGN §3: calls without effects may run side by side where no debugger steps through them; the results keep their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { JournalEvent } from '../../../src/core/events.ts';
import type { Effects, WireMessage } from '../../../src/core/messages.ts';
import { startRun, type RunHooks } from '../../../src/runner/run.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import type { Tool } from '../../../src/toolbox/tool.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

interface Gate {
  readonly name: string;
  readonly open: () => void;
  readonly fail: (error: Error) => void;
}

/** A tool whose calls end when the test says so, and what is told of them as it happens. */
function stage() {
  const gates: Gate[] = [];
  let running = 0;
  let most = 0;
  let onStart: () => void = () => undefined;
  const tool = (name: string, effects: Effects = 'none', timeout?: number): Tool =>
    defineTool({
      name,
      description: 'Waits.',
      effects,
      input: z.object({ label: z.string() }),
      ...(timeout === undefined ? {} : { timeout }),
      run: ({ label }, { signal }) =>
        new Promise((resolve, reject) => {
          most = Math.max(most, ++running);
          const end = (settle: () => void) => () => {
            running--;
            settle();
          };
          gates.push({
            name: label,
            open: end(() => resolve(`${label} is done`)),
            fail: (error) => end(() => reject(error))(),
          });
          signal.addEventListener(
            'abort',
            end(() => reject(new Error('told to stop'))),
          );
          onStart();
        }),
    });
  return {
    tool,
    gates,
    get most() {
      return most;
    },
    /** Resolves when so many calls run, or have run. */
    started: (count: number) =>
      new Promise<void>((resolve) => {
        onStart = () => gates.length >= count && resolve();
        onStart();
      }),
  };
}

interface Wish {
  readonly tool: string;
  readonly label: string;
  readonly arguments?: string;
}

async function start(tools: readonly Tool[], wishes: readonly Wish[], hooks: RunHooks = {}) {
  const list = wishes.map(({ tool, label, arguments: given }, index) => ({
    name: tool,
    arguments: given ?? { label },
    id: `call_${index + 1}`,
  }));
  const model = createScriptedModel([calls(list), says('The answer.')]);
  const session = createTestSession();
  const run = startRun(await createTestAgent(model, {}, tools), session, { goal: 'go', ...hooks });
  const happened = () =>
    session.journal.events.flatMap((event: JournalEvent) =>
      event.type === 'call.started' || event.type === 'call.finished'
        ? [`${event.type.slice(5)} ${event.key}`]
        : event.type === 'checkpoint' && (event.kind === 'act' || event.kind === 'observe')
          ? [`${event.kind} ${event.key ?? ''}`.trim()]
          : [],
    );
  return {
    run,
    session,
    happened,
    ended: async () => {
      const outcome = await run.done;
      assert.deepEqual(problemsOf(session), []);
      const { messages } = JSON.parse(model.bodies[1] ?? '{"messages":[]}') as { messages: WireMessage[] };
      return {
        outcome,
        results: messages
          .filter(({ role }) => role === 'tool')
          .map(
            ({ tool_call_id, content }) => `${tool_call_id} ${typeof content === 'string' ? content : ''}`,
          ),
      };
    },
  };
}

const three = ['a', 'b', 'c'].map((label) => ({ tool: 'look', label }));

test('C22: three calls without effects run side by side; what is recorded keeps the order of the calls', async () => {
  const { tool, gates, started } = stage();
  const { happened, ended } = await start([tool('look')], three);
  await started(3);
  for (const { open } of gates.toReversed()) open();
  const { outcome, results } = await ended();
  assert.equal(outcome, 'done');
  assert.deepEqual(
    results,
    ['a', 'b', 'c'].map((label, index) => `call_${index + 1} {"success":true,"data":"${label} is done"}`),
  );
  assert.deepEqual(happened().slice(0, 10), [
    ...['act 1.1.1', 'started 1.1.1', 'act 1.1.2', 'started 1.1.2', 'act 1.1.3', 'started 1.1.3'],
    ...['finished 1.1.1', 'finished 1.1.2', 'finished 1.1.3', 'observe'],
  ]);
});

for (const ending of [
  [0, 1, 2],
  [1, 0, 2],
  [2, 1, 0],
  [0, 2, 1],
]) {
  test(`C22: the journal is the same whichever ends first (${ending.join(' ')})`, async () => {
    const { tool, gates, started } = stage();
    const { session, ended } = await start([tool('look')], three);
    await started(3);
    for (const index of ending) {
      gates[index]?.open();
      await new Promise(setImmediate);
    }
    await ended();
    const messages = session.journal.events.flatMap((event) =>
      event.type === 'call.finished' ? [`${event.key} ${event.message}`] : [],
    );
    assert.deepEqual(messages, ['1.1.1 m4', '1.1.2 m5', '1.1.3 m6']);
  });
}

test('C22: one that fails, one that is wrong and one that nobody knows leave the others their results', async () => {
  const { tool, gates, started } = stage();
  const { ended } = await start(
    [tool('look')],
    [
      { tool: 'look', label: 'a' },
      { tool: 'look', label: '', arguments: '{"label":' },
      { tool: 'look', label: 'c' },
      { tool: 'nobody', label: 'd' },
      { tool: 'look', label: 'e' },
    ],
  );
  await started(3);
  gates[2]?.open();
  gates[1]?.fail(new Error('broken'));
  gates[0]?.open();
  const { outcome, results } = await ended();
  assert.equal(outcome, 'done');
  assert.deepEqual(
    results.map((result) =>
      /^call_\d|a is done|e is done|broken|are wrong|There is no tool/g[Symbol.match](result),
    ),
    [
      ['call_1', 'a is done'],
      ['call_2', 'are wrong'],
      ['call_3', 'broken'],
      ['call_4', 'There is no tool'],
      ['call_5', 'e is done'],
    ],
  );
});

test('C21: an abort tells all that run, starts no further one, and every call has its result', async () => {
  const { tool, gates, started } = stage();
  const { run, session, ended } = await start(
    [tool('look')],
    Array.from({ length: 12 }, (_, index) => ({ tool: 'look', label: `${index}` })),
  );
  await started(2);
  run.cancel();
  const { outcome } = await ended();
  assert.equal(outcome, 'cancelled');
  const finished = session.journal.events.filter((event) => event.type === 'call.finished');
  assert.deepEqual(
    finished.map((event) => event.type === 'call.finished' && event.key),
    Array.from({ length: 12 }, (_, index) => `1.1.${index + 1}`),
  );
  assert.ok(finished.every((event) => event.type === 'call.finished' && event.outcome === 'cancelled'));
  const begun = session.journal.events.filter(({ type }) => type === 'call.started').length;
  assert.equal(gates.length, begun);
});

test('each has its own time: one that hangs is given up, the others are not', async () => {
  const { tool, gates, started } = stage();
  const { ended } = await start(
    [tool('look'), tool('hang', 'none', 0.02)],
    [
      { tool: 'hang', label: 'a' },
      { tool: 'look', label: 'b' },
    ],
  );
  await started(2);
  gates[1]?.open();
  const { results } = await ended();
  assert.match(results[0] ?? '', /call_1 .*timed out after 0.02 s/);
  assert.match(results[1] ?? '', /call_2 .*b is done/);
});

test('a late return is told of behind the record of its call, also where that still waits for an earlier one', async () => {
  const { tool, gates, started } = stage();
  let hasReturned: () => void = () => undefined;
  const returned = new Promise<void>((resolve) => (hasReturned = resolve));
  const deaf = defineTool({
    name: 'deaf',
    description: 'Does not listen.',
    effects: 'none',
    timeout: 0.005,
    input: z.object({ label: z.string() }),
    run: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          setImmediate(() => {
            resolve('too late');
            setImmediate(hasReturned);
          }),
        );
      }),
  });
  const { session, ended } = await start(
    [tool('look'), deaf],
    [
      { tool: 'look', label: 'a' },
      { tool: 'deaf', label: 'b' },
    ],
  );
  await started(1);
  await returned;
  gates[0]?.open();
  await ended();
  const events = session.journal.events;
  const anomaly = events.find((event) => event.type === 'anomaly' && event.code === 'late-result');
  assert.ok(anomaly?.type === 'anomaly');
  assert.match(anomaly.detail, /ignored that its time was up/);
  const about = events[anomaly.about[0] ?? -1];
  assert.ok(about?.type === 'call.finished' && about.key === '1.1.2' && about.outcome === 'timeout');
});

test('not more than a few at once, whatever a model asks for', async () => {
  const scene = stage();
  const wishes = Array.from({ length: 30 }, (_, index) => ({ tool: 'look', label: `${index}` }));
  const { ended } = await start([scene.tool('look')], wishes);
  await scene.started(8);
  // The first holds its place to the end, and nobody else up.
  for (let next = 1; next < wishes.length; next++) {
    await scene.started(Math.min(next + 7, wishes.length));
    scene.gates[next]?.open();
  }
  scene.gates[0]?.open();
  const { results } = await ended();
  assert.equal(results.length, 30);
  assert.equal(scene.most, 8);
});

const inOrder: Readonly<Record<string, readonly [readonly Wish[], RunHooks]>> = {
  'one of them has effects': [[...three, { tool: 'change', label: 'd' }], {}],
  'a page of an earlier result is asked for': [
    [...three, { tool: 'read_result', label: '', arguments: '{"call":"1.1.1"}' }],
    {},
  ],
  'a debugger steps through them': [
    three,
    { rules: { hits: async () => ({ faults: [], breakpoints: [], phases: [] }) } },
  ],
};
for (const [why, [wishes, hooks]] of Object.entries(inOrder)) {
  test(`one after the other where ${why}`, async () => {
    const { tool, gates, started } = stage();
    const { run, happened, ended } = await start([tool('look'), tool('change', 'session')], wishes, {
      ...hooks,
      ...(hooks.rules ? { onStopped: () => void setImmediate(() => run.gate.resume('continue')) } : {}),
    });
    const waits = wishes.filter(({ tool: name }) => name !== 'read_result').length;
    for (let index = 0; index < waits; index++) {
      await started(index + 1);
      assert.equal(gates.length, index + 1);
      gates[index]?.open();
    }
    const { results } = await ended();
    assert.equal(results.length, wishes.length);
    const keys = wishes.flatMap((_, index) => [
      `act 1.1.${index + 1}`,
      `started 1.1.${index + 1}`,
      `finished 1.1.${index + 1}`,
    ]);
    assert.deepEqual(happened().slice(0, keys.length), keys);
  });
}

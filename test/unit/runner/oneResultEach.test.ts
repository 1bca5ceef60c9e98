/**
 * C21, C22: whatever calls do and wherever the run is cancelled, each call of a reply has exactly one result, its own, in
 * the order of the calls, and the next request is one that a strict server takes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import * as z from 'zod';
import { legal } from '../../../src/core/legal.ts';
import { callsOf, contentText, type WireMessage } from '../../../src/core/messages.ts';
import type { Op } from '../../../src/core/ops.ts';
import { type Run, startRun } from '../../../src/runner/run.ts';
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
import { eventsOf } from '../../doubles/serverRun.ts';
import { strictRefusal } from '../../doubles/strictApi.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const manners = [
  'returns',
  'throws',
  'rejects',
  'hangs',
  'returns late',
  'gives a bad promise',
  'is unknown',
  'has bad arguments',
] as const;
const verdicts = ['none', 'skip', 'mock', 'reject'] as const;

interface Wish {
  readonly manner: (typeof manners)[number];
  /** What the user decides at the stop before it, where there is one. */
  readonly verdict: (typeof verdicts)[number];
}

interface Scenario {
  readonly rounds: readonly (readonly Wish[])[];
  readonly isDebugged: boolean;
  /** The tools have effects: their calls run one after the other also without a debugger. */
  readonly hasEffects: boolean;
  /** The run is cancelled so many microtasks after the event of this number; never where it does not come. */
  readonly abort: { readonly seq: number; readonly ticks: number };
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  rounds: fc.array(
    fc.array(fc.record({ manner: fc.constantFrom(...manners), verdict: fc.constantFrom(...verdicts) }), {
      minLength: 1,
      maxLength: 5,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  isDebugged: fc.boolean(),
  hasEffects: fc.boolean(),
  abort: fc.record({ seq: fc.integer({ min: 0, max: 60 }), ticks: fc.integer({ min: 0, max: 8 }) }),
});

/** Names a call in its arguments and in all that comes of it: `<2.1>`. */
const label = (round: number, position: number) => `<${round}.${position}>`;

function toolFor(manner: Wish['manner'], hasEffects: boolean): Tool {
  return defineTool({
    name: manner.replaceAll(' ', '_'),
    description: 'Does it.',
    effects: hasEffects ? 'outside' : 'none',
    input: z.object({ label: z.string() }),
    timeout: manner === 'hangs' || manner === 'returns late' ? 0.001 : 100,
    run({ label: own }, { signal }) {
      const failure = new Error(`${own} failed`);
      switch (manner) {
        case 'throws':
          throw failure;
        case 'rejects':
          return Promise.reject(failure);
        case 'hangs':
          return new Promise(() => undefined);
        case 'returns late':
          return new Promise((resolve) => signal.addEventListener('abort', () => setImmediate(resolve, own)));
        case 'gives a bad promise':
          return {
            get then(): unknown {
              throw failure;
            },
          };
        default:
          return own;
      }
    },
  });
}

function callFor({ manner }: Wish, own: string): ScriptedCall {
  const name = manner.replaceAll(' ', '_');
  if (manner === 'is unknown')
    return { name: `unknown_${own.replace(/\W/g, '_')}`, arguments: { label: own }, id: own };
  return { name, arguments: manner === 'has bad arguments' ? `{"label":"${own}` : { label: own }, id: own };
}

function opFor({ verdict }: Wish, key: string, own: string): Op | undefined {
  switch (verdict) {
    case 'none':
      return undefined;
    case 'skip':
      return { kind: 'skip', target: key };
    case 'mock':
      return { kind: 'mock', target: key, data: own };
    case 'reject':
      return { kind: 'reject', target: key, reason: own };
  }
}

async function play({ rounds, isDebugged, hasEffects, abort }: Scenario) {
  const wished = rounds.map((wishes, round) =>
    wishes.map((wish, index) => ({ wish, own: label(round + 1, index + 1) })),
  );
  const steps: ModelStep[] = wished.map((wishes) => calls(wishes.map(({ wish, own }) => callFor(wish, own))));
  const model = createScriptedModel([...steps, says('done'), says('again')]);
  const tools = manners
    .filter((manner) => manner !== 'is unknown')
    .map((manner) => toolFor(manner, hasEffects));
  const agent = await createTestAgent(model, {}, tools);
  const session = createTestSession();
  const holder: { run?: Run } = {};
  session.journal.onEvent(({ seq }) => {
    if (seq === abort.seq) void afterTicks(abort.ticks).then(() => holder.run?.cancel());
  });
  const decide = (key: string | undefined) => {
    const [, round = 0, position = 0] = (key ?? '').split('.').map(Number);
    const call = wished[round - 1]?.[position - 1];
    const op = call && key !== undefined ? opFor(call.wish, key, call.own) : undefined;
    if (op) holder.run?.apply(op);
  };
  const run = startRun(agent, session, {
    goal: 'go',
    ...(isDebugged
      ? {
          rules: {
            hits: async ({ kind }) => ({
              faults: [],
              breakpoints: kind === 'act' ? ['each call'] : [],
              phases: [],
            }),
          },
          onStopped: ({ key }) =>
            queueMicrotask(() => {
              decide(key);
              holder.run?.gate.resume('continue');
            }),
        }
      : {}),
  });
  holder.run = run;
  await run.done;
  // What was not asked for of the first run is not asked for in the second.
  const next = await createTestAgent(createScriptedModel([says('again')]), {}, tools);
  const bodies: string[] = [];
  const send: typeof next.model.send = async (body, options) => {
    bodies.push(body.text);
    return next.model.send(body, options);
  };
  assert.equal(
    await startRun({ ...next, model: { ...next.model, send } }, session, { goal: 'again' }).done,
    'done',
  );
  return { session, bodies: [...model.bodies, ...bodies] };
}

async function afterTicks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
}

/** Each block of calls is followed by its results: as many, in its order, and each its own. */
function checkHistory(messages: readonly WireMessage[]): void {
  const rest = [...messages];
  for (let message = rest.shift(); message; message = rest.shift()) {
    assert.notEqual(message.role, 'tool', 'a result that answers no call');
    for (const { id } of callsOf(message)) {
      const result = rest.shift();
      assert.deepEqual([result?.role, result?.tool_call_id], ['tool', id]);
      const others = (contentText(result!).match(/<\d\.\d>/g) ?? []).filter((one) => one !== id);
      assert.deepEqual(others, [], `the result of ${id} is that of another call`);
    }
  }
}

const silent = /skipped by the user|cancelled|timed out/;

function checkEvents(session: Session): void {
  const rounds = session.state.runs[0]?.rounds ?? [];
  const finished = eventsOf(session, 'call.finished');
  const keys = rounds.flatMap((round) => round.calls.map(({ key }) => key));
  assert.deepEqual(
    finished.map(({ key }) => key),
    keys,
    'each call ends once, in the order of the calls',
  );
  const started = eventsOf(session, 'call.started').map(({ key }) => key);
  assert.equal(new Set(started).size, started.length, 'a call was started twice');
  for (const { key, part, outcome } of finished) {
    const content = session.state.parts.get(part) ?? '';
    const [, round = 0, position = 0] = key.split('.').map(Number);
    const own = label(round, position);
    assert.equal((JSON.parse(content) as WireMessage).tool_call_id, own);
    const isNamed = content.includes(own) || content.includes(own.replace(/\W/g, '_'));
    assert.ok(isNamed || silent.test(content), `${key} ${outcome}: ${content}`);
    if (['skipped', 'mocked', 'rejected', 'unknown', 'invalid'].includes(outcome))
      assert.ok(!started.includes(key), `${key} ran and was ${outcome}`);
  }
}

test('exactly one result for each call, its own, in the order of the calls, wherever the run is cancelled', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { session, bodies } = await play(given);
      const messages = bodies.map((body) => (JSON.parse(body) as { messages: WireMessage[] }).messages);
      for (const [index, list] of messages.entries()) {
        checkHistory(list);
        assert.deepEqual(legal(list), []);
        assert.deepEqual(strictRefusal(bodies[index]!), undefined);
      }
      checkEvents(session);
      // Replies that were acted on are in the history, with all of their calls.
      const acted = (session.state.runs[0]?.rounds ?? []).flatMap(({ calls: made }) => made);
      const told = messages.at(-1)?.filter(({ role }) => role === 'tool') ?? [];
      assert.equal(told.length, acted.length);
      assert.deepEqual(problemsOf(session), []);
    }),
    { numRuns: 300, seed: 20_250_101 },
  );
});

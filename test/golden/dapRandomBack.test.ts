/**
 * Random verbs, back verbs among them, over random runs with faults. What has to hold whatever is done: no call runs
 * twice, no deadlock, a legal history, answers before events, every state that is shown is a fold of the journal, and
 * every request's bytes rebuild. LOOPSCOPE_SEED=N runs one, N-M many.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { foldAll } from '../../src/core/fold.ts';
import { legal } from '../../src/core/legal.ts';
import type { WireMessage } from '../../src/core/messages.ts';
import type { ModelClient } from '../../src/core/ports.ts';
import type { Launched } from '../../src/debug/debuggee.ts';
import { scopesAt } from '../../src/debug/scopes.ts';
import { historyMessages } from '../../src/session/session.ts';
import { defineTool } from '../../src/toolbox/defineTool.ts';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { createRandom, pick, type Random, seedsOf } from '../doubles/random.ts';
import { calls, fails, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../doubles/testAgent.ts';

const verbs = [
  ...['continue', 'next', 'stepIn', 'stepIn', 'stepOut', 'loopscope/runToRound'],
  ...['stepBack', 'stepBack', 'stepBack', 'reverseContinue', 'edit', 'edit', 'op', 'op', 'op', 'breakpoints', 'chat'],
  'loopscope/askAgain',
];

/** Lets a few turns go by, so that a pause may be asked for while the model speaks or a tool works. */
async function turns(random: Random): Promise<void> {
  for (let left = Math.floor(random() * 3); left > 0; left--)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

function createRandomModel(random: Random): ModelClient {
  const call = (_: unknown, index: number) => ({
    name: pick(random, ['count', 'count', 'fail', 'nope']),
    arguments: pick<unknown>(random, [{}, {}, '{"broken"']),
    id: `call_${index}`,
  });
  return {
    url: 'random:',
    label: 'random model',
    async send(_body, { onText }) {
      await turns(random);
      onText('so ');
      await turns(random);
      const kind = random();
      if (kind < 0.7) return calls(Array.from({ length: 1 + Math.floor(random() * 3) }, call));
      return kind < 0.9 ? says('well') : pick(random, [fails('auth'), says('')]);
    },
  };
}

const counting = (random: Random) => [
  defineTool({
    name: 'count',
    description: 'Counts.',
    effects: 'none',
    input: z.object({}),
    run: () => turns(random).then(() => 1),
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    effects: 'none',
    input: z.object({}),
    run: () => Promise.reject(new Error('no')),
  }),
];

async function drive(seed: number): Promise<void> {
  const random = createRandom(seed);
  const model = createRandomModel(random);
  const agent = await createTestAgent(model, { max_iters: 4, max_history: 6, context: { policy: random() < 0.5 ? 'window' : 'drop-oldest' } }, counting(random));
  const session = createTestSession();
  /** How many events are looked at; undefined in the present. */
  let before: number | undefined;
  const launched: Launched = {
    agent,
    session,
    goal: 'Count.',
    agentSource: { name: 'test.agent.json', path: '/work/test.agent.json' },
    notices: [],
    onLookBack: (at) => void (before = at),
    close: () => undefined,
  };
  const client = createDapClient(agent, { launch: () => Promise.resolve(launched) });
  await client.start({ stopOnEntry: true });
  let isOver = false;
  const over = client.event('terminated').then(() => (isOver = true));
  for (let step = 0; step < 60; step++) {
    // No deadlock: each verb leads to a stop, or to the end.
    await Promise.race([client.event('stopped'), over]);
    if (isOver) break;
    await assertShown(client, session.journal.events, before, seed);
    const seq = session.journal.events.length;
    const isPast = before !== undefined;
    const moves = await act(client, pick(random, verbs), random, isPast);
    if (moves && random() < 0.3) await pauseSoon(client, random);
    if (isPast) assert.equal(session.journal.events.length, seq, `seed ${seed}: the past wrote into the journal`);
    if (!moves) await client.request('stepIn', { threadId: 1 });
  }
  await client.request('terminate');
  assertAnswersFirst(client.transcript);
  assert.deepEqual(problemsOf(session), [], 'every body rebuilds');
  const started = session.journal.events.flatMap((event) => (event.type === 'call.started' ? [event.key] : []));
  assert.equal(new Set(started).size, started.length, `seed ${seed}: a call ran twice`);
  const history = historyMessages(session.state).map(({ text }) => JSON.parse(text) as WireMessage);
  const rules = legal(history).map(({ rule }) => rule);
  assert.deepEqual(rules.filter((rule) => rule !== 'bad-arguments' && rule !== 'duplicate-id'), []);
}

/** A pause that finds it wherever it is by then: at the model, in a tool, held again, or gone. */
async function pauseSoon(client: DapClient, random: Random): Promise<void> {
  await turns(random);
  await client.request('pause', { threadId: 1 }).catch(() => undefined);
}

/** An edit of whatever there may be; most are refused for a good reason. */
function randomOp(client: DapClient, random: Random): object {
  const { history, runs } = client.session.state;
  const round = runs.at(-1)?.rounds.at(-1);
  const reply = round?.replies.at(-1)?.message ?? 'm3';
  const target = pick(random, [...history, reply]);
  const call = pick(random, [...(round?.calls.map(({ key }) => key) ?? []), '1.1.1']);
  const scope = pick(random, ['history', 'request', 'pending']);
  const message = { role: pick(random, ['user', 'assistant', 'system']), content: 'more' };
  return pick<() => object>(random, [
    () => ({ kind: pick(random, ['pin', 'unpin', 'drop', 'restore']), target }),
    () => ({ kind: 'remove', target, scope }),
    () => ({ kind: 'insert', target: 'messages', scope, value: message, behind: target }),
    () => ({ kind: 'insert', target: `${reply}/tool_calls`, scope: 'pending', value: { name: 'count', arguments: {} } }),
    () => ({ kind: 'remove', target: `${reply}/tool_calls/0`, scope: 'pending' }),
    () => ({ kind: 'set', target: `${reply}/tool_calls/0/function/arguments`, scope: 'pending', value: '{}' }),
    () => ({ kind: 'set', target: `${target}/content`, scope, value: 'changed' }),
    () => ({ kind: 'set', target: 'request/temperature', scope: 'request', value: random() * 3 }),
    () => ({ kind: 'mock', target: call, data: 7 }),
    () => ({ kind: 'skip', target: call }),
    () => ({ kind: 'reject', target: call, reason: 'no' }),
  ])();
}

/** Whether it moved anything. */
async function act(client: DapClient, verb: string, random: Random, isPast: boolean): Promise<boolean> {
  switch (verb) {
    case 'edit': {
      const edited = client.set('"changed"', 'Messages', 'm2', 'content');
      if (isPast) await assert.rejects(edited, /looking at the past/);
      else await edited.catch(() => undefined);
      return false;
    }
    case 'op': {
      const edited = client.request('loopscope/edit', { op: randomOp(client, random) });
      if (isPast) await assert.rejects(edited, /looking at the past/);
      else await edited.catch(() => undefined);
      return false;
    }
    case 'breakpoints': {
      const filters = ['plan', 'act', 'observe', 'reply', 'toolFailure', 'modelError'].filter(() => random() < 0.3);
      await client.request('setExceptionBreakpoints', { filters });
      await client.request('setFunctionBreakpoints', {
        breakpoints: random() < 0.5 ? [{ name: pick(random, ['count', 'f*']), hitCondition: pick(random, ['', '% 2']) }] : [],
      });
      const condition = pick(random, ['', 'round > 1', 'call.name', 'messages.length % 2']);
      await client.request('setBreakpoints', {
        source: { path: '/loop.ts' },
        breakpoints: random() < 0.5 ? [{ line: pick(random, [15, 17, 26]), condition, logMessage: pick(random, ['', '{round}']) }] : [],
      });
      await client.request('setDataBreakpoints', {
        breakpoints: random() < 0.5 ? [{ dataId: 'message/s-test/m3', accessType: 'readWrite' }] : [],
      });
      return false;
    }
    case 'chat': {
      const chat = client.request('evaluate', { expression: '> more', context: 'repl' });
      return chat.then(
        () => true,
        () => false,
      );
    }
    default:
      return client.request(verb, { threadId: 1, round: pick(random, [2, 3, 4]) }).then(
        () => true,
        () => false,
      );
  }
}

/** The names of what Variables shows are those of the fold of the events that are looked at. */
async function assertShown(
  client: DapClient,
  events: Parameters<typeof foldAll>[0],
  before: number | undefined,
  seed: number,
): Promise<void> {
  const state = foldAll(events, before);
  const { checkpoint } = state;
  assert.ok(checkpoint, `seed ${seed}: stopped at no checkpoint`);
  const { kind, key } = checkpoint;
  const [top = ''] = await client.stack();
  assert.match(top, new RegExp(`^${before === undefined ? '' : 'past · '}${kind}`));
  for (const scope of scopesAt(state, { kind, ...(key === undefined ? {} : { key }) })) {
    const rows = await client.rows(scope.name);
    assert.deepEqual(
      rows.map(({ value }) => value),
      (scope.children?.() ?? []).map(({ value }) => value),
      `seed ${seed}: ${scope.name} at ${before ?? 'the present'}`,
    );
  }
}

/** One answer per request, and no stop that a request leads to before its answer. */
function assertAnswersFirst(transcript: readonly string[]): void {
  let open = 0;
  for (const line of transcript) {
    if (line.startsWith('→')) open++;
    if (line.startsWith('←')) open--;
    if (/^! (stopped|continued|invalidated)/.test(line)) assert.equal(open, 0, `${line} before an answer`);
  }
  assert.equal(open, 0);
}

for (const seed of seedsOf(40)) test(`dap: random verbs, back and forward, seed ${seed}`, () => drive(seed));

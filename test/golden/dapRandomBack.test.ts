/**
 * Random verbs, back verbs among them, over random runs with faults. What has to hold whatever is done: no call runs
 * twice, no deadlock, a legal history, answers before events, every state that is shown is a fold of the journal, and
 * every request's bytes rebuild. LOOPSCOPE_SEED=N runs one.
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
import { createRandom, pick, type Random } from '../doubles/random.ts';
import { calls, fails, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../doubles/testAgent.ts';

const verbs = [
  ...['continue', 'next', 'stepIn', 'stepIn', 'stepOut', 'loopscope/runToRound'],
  ...['stepBack', 'stepBack', 'stepBack', 'reverseContinue', 'edit', 'breakpoints', 'chat'],
];

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
      onText('so ');
      await Promise.resolve();
      const kind = random();
      if (kind < 0.7) return calls(Array.from({ length: 1 + Math.floor(random() * 3) }, call));
      return kind < 0.9 ? says('well') : pick(random, [fails('auth'), says('')]);
    },
  };
}

const counting = [
  defineTool({
    name: 'count',
    description: 'Counts.',
    effects: 'none',
    input: z.object({}),
    run: () => Promise.resolve(1),
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
  const agent = await createTestAgent(model, { max_iters: 4 }, counting);
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

/** Whether it moved anything. */
async function act(client: DapClient, verb: string, random: Random, isPast: boolean): Promise<boolean> {
  switch (verb) {
    case 'edit': {
      const edited = client.set('"changed"', 'Messages', 'm2', 'content');
      if (isPast) await assert.rejects(edited, /looking at the past/);
      else await edited.catch(() => undefined);
      return false;
    }
    case 'breakpoints': {
      const filters = ['plan', 'act', 'observe', 'reply', 'toolFailure', 'modelError'].filter(() => random() < 0.3);
      await client.request('setExceptionBreakpoints', { filters });
      await client.request('setFunctionBreakpoints', {
        breakpoints: random() < 0.5 ? [{ name: pick(random, ['count', 'f*']) }] : [],
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

const named = process.env['LOOPSCOPE_SEED'];
const seeds = named === undefined ? Array.from({ length: 40 }, (_, index) => index + 1) : [Number(named)];
for (const seed of seeds) test(`dap: random verbs, back and forward, seed ${seed}`, () => drive(seed));

/**
 * Random requests in any order, some of them malformed: whatever a client does, each request has one answer,
 * one run goes on at a time, and what is left is a legal history in a proven journal. LOOPSCOPE_SEED=N runs one, N-M many.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legal } from '../../src/core/legal.ts';
import type { WireMessage } from '../../src/core/messages.ts';
import type { ModelClient, ModelOutcome } from '../../src/core/ports.ts';
import type { Launched } from '../../src/debug/debuggee.ts';
import { historyMessages, type Session } from '../../src/session/session.ts';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { createRandom, pick, type Random, seedsOf } from '../doubles/random.ts';
import { calls, fails, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../doubles/testAgent.ts';

/** Replies of every sort, some only when the request is given up. */
function createRandomModel(random: Random): ModelClient {
  const call = () => ({
    name: pick(random, ['calculator', 'list_todos', 'add_todo', 'nope']),
    arguments: pick<unknown>(random, [{ expression: '1+1' }, { content: 'x', minutes: 5 }, {}, '{"broken"']),
    id: pick(random, ['same', `call_${random()}`]),
  });
  const hang = (signal: { addEventListener: AbortSignal['addEventListener']; aborted: boolean }) =>
    new Promise<ModelOutcome>((resolve) => {
      const give = () => resolve(fails('cancelled'));
      if (signal.aborted) give();
      else signal.addEventListener('abort', give, { once: true });
    });
  return {
    url: 'random:',
    label: 'random model',
    async send(_body, { onText, signal }) {
      await tick();
      const kind = random();
      onText('so ');
      if (kind < 0.4) return calls(Array.from({ length: 1 + Math.floor(random() * 3) }, call));
      if (kind < 0.75) return says('well');
      if (kind < 0.85) return fails('auth');
      if (kind < 0.9) return says('');
      return hang(signal);
    },
  };
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Answered before anything else happens. */
const immediate = ['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'pause', 'configurationDone', 'threads'];

/** Arguments as a client sends them, by request; each draw is another. */
function argumentsOf(random: Random, client: DapClient): Readonly<Record<string, () => unknown>> {
  const reference = () => Math.floor(random() * 60);
  const thread = () => ({ threadId: 1 });
  const launch = () => ({
    noDebug: random() < 0.2,
    stopOnEntry: random() < 0.5,
    ...(random() < 0.2 ? { problem: 'The agent file is wrong.' } : {}),
  });
  const lines = () => [
    {
      line: Math.floor(random() * 40),
      condition: pick(random, ['round > 1', 'x..y', '']),
      logMessage: pick(random, ['{round}', '{x..y}', '']),
    },
  ];
  const values = ['"text"', '{"expression":"2+2"}', '{', '3', 'null', '"\\ud800"', '[]'];
  const names = ['content', 'arguments', 'result', 'temperature', 'm2', 'name', 'todos'];
  const expressions = ['round', '> go on', '>', 'messages[0].content = "x"', 'fresh', 'x..y', 'call.name'];
  const filters = ['plan', 'act', 'observe', 'reply', 'modelError', 'toolFailure', 'nonsense'];
  return {
    initialize: () => ({}),
    launch,
    restart: () => pick<object>(random, [{}, { arguments: launch() }]),
    configurationDone: () => ({}),
    continue: thread,
    next: thread,
    stepIn: thread,
    stepOut: thread,
    stepBack: thread,
    reverseContinue: thread,
    'loopscope/stepIn': () => ({}),
    'loopscope/runToRound': () => ({ round: pick<unknown>(random, [1, 2, 3, -1, 'x']) }),
    pause: thread,
    threads: () => ({}),
    stackTrace: thread,
    scopes: () => ({ frameId: 1 }),
    variables: () => ({ variablesReference: reference() }),
    setVariable: () => ({
      variablesReference: reference(),
      name: pick(random, names),
      value: pick(random, values),
    }),
    evaluate: () => ({ expression: pick(random, expressions), context: pick(random, ['repl', 'watch']) }),
    exceptionInfo: thread,
    setExceptionBreakpoints: () => ({ filters: filters.filter(() => random() < 0.3) }),
    setFunctionBreakpoints: () => ({
      breakpoints: [{ name: pick(random, ['add_*', 'nope', '[']), hitCondition: pick(random, ['% 2', 'often', '']) }],
    }),
    dataBreakpointInfo: () => ({ variablesReference: reference(), name: pick(random, names) }),
    setDataBreakpoints: () => ({
      breakpoints: [
        { dataId: pick(random, ['state/todos', 'message/s-1/m2', 'nonsense']), accessType: pick(random, ['write', 'readWrite']) },
      ],
    }),
    setBreakpoints: () => ({ source: { path: '/loop.ts' }, breakpoints: lines() }),
    breakpointLocations: () => ({ source: { path: '/loop.ts' }, line: Math.floor(random() * 40) }),
    source: () => ({ source: { name: client.transcript.at(-1) }, sourceReference: reference() }),
    'loopscope/editable': () => ({ variablesReference: reference(), name: pick(random, names) }),
    nonsense: () => ({}),
  };
}

/** Verbs that move a run are asked for more often than those that end it. */
const often = ['next', 'stepIn', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'setVariable', 'scopes', 'evaluate', 'restart', 'launch'];
const malformed = [null, 7, 'text', [], {}, { source: null }, { filters: 7 }, { breakpoints: [null] }];

async function drive(seed: number): Promise<void> {
  const random = createRandom(seed);
  const agent = await createTestAgent(createRandomModel(random), { max_iters: 3 });
  const opened: { session: Session; closed: number }[] = [];
  const faults: unknown[] = [];
  const running = new Set<Session>();
  const client = createDapClient(agent, {
    async launch(args): Promise<Launched | { problem: string }> {
      for (let wait = Math.floor(random() * 4); wait > 0; wait--) await tick();
      if ('problem' in args) return { problem: String(args.problem) };
      const one = { session: createTestSession(`s-${opened.length + 1}`), closed: 0 };
      opened.push(one);
      one.session.journal.onEvent(({ type }) => {
        if (type === 'run.started') running.add(one.session);
        if (type === 'run.ended') running.delete(one.session);
        assert.ok(running.size <= 1, `seed ${seed}: two runs at once`);
      });
      const agentSource = { name: 'test.agent.json', path: '/work/test.agent.json' };
      const close = () => void one.closed++;
      return { agent, session: one.session, goal: 'Add.', agentSource, notices: [], close };
    },
    onFault: (error) => faults.push(error),
  });
  const verbs = argumentsOf(random, client);
  const answers: Promise<unknown>[] = [];
  let broken = 0;
  const send = (command: string, args: unknown) => {
    const answer = client.request(command, args as object).catch(() => undefined);
    answers.push(answer);
    return answer;
  };
  const begin = ['initialize', 'launch', 'configurationDone', 'launch', 'restart', 'pause'];
  for (const command of begin.slice(0, 2 + Math.floor(random() * 5))) void send(command, {});
  for (let step = Math.floor(random() * 60); step > 0; step--) {
    const command = random() < 0.5 ? pick(random, often) : pick(random, Object.keys(verbs));
    const isMalformed = random() < 0.1;
    if (isMalformed) broken++;
    const answer = send(command, isMalformed ? pick<unknown>(random, malformed) : verbs[command]?.());
    if (random() < 0.7) await answer;
    for (let wait = Math.floor(random() * 3); wait > 0; wait--) await tick();
  }
  const ends = [pick(random, ['terminate', 'disconnect', 'restart', 'terminate']), 'disconnect'];
  for (const how of ends) void send(how, { terminateDebuggee: random() < 0.5 });
  await Promise.all(answers);
  for (let wait = 0; wait < 8; wait++) await tick();

  assert.ok(faults.length <= broken, `${faults.length} faults: ${String((faults[0] as Error)?.stack)}`);
  assertTranscript(client.transcript);
  assert.equal(running.size, 0);
  for (const { session, closed } of opened) {
    assert.equal(closed, 1, `${session.id} was released ${closed} times`);
    assert.deepEqual(problemsOf(session), []);
    assert.ok(session.state.runs.every(({ ended }) => ended));
    const begun = session.journal.events.flatMap((event) => (event.type === 'call.started' ? [event.key] : []));
    assert.equal(new Set(begun).size, begun.length, 'a call ran twice');
    const history = historyMessages(session.state).map(({ text }) => JSON.parse(text) as WireMessage);
    // What the model wrote stays as it wrote it; these two are made legal on their way out.
    const rules = legal(history).map(({ rule }) => rule);
    assert.deepEqual(
      rules.filter((rule) => rule !== 'bad-arguments' && rule !== 'duplicate-id'),
      [],
    );
  }
}

/** One answer per request; events of a request behind its answer; nothing begins behind the end. */
function assertTranscript(transcript: readonly string[]): void {
  const open = new Map<string, number>();
  let isLoaded = false;
  transcript.forEach((line, index) => {
    const [sign, command = ''] = line.split(' ');
    if (sign === '→') {
      open.set(command, (open.get(command) ?? 0) + 1);
      if (immediate.includes(command)) assert.match(transcript[index + 1] ?? '', new RegExp(`^← ${command}`));
    }
    if (sign === '←') open.set(command, (open.get(command) ?? 0) - 1);
    if (/^← (launch|restart)$/.test(line)) isLoaded = true;
    if (/^! (initialized|stopped)/.test(line)) assert.ok(isLoaded, `${line} before its answer`);
    const isOver = transcript.slice(0, index).some((one) => one === '← disconnect' || one === '! terminated');
    if (isOver) assert.doesNotMatch(line, /^! (initialized|stopped|terminated|continued)/);
  });
  assert.deepEqual(
    [...open].filter(([, count]) => count !== 0),
    [],
  );
}

for (const seed of seedsOf(40)) test(`dap: random requests, seed ${seed}`, () => drive(seed));

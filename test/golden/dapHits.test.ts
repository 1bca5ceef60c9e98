/**
 * Random breakpoints of all kinds over random runs: every stop has a reason and what it hit, and what was hit, counted
 * and logged is what a count over the journal says. LOOPSCOPE_SEED=N runs one, N-M many.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalEvent } from '../../src/core/events.ts';
import { foldAll } from '../../src/core/fold.ts';
import { callAt, currentRound, type JournalState } from '../../src/core/journalState.ts';
import { checkpointLines } from '../../src/debug/loopSource.ts';
import { createDapClient, loopText } from '../doubles/dapClient.ts';
import { createRandom, pick, type Random, seedsOf } from '../doubles/random.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';

type Checkpoint = JournalEvent & { readonly type: 'checkpoint' };
type Stopped = DebugProtocol.StoppedEvent['body'];
type Kind = 'function' | 'line' | 'data';

/** Expressions with what they come to; undefined: they never work. */
const conditions: readonly (readonly [string | undefined, (round: number) => boolean])[] = [
  [undefined, () => true],
  ['round % 2 === 0', (round) => round % 2 === 0],
  ['round > 1', (round) => round > 1],
  ['fresh.messages.length >= 0', () => true],
  ['missing.name', () => false],
  ['x..y', () => false],
];
const hitCounts: readonly (readonly [string | undefined, (count: number) => boolean])[] = [
  [undefined, () => true],
  ['2', (count) => count === 2],
  ['>= 2', (count) => count >= 2],
  ['% 2', (count) => count % 2 === 0],
  ['often', () => false],
];
const tools: readonly (readonly [string, (name: string) => boolean])[] = [
  ['calculator', (name) => name === 'calculator'],
  ['*_todo*', (name) => name.includes('_todo')],
  ['nope', (name) => name === 'nope'],
  ['*', () => true],
];
const lines = checkpointLines(loopText);

/** A breakpoint as it is set, and what it should do. */
interface Planned {
  readonly kind: Kind;
  readonly asked: object;
  readonly logs: string | undefined;
  readonly isReached: (at: Checkpoint, state: JournalState, since: readonly JournalEvent[]) => boolean;
  readonly holds: (round: number) => boolean;
  readonly isHit: (count: number) => boolean;
  /** Armed at a stop: checkpoints from this seq on count, up to another. */
  readonly from: number;
  until: number;
  id?: number | undefined;
}

function randomBreakpoint(random: Random, kind: Kind, from: number): Planned {
  const [condition, holds] = pick(random, conditions);
  const [hitCondition, isHit] = pick(random, hitCounts);
  const common = { kind, holds, isHit, from, until: Infinity };
  const asked = { condition, hitCondition };
  if (kind === 'function') {
    const [name, isMatch] = pick(random, tools);
    const isReached: Planned['isReached'] = (at, state) =>
      at.kind === 'act' && isMatch(callAt(state, at.key ?? '')?.name ?? '');
    return { ...common, asked: { name, ...asked }, logs: undefined, isReached };
  }
  if (kind === 'data') {
    const isReached: Planned['isReached'] = (_at, _state, since) =>
      since.some((event) => event.type === 'state.changed' && event.key === 'todos');
    return { ...common, asked: { dataId: 'state/todos', ...asked }, logs: undefined, isReached };
  }
  const at = pick(random, Object.keys(lines) as (keyof typeof lines)[]);
  // Each says who it is: two on a line are told apart.
  const logs = random() < 0.3 ? `log ${random()}` : undefined;
  const logMessage = logs && `${logs} {round}`;
  return { ...common, asked: { line: lines[at], ...asked, logMessage }, logs, isReached: ({ kind: here }) => here === at };
}

function randomSteps(random: Random): ModelStep[] {
  const call = () => ({
    name: pick(random, ['calculator', 'calculator', 'list_todos', 'add_todo', 'nope']),
    arguments: pick<unknown>(random, [{ expression: '1+1' }, { content: 'x', minutes: 5 }, '{"broken"']),
  });
  const rounds = Array.from({ length: Math.floor(random() * 6) }, () =>
    calls(Array.from({ length: 1 + Math.floor(random() * 3) }, call).map((one, at) => ({ ...one, id: `c${at}` }))),
  );
  return [...rounds, random() < 0.2 ? fails('auth') : says('done')];
}

async function drive(seed: number): Promise<void> {
  const random = createRandom(seed);
  const agent = await createTestAgent(createScriptedModel(randomSteps(random)), { max_iters: 20 });
  const client = createDapClient(agent);
  const kinds: readonly Kind[] = ['function', 'line', 'line', 'data'];
  const all: Planned[] = [];
  /** No two are alike: which of them stayed and which went would be anybody's guess. */
  const add = (from: number) => {
    const made = randomBreakpoint(random, pick(random, kinds), from);
    if (!all.some(({ asked }) => JSON.stringify(asked) === JSON.stringify(made.asked))) all.push(made);
  };
  for (let more = 2 + Math.floor(random() * 6); more > 0; more--) add(0);
  const set = async () => {
    const armed = (kind: Kind) => all.filter((one) => one.kind === kind && one.until === Infinity);
    const send = async (kind: Kind, command: string, args: object = {}) => {
      const wanted = armed(kind);
      const body = { ...args, breakpoints: wanted.map(({ asked }) => asked) };
      const { breakpoints } = await client.request<{ breakpoints: DebugProtocol.Breakpoint[] }>(command, body);
      wanted.forEach((one, index) => {
        if (one.id !== undefined) assert.equal(breakpoints[index]?.id, one.id, 'it stays the same');
        one.id = breakpoints[index]?.id;
      });
    };
    await send('function', 'setFunctionBreakpoints');
    await send('line', 'setBreakpoints', { source: { path: '/loop.ts' } });
    await send('data', 'setDataBreakpoints');
  };
  const filters = ['plan', 'reply', 'act', 'observe', 'modelError', 'toolFailure', 'unknownTool'].filter(() => random() < 0.2);
  await client.start({ stopOnEntry: random() < 0.3 }, async () => {
    await client.request('setExceptionBreakpoints', { filters });
    await set();
  });

  const stops = new Map<number, Stopped>();
  for (;;) {
    const stop = await client.event<Stopped>('stopped');
    const { journal } = client.session;
    stops.set(journal.state.checkpoint?.seq ?? -1, stop);
    if (journal.state.checkpoint?.kind === 'end') break;
    if (random() < 0.3) {
      const old = pick(random, all);
      old.until = Math.min(old.until, journal.events.length);
      add(journal.events.length);
      await set();
    }
    if (random() < 0.3) await set();
    await client.request(pick(random, ['continue', 'continue', 'next', 'stepIn', 'stepOut']), { threadId: 1 });
  }
  await client.request('continue', { threadId: 1 });
  await client.event('terminated');

  const { events } = client.session.journal;
  assert.deepEqual(problemsOf(client.session), []);
  const expected = count(events, all);
  for (const [at, ids] of expected.stops) {
    const found = (stops.get(at)?.hitBreakpointIds ?? []).filter((id) => all.some((one) => one.id === id));
    assert.deepEqual(new Set(found), new Set(ids), `at event ${at}: ${stops.get(at)?.description ?? 'no stop'}`);
  }
  const logged = events.flatMap((event) => (event.type === 'logged' ? [event.text] : []));
  assert.deepEqual(logged, expected.logs);
  for (const { reason, description, hitBreakpointIds } of stops.values()) {
    assert.ok(description);
    const isHit = ['breakpoint', 'data breakpoint', 'exception'].includes(reason);
    assert.equal((hitBreakpointIds?.length ?? 0) > 0, isHit || (reason === 'entry' && filters.includes('plan')), reason);
  }
}

/** What the breakpoints should have come to, from the journal alone. */
function count(events: readonly JournalEvent[], all: readonly Planned[]) {
  const stops = new Map<number, (number | undefined)[]>();
  const logs: string[] = [];
  const counts = new Map<Planned, number>();
  let since = 0;
  for (const at of events) {
    if (at.type !== 'checkpoint') continue;
    const state = foldAll(events, at.seq + 1);
    const round = currentRound(state)?.round ?? 0;
    const between = events.slice(since, at.seq);
    const ids: (number | undefined)[] = [];
    const armed = all.filter(({ from, until }) => from <= at.seq && at.seq < until);
    for (const planned of ['function', 'line', 'data'].flatMap((kind) => armed.filter((one) => one.kind === kind))) {
      // What a run begins with is no change.
      const isBegin = since === 0 && planned.kind === 'data';
      if (isBegin || !planned.isReached(at, state, between) || !planned.holds(round)) continue;
      const reached = (counts.get(planned) ?? 0) + 1;
      counts.set(planned, reached);
      if (!planned.isHit(reached)) continue;
      if (planned.logs === undefined) ids.push(planned.id);
      else logs.push(`${planned.logs} ${round}`);
    }
    stops.set(at.seq, ids);
    since = at.seq;
  }
  return { stops, logs };
}

for (const seed of seedsOf(25)) test(`dap: random breakpoints, seed ${seed}`, () => drive(seed));

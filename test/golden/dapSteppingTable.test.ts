/** Stepping, as DESIGN §6 has it, in one table: every verb at every kind of checkpoint, and what a pause does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { ModelClient } from '../../src/core/ports.ts';
import { defineTool } from '../../src/toolbox/defineTool.ts';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';

type Stopped = { readonly reason: string };

/** Two rounds: a reply with two calls, and the answer. `p` plan, `r` reply, `a1` `a2` act, `o` observe, `e` end. */
const route = ['p1', 'r1', 'a1', 'a2', 'o1', 'p2', 'r2', 'o2', 'e'] as const;
type Place = (typeof route)[number];

/**
 * Where a verb leads from each place: with the phases plan, act and observe on (as they are by default), then with none.
 * `!` is the end of the session; `<` before a place: in the past.
 */
const table = `
from            p1   r1   a1   a2   o1   p2   r2   o2   e
continue        a1   a1   a2   o1   p2   o2   o2   e    !
next            a1   a1   o1   o1   p2   o2   o2   e    !
stepIn          r1   a1   a2   o1   p2   r2   o2   e    !
stepOut         p2   p2   p2   p2   p2   e    e    e    !
runToRound      p2   p2   p2   p2   p2   .    .    .    .
stepBack        p1   <p1  <r1  <a1  <a2  <o1  <p2  <r2  <o2
reverseContinue p1   <p1  <p1  <a1  <a2  <o1  <p2  <p2  <o2
--- no phases
continue        e    e    e    e    e    e    e    e    !
next            a1   a1   o1   o1   p2   o2   o2   e    !
stepIn          r1   a1   a2   o1   p2   r2   o2   e    !
stepOut         p2   p2   p2   p2   p2   e    e    e    !
runToRound      p2   p2   p2   p2   p2   .    .    .    .
stepBack        p1   <p1  <r1  <a1  <a2  <o1  <p2  <r2  <o2
reverseContinue p1   <p1  <p1  <p1  <p1  <p1  <p1  <p1  <p1
`;

const phases = ['plan', 'act', 'observe'];
const ran: string[] = [];
/** What a tool waits for, where a test wants it at work. */
let waiting: (tool: string) => Promise<void> = () => Promise.resolve();
/** When a client's session has ended. */
const overs = new WeakMap<DapClient, Promise<string>>();
const tools = ['first', 'second'].map((name) =>
  defineTool({
    name,
    description: name,
    effects: 'none',
    input: z.object({}),
    async run() {
      await waiting(name);
      ran.push(name);
      return name;
    },
  }),
);
const both = calls([{ name: 'first' }, { name: 'second' }]);

async function begin(model: ModelClient, filters: readonly string[]): Promise<DapClient> {
  ran.length = 0;
  const client = createDapClient(await createTestAgent(model, {}, tools));
  await client.start({ stopOnEntry: true }, () => client.request('setExceptionBreakpoints', { filters }));
  return client;
}

/** Where it is held, as the table names it. */
async function placeOf(client: DapClient): Promise<string> {
  await client.event<Stopped>('stopped');
  const [top = '', ofRound = ''] = await client.stack();
  const past = top.startsWith('past · ') ? '<' : '';
  const [kind = ''] = top.replace('past · ', '').split(' ');
  const round = /round (\d+)/.exec(ofRound)?.[1] ?? '';
  const position = /\((\d)\/2\)/.exec(top)?.[1];
  return `${past}${kind === 'end' ? 'e' : `${kind[0]}${position ?? round}`}`;
}

async function go(client: DapClient, verb: string): Promise<string> {
  const command = verb === 'runToRound' ? 'loopscope/runToRound' : verb;
  await client.request(command, { threadId: 1, round: 2 });
  if (!overs.has(client)) overs.set(client, client.event('terminated').then(() => '!'));
  return Promise.race([placeOf(client), overs.get(client) ?? assert.fail()]);
}

/** From the beginning to a place, checkpoint by checkpoint. */
async function walkTo(client: DapClient, place: Place): Promise<void> {
  assert.equal(await placeOf(client), 'p1');
  for (const next of route.slice(1, route.indexOf(place) + 1)) assert.equal(await go(client, 'stepIn'), next);
}

const [withPhases = '', without = ''] = table.split('--- no phases');
for (const [filters, rows] of [[phases, withPhases], [[], without]] as const) {
  for (const row of rows.trim().split('\n').filter((line) => !line.startsWith('from'))) {
    const [verb = '', ...cells] = row.split(/ +/);
    test(`stepping: ${verb} at each checkpoint, ${filters.length === 0 ? 'no phases' : 'phases on'}`, async () => {
      const led: string[] = [];
      for (const [index, place] of route.entries()) {
        if (cells[index] === '.') {
          led.push('.');
          continue;
        }
        const model = createScriptedModel([both, says('done')]);
        const client = await begin(model, filters);
        await walkTo(client, place);
        led.push(await go(client, verb));
        // Whatever was done, what is left runs once, and the very same call goes on.
        await client.request('setExceptionBreakpoints', { filters: [] });
        for (let at = led.at(-1); at !== '!' && at !== 'e'; ) at = await go(client, 'continue');
        assert.deepEqual(ran, ['first', 'second']);
        assert.equal(model.bodies.length, 2);
        assert.deepEqual(problemsOf(client.session), []);
        await client.request('disconnect');
      }
      assert.equal(led.join(' '), cells.join(' '));
    });
  }
}

test('stepping: with plan, act and observe on and two calls in a reply, F5, F10 and F11 do three different things', () => {
  const led = ['continue', 'next', 'stepIn'].map((verb) => withPhases.split('\n').find((row) => row.startsWith(verb)));
  assert.equal(new Set(led.map((row) => row?.replace(/^\w+ +/, ''))).size, 3);
});

/** A promise, and what settles it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Pauses that are asked for while nothing is held: [where the agent is, where it stops]. */
const pauses = [
  ['mid-stream', 'r1'],
  ['mid-tool', 'a2'],
  ['mid-tool, in the last call', 'o1'],
  ['between rounds', 'p2'],
  ['in the last stream', 'r2'],
] as const;
for (const [where, expected] of pauses) {
  test(`stepping: a pause requested ${where} holds at the next checkpoint, once, and nothing runs twice`, async () => {
    const [reached, held] = [gate(), gate()];
    const wait = async (here: string) => {
      if (here !== where) return;
      reached.open();
      await held.opened;
    };
    waiting = (tool) => wait(tool === 'first' ? 'mid-tool' : 'mid-tool, in the last call');
    ran.length = 0;
    const model = createScriptedModel([
      async (_body, { onText }) => {
        onText('We');
        await wait('mid-stream');
        return both;
      },
      async () => {
        await wait('in the last stream');
        return says('done');
      },
    ]);
    const agent = await createTestAgent(model, {}, tools);
    const retrieve = async ({ round }: { readonly round: number }) => {
      if (round === 2) await wait('between rounds');
      return [];
    };
    const client = createDapClient({ ...agent, retrieve });
    await client.start({}, () => client.request('setExceptionBreakpoints', { filters: [] }));
    await reached.opened;
    await client.request('pause', { threadId: 1 });
    assert.equal(client.transcript.some((line) => line.startsWith('! stopped')), false);
    held.open();
    assert.equal(await placeOf(client), expected);
    assert.match(client.transcript.findLast((line) => line.startsWith('! stopped')) ?? '', /^! stopped pause/);
    // A step back and forward again in the pause changes nothing of it.
    await go(client, 'stepBack');
    assert.equal(await go(client, 'stepIn'), expected);
    assert.equal(await go(client, 'continue'), 'e');
    waiting = () => Promise.resolve();
    assert.deepEqual(ran, ['first', 'second']);
    assert.deepEqual(problemsOf(client.session), []);
  });
}

test('stepping: a pause requested between two runs of a session holds at the first checkpoint of the next', async () => {
  const client = await begin(createScriptedModel([says('one'), says('two')]), []);
  assert.equal(await placeOf(client), 'p1');
  assert.equal(await go(client, 'continue'), 'e');
  const said = client.request('evaluate', { expression: '> and now', context: 'repl' });
  await client.request('pause', { threadId: 1 });
  await said;
  assert.equal(await placeOf(client), 'p1');
  assert.equal(client.session.state.runs.length, 2);
  assert.equal(await go(client, 'continue'), 'e');
});

test('stepping: two sessions at once do not disturb one another, in the present and in the past', async () => {
  const one = await begin(createScriptedModel([both, says('done')]), []);
  const two = await begin(createScriptedModel([both, says('done')]), []);
  await walkTo(one, 'a1');
  await walkTo(two, 'o1');
  assert.equal(await go(one, 'stepBack'), '<r1');
  assert.equal(await go(two, 'stepIn'), 'p2');
  assert.equal(await go(one, 'stepIn'), 'a1');
  assert.equal(await go(two, 'reverseContinue'), '<p1');
  assert.equal(await go(one, 'continue'), 'e');
  assert.equal(await go(two, 'runToRound'), 'p2');
  assert.equal(await go(two, 'continue'), 'e');
  for (const { session } of [one, two]) assert.deepEqual(problemsOf(session), []);
});

/** The life of a debug session in every order that a client may ask for it: one agent, one run, one end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { LaunchArguments } from '../../src/debug/adapterPorts.ts';
import type { Launched } from '../../src/debug/debuggee.ts';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../doubles/testAgent.ts';
import type { Session } from '../../src/session/session.ts';
import type { Tool } from '../../src/toolbox/tool.ts';
import { builtinTools } from '../../src/toolbox/builtinTools.ts';
import { defineTool } from '../../src/toolbox/defineTool.ts';

const two = () => calls([{ name: 'list_todos' }, { name: 'calculator', arguments: { expression: '1+1' } }]);

interface Opened {
  readonly session: Session;
  readonly args: LaunchArguments;
  closed: number;
}

/** A client whose launches wait for `load` to be called, each once, in order. */
async function gated(steps: readonly ModelStep[], tools: readonly Tool[] = builtinTools) {
  const model = createScriptedModel(steps);
  const agent = await createTestAgent(model, {}, tools);
  const opened: Opened[] = [];
  const waiting: (() => void)[] = [];
  const wanted: (() => void)[] = [];
  const client = createDapClient(agent, {
    async launch(args): Promise<Launched | { problem: string }> {
      const problem = await new Promise<string | undefined>((resolve) => {
        waiting.push(() => resolve((args as { problem?: string }).problem));
        wanted.shift()?.();
      });
      if (problem !== undefined) return { problem };
      const one: Opened = { session: createTestSession(`s-${opened.length + 1}`), args, closed: 0 };
      opened.push(one);
      const agentSource = { name: 'test.agent.json', path: '/work/test.agent.json' };
      const close = () => void one.closed++;
      return { agent, session: one.session, goal: 'Add.', agentSource, notices: [], close };
    },
  });
  /** Lets the oldest launch that waits go on, once there is one. */
  const load = async (): Promise<void> => {
    if (waiting.length === 0) await new Promise<void>((resolve) => wanted.push(resolve));
    waiting.shift()?.();
  };
  const start = async (args: object = {}): Promise<void> => {
    await client.request('initialize', {});
    const launched = client.request('launch', args);
    await load();
    await launched;
    await client.request('configurationDone');
  };
  return { client, model, opened, load, start };
}

const count = (client: DapClient, line: string) => client.transcript.filter((one) => one === line).length;

for (const how of ['disconnect', 'terminate']) {
  for (const configured of [false, true]) {
    test(`dap: ${how} while the agent is being loaded${configured ? ' and configured' : ''}: nothing runs`, async () => {
      const { client, opened, model, load } = await gated([]);
      await client.request('initialize', {});
      const launched = client.request('launch', { noDebug: true });
      if (configured) await client.request('configurationDone');
      await client.request(how);
      await load();
      await assert.rejects(launched, /has ended/);
      assert.deepEqual(
        opened.map(({ closed, session }) => [closed, session.state.runs.length]),
        [[1, 0]],
      );
      assert.equal(count(client, '! initialized'), 0);
      assert.equal(count(client, '! terminated'), how === 'terminate' ? 1 : 0);
      await assert.rejects(client.request('configurationDone'), /has ended/);
      await assert.rejects(client.request('launch', {}), /has ended/);
      await assert.rejects(client.request('restart'), /has ended/);
      model.assertDone();
    });
  }

  test(`dap: ${how} before the client has configured: nothing runs`, async () => {
    const { client, opened, load } = await gated([]);
    const launched = client.request('launch', { noDebug: true });
    await load();
    await launched;
    await client.request(how);
    await assert.rejects(client.request('configurationDone'), /has ended/);
    assert.deepEqual([opened[0]?.closed, opened[0]?.session.state.runs.length], [1, 0]);
  });

  test(`dap: ${how} while a restart loads its agent: the old run ends, the new one never begins`, async () => {
    const { client, opened, load, start } = await gated([]);
    await start();
    await client.event('stopped');
    const restarted = client.request('restart');
    await client.request(how);
    await load();
    await assert.rejects(restarted, /has ended/);
    assert.deepEqual(
      opened.map(({ closed, session }) => [closed, session.state.runs[0]?.ended?.outcome]),
      [
        [1, 'cancelled'],
        [1, undefined],
      ],
    );
    assert.equal(count(client, '! terminated'), how === 'terminate' ? 1 : 0);
  });
}

test('dap: a client that leaves without a word while the agent is being loaded', async () => {
  const { client, opened, load } = await gated([]);
  const launched = client.request('launch', { noDebug: true });
  await client.request('configurationDone');
  client.dispose();
  await load();
  await assert.rejects(launched, /has ended/);
  assert.deepEqual([opened[0]?.closed, opened[0]?.session.state.runs.length], [1, 0]);
});

test('dap: the client may configure before the agent is there; the run begins once', async () => {
  const { client, opened, load, model } = await gated([says('done')]);
  const launched = client.request('launch', { noDebug: true });
  await client.request('configurationDone');
  await load();
  await launched;
  await client.event('terminated');
  assert.equal(opened[0]?.session.state.runs.length, 1);
  model.assertDone();
});

test('dap: a second launch is refused, while the first loads, runs or is over', async () => {
  const { client, opened, load } = await gated([]);
  const first = client.request('launch', {});
  await assert.rejects(client.request('launch', {}), /being loaded/);
  await assert.rejects(client.request('restart', {}), /being loaded/);
  await load();
  await first;
  await assert.rejects(client.request('launch', {}), /has its agent already/);
  await assert.rejects(client.request('attach', {}), /launch/);
  await client.request('configurationDone');
  await assert.rejects(client.request('configurationDone'), /configured already/);
  await client.event('stopped');
  await assert.rejects(client.request('launch', {}), /has its agent already/);
  await client.request('terminate');
  await assert.rejects(client.request('launch', {}), /has ended/);
  assert.equal(opened.length, 1);
  assert.equal(opened[0]?.session.state.runs.length, 1);
});

test('dap: a launch that failed may be tried again', async () => {
  const { client, load } = await gated([]);
  const first = client.request('launch', { problem: 'No such agent.' });
  await load();
  await assert.rejects(first, /No such agent/);
  assert.equal(count(client, '! initialized'), 0);
  const second = client.request('launch', {});
  await load();
  await second;
  await client.event('initialized');
  await client.request('configurationDone');
  await client.event('stopped');
});

test('dap: a restart that fails leaves the session as it was, and keeps its arguments', async () => {
  const { client, opened, load, start } = await gated([]);
  await start({ goal: 'first' });
  await client.event('stopped');
  const failed = client.request('restart', { arguments: { problem: 'The agent file is wrong.', goal: 'bad' } });
  await load();
  await assert.rejects(failed, /The agent file is wrong/);
  assert.match((await client.stack())[0] ?? '', /^plan/);
  assert.deepEqual([opened[0]?.closed, opened[0]?.session.state.runs[0]?.ended], [0, undefined]);

  const restarted = client.request('restart');
  await load();
  await restarted;
  await client.event('stopped');
  assert.deepEqual(opened[1]?.args, { goal: 'first', session: 'new' });
  assert.deepEqual([opened[0]?.closed, opened[0]?.session.state.runs[0]?.ended?.outcome], [1, 'cancelled']);
  await client.request('disconnect');
});

test('dap: the arguments of a restart are taken, and kept for the next one; the session is new', async () => {
  const { client, opened, load, start } = await gated([]);
  await start({ goal: 'first', session: '/work/day.jsonl', stopOnEntry: true });
  await client.event('stopped');
  for (const body of [{ arguments: { goal: 'second', session: '/work/day.jsonl' } }, {}]) {
    const restarted = client.request('restart', body);
    await load();
    await restarted;
    await client.event('stopped');
  }
  assert.deepEqual(
    opened.map(({ args }) => [(args as { goal?: string }).goal, args.session, args.stopOnEntry]),
    [
      ['first', '/work/day.jsonl', true],
      ['second', 'new', true],
      ['second', 'new', true],
    ],
  );
  assert.equal(count(client, '! initialized'), 1);
  await client.request('disconnect');
});

test('dap: a restart without an agent, after a launch that failed, is a launch', async () => {
  const { client, load, opened } = await gated([]);
  const first = client.request('launch', { problem: 'No such agent.', goal: 'g' });
  await load();
  await assert.rejects(first, /No such agent/);
  const restarted = client.request('restart', { arguments: { problem: undefined } });
  await load();
  await restarted;
  await client.event('initialized');
  await client.request('configurationDone');
  await client.event('stopped');
  assert.equal((opened[0]?.args as { goal?: string }).goal, 'g');
});

test('dap: a run that ends while a restart loads does not end the session, unless the restart fails', async () => {
  for (const problem of [undefined, 'The agent file is wrong.']) {
    const { client, opened, load, start } = await gated([says('done'), says('done')]);
    await start();
    await client.event('stopped');
    await client.request('setExceptionBreakpoints', { filters: [] });
    await client.request('continue', { threadId: 1 });
    assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'end');
    const restarted = client.request('restart', { arguments: { problem } });
    await client.request('continue', { threadId: 1 });
    await load();
    if (problem === undefined) {
      await restarted;
      assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'end');
      assert.equal(opened[1]?.session.state.runs.length, 1);
      assert.equal(count(client, '! terminated'), 0);
    } else {
      await assert.rejects(restarted, /wrong/);
      await client.event('terminated');
      assert.equal(opened[0]?.closed, 1);
    }
    await client.request('disconnect');
  }
});

test('dap: a session is ended once, however often it is asked for', async () => {
  const { client, opened, start } = await gated([]);
  await start();
  await client.event('stopped');
  await Promise.all(['terminate', 'terminate', 'disconnect', 'terminate'].map((how) => client.request(how)));
  assert.equal(count(client, '! terminated'), 1);
  assert.equal(opened[0]?.closed, 1);
  assert.equal(opened[0]?.session.state.runs[0]?.ended?.outcome, 'cancelled');
  assert.deepEqual(problemsOf(opened[0]?.session ?? assert.fail()), []);
  await assert.rejects(client.request('continue', { threadId: 1 }), /has ended/);
  await assert.rejects(client.request('pause', { threadId: 1 }), /has ended/);
});

for (const terminateDebuggee of [true, false]) {
  test(`dap: the agent ends with its debug session (terminateDebuggee: ${terminateDebuggee})`, async () => {
    const { client, opened, start } = await gated([two()]);
    await start();
    await client.event('stopped');
    await client.request('next', { threadId: 1 });
    await client.event('stopped');
    await client.request('disconnect', { terminateDebuggee });
    const { session, closed } = opened[0] ?? assert.fail();
    assert.deepEqual([closed, session.state.runs[0]?.ended?.outcome], [1, 'cancelled']);
    assert.equal(session.journal.events.some(({ type }) => type === 'call.started'), false);
    assert.deepEqual(problemsOf(session), []);
  });
}

for (const how of ['terminate', 'disconnect', 'restart']) {
  test(`dap: ${how} while a tool hangs that ignores its signal`, async () => {
    const hang = defineTool({
      name: 'hang',
      description: 'Never ends.',
      effects: 'none',
      input: z.object({}),
      run: () => new Promise(() => undefined),
    });
    const hangs = calls([{ name: 'hang' }, { name: 'list_todos' }]);
    const { client, opened, load, start } = await gated([hangs], [...builtinTools, hang]);
    await start();
    await client.event('stopped');
    await client.request('setExceptionBreakpoints', { filters: [] });
    const { session } = opened[0] ?? assert.fail();
    const started = new Promise<void>((resolve) =>
      session.journal.onEvent(({ type }) => void (type === 'call.started' && resolve())),
    );
    await client.request('continue', { threadId: 1 });
    await started;
    const ended = client.request(how);
    if (how === 'restart') await load();
    await ended;
    const outcomes = session.state.runs[0]?.rounds[0]?.calls.map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['cancelled', 'cancelled']);
    assert.equal(session.state.runs[0]?.ended?.outcome, 'cancelled');
    assert.deepEqual(problemsOf(session), []);
    await client.request('disconnect');
  });

  test(`dap: ${how} while the model streams`, async () => {
    const streams: ModelStep = (_body, { onText, signal }) => {
      onText('It is');
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(fails('cancelled')), { once: true });
      });
    };
    const { client, opened, load, start } = await gated([streams]);
    await start();
    await client.event('stopped');
    await client.request('setExceptionBreakpoints', { filters: [] });
    await client.request('continue', { threadId: 1 });
    while ((await client.event<{ output: string }>('output')).output !== 'It is');
    const ended = client.request(how);
    if (how === 'restart') await load();
    await ended;
    const { session } = opened[0] ?? assert.fail();
    assert.equal(session.state.runs[0]?.ended?.outcome, 'cancelled');
    assert.deepEqual(problemsOf(session), []);
    await client.request('disconnect');
  });
}

test('dap: a run without debugging can not be paused, and says so', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const waits = async () => {
    await answered;
    return says('late');
  };
  const { client, start } = await gated([waits]);
  await start({ noDebug: true });
  await assert.rejects(client.request('pause', { threadId: 1 }), /without debugging/);
  answer();
  await client.event('terminated');
});

test('dap: a pause asked for before the run begins holds at its first checkpoint, one in a pause at none', async () => {
  const { client, load } = await gated([two(), says('done')]);
  const launched = client.request('launch', {});
  await load();
  await launched;
  await client.request('setExceptionBreakpoints', { filters: [] });
  await client.request('pause', { threadId: 1 });
  await client.request('configurationDone');
  assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'pause');
  assert.match((await client.stack())[0] ?? '', /^plan/);
  await client.request('pause', { threadId: 1 });
  await client.request('continue', { threadId: 1 });
  assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'end');
});

test('dap: verbs sent without waiting for an answer move the run once', async () => {
  const { client, start } = await gated([two(), says('done')]);
  await start();
  await client.event('stopped');
  const [first, second] = await Promise.allSettled([
    client.request('stepIn', { threadId: 1 }),
    client.request('stepIn', { threadId: 1 }),
  ]);
  assert.deepEqual([first.status, second.status], ['fulfilled', 'rejected']);
  await client.event('stopped');
  assert.match((await client.stack())[0] ?? '', /^reply/);
  await client.request('disconnect');
});

test('dap: two goals typed at once: one is taken, the other refused', async () => {
  const { client, opened, start } = await gated([says('one'), says('two')]);
  await start();
  await client.event('stopped');
  await client.request('setExceptionBreakpoints', { filters: [] });
  await client.request('continue', { threadId: 1 });
  assert.equal((await client.event<{ reason: string }>('stopped')).reason, 'end');
  const say = (goal: string) => client.request('evaluate', { expression: `> ${goal}`, context: 'repl' });
  const said = await Promise.allSettled([say('first'), say('second')]);
  assert.deepEqual(said.map(({ status }) => status), ['fulfilled', 'rejected']);
  await client.event('stopped');
  assert.equal(opened[0]?.session.state.runs.length, 2);
  await client.request('disconnect');
});

test('dap: Edit in Editor is told whose value a row is, also after a restart', async () => {
  const { client, load, start } = await gated([]);
  await start();
  for (const session of ['s-1', 's-2']) {
    await client.event('stopped');
    const rows = await client.rows('Messages');
    const variablesReference = rows.find(({ name }) => name.startsWith('m1'))?.variablesReference ?? 0;
    const row = { variablesReference, name: 'content' };
    const edit = await client.request<{ session: string; scope: string }>('loopscope/editable', row);
    assert.deepEqual([edit.session, edit.scope], [session, 'history']);
    if (session === 's-2') break;
    const restarted = client.request('restart');
    await load();
    await restarted;
  }
  await client.request('disconnect');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as setImmediateCallback } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { currentRound } from '../../../src/core/journalState.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import { startRun } from '../../../src/runner/run.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const long = Array.from({ length: 2000 }, (_, n) => `line ${n}\n`).join('');
const dump = defineTool({
  name: 'dump',
  description: 'Returns a long text.',
  effects: 'none',
  input: z.object({}),
  run: () => long,
});

interface Body {
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}
const bodyOf = (text: string) => JSON.parse(text) as Body;
const toolsOf = (text: string) => bodyOf(text).tools?.map((tool) => tool.function.name);
const lastContent = (text: string) => contentText(bodyOf(text).messages.at(-1) ?? { role: 'tool' });

test('a cut result names the call that reads on; taken word for word, it reads on', async () => {
  const model = createScriptedModel([
    calls([{ name: 'dump' }]),
    (body) => {
      const { note } = JSON.parse(lastContent(body)) as { note: string };
      const [, name = '', input = ''] = /(\w+)\((\{.*\})\)/.exec(note) ?? [];
      return calls([{ name, arguments: input, id: 'call_2' }]);
    },
    says('done'),
  ]);
  const session = createTestSession();
  const agent = await createTestAgent(model, {}, [dump]);
  assert.equal(await startRun(agent, session, { goal: 'go' }).done, 'done');
  assert.deepEqual(problemsOf(session), []);
  // The pager costs tokens in each request: it is offered from the first cut result on, also to later runs.
  assert.deepEqual(model.bodies.map(toolsOf), [['dump'], ['dump', 'read_result'], ['dump', 'read_result']]);
  const cut = JSON.parse(lastContent(model.bodies[1] ?? '')) as { data: string };
  const page = JSON.parse(lastContent(model.bodies[2] ?? '')) as { data: { start: number; text: string } };
  const [head = ''] = cut.data.split('… [');
  assert.equal(page.data.start, head.length + 1);
  assert.equal(head + page.data.text, long.slice(0, head.length + page.data.text.length));
  const packed = session.state.packings.map(({ event }) => event.fixed.tools);
  assert.ok((packed[1] ?? 0) > (packed[0] ?? 0));
  const [whole] = session.journal.events.filter((event) => event.type === 'call.finished');
  assert.ok(whole?.type === 'call.finished' && whole.observation !== undefined);
  assert.deepEqual(JSON.parse(session.state.parts.get(whole.observation) ?? ''), {
    success: true,
    data: long,
  });
});

test('C17: a model that reads on as it is told gets every character, though each result and page is cut again', async () => {
  let read = '';
  const readOn = (body: string) => {
    const { data, note = '' } = JSON.parse(lastContent(body)) as {
      data: string | { call: string; end: number; total: number; text: string };
      note?: string;
    };
    if (typeof data === 'string') {
      const [, name = '', input = ''] = /(\w+)\((\{.*\})\)/.exec(note) ?? [];
      [read = ''] = data.split('… [');
      return calls([{ name, arguments: input, id: 'call_2' }]);
    }
    read += data.text;
    if (data.end >= data.total) return says('done');
    const start = data.end + 1;
    return calls([{ name: 'read_result', arguments: { call: data.call, start }, id: `call_${start}` }]);
  };
  const steps = [calls([{ name: 'dump' }]), ...Array.from({ length: 60 }, () => readOn)];
  const model = createScriptedModel(steps);
  const session = createTestSession();
  const context = { max_tokens: 4000, max_message: 400 };
  const agent = await createTestAgent(model, { context, max_iters: 70 }, [dump]);
  assert.equal(await startRun(agent, session, { goal: 'go' }).done, 'done');
  assert.deepEqual(problemsOf(session), []);
  assert.equal(read, long);
});

test('C25 a tool that ignores its end: the call is answered in time, its late result is named and not used', async () => {
  let release: (value: string) => void = () => undefined;
  const slow = defineTool({
    name: 'slow',
    description: 'Ignores its signal.',
    effects: 'outside',
    input: z.object({}),
    timeout: 0.005,
    run: () => new Promise<string>((resolve) => (release = resolve)),
  });
  const session = createTestSession();
  const model = createScriptedModel([calls([{ name: 'slow' }]), says('done')]);
  const agent = await createTestAgent(model, {}, [slow]);
  assert.equal(await startRun(agent, session, { goal: 'go' }).done, 'done');
  const before = session.journal.events.length;
  release('too late');
  await setImmediate();
  const late = session.journal.events.slice(before);
  assert.deepEqual(
    late.map((event) => event.type === 'anomaly' && [event.code, event.detail]),
    [
      [
        'late-result',
        'slow (call 1.1.1) ignored that its time was up and returned later: its result is not used, its effects are unknown',
      ],
    ],
  );
  const [anomaly] = late;
  const about = anomaly?.type === 'anomaly' ? session.journal.events[anomaly.about[0] ?? -1] : undefined;
  assert.equal(about?.type === 'call.finished' && about.outcome, 'timeout');
  assert.ok(
    !JSON.stringify(session.journal.events.filter(({ type }) => type !== 'anomaly')).includes('too late'),
  );
});

test('C25 a tool that heeds its signal leaves no anomaly', async () => {
  const heeding = defineTool({
    name: 'heeding',
    description: 'Ends when it is told to.',
    effects: 'none',
    input: z.object({}),
    timeout: 0.005,
    run: (_input, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel([calls([{ name: 'heeding' }]), says('done')]), {}, [
    heeding,
  ]);
  await startRun(agent, session, { goal: 'go' }).done;
  await setImmediate();
  assert.ok(!session.state.anomalies.some(({ code }) => code === 'late-result'));
});

for (const scope of ['pending', 'history'] as const) {
  test(`a cut result that was edited (${scope}) is read as it was edited, not as the tool said it`, async () => {
    const model = createScriptedModel([
      calls([{ name: 'dump' }]),
      calls([{ name: 'read_result', arguments: { call: '1.1.1' }, id: 'call_2' }]),
      says('done'),
    ]);
    const session = createTestSession();
    const agent = await createTestAgent(model, {}, [dump]);
    const at = scope === 'pending' ? 'observe' : 'plan';
    const run = startRun(agent, session, {
      goal: 'go',
      rules: {
        hits: async ({ kind }) => ({ faults: [], breakpoints: kind === at ? ['here'] : [], phases: [] }),
      },
      onStopped({ kind }) {
        const target = `${currentRound(session.state)?.calls[0]?.message ?? session.state.history[3]}/content`;
        const value = '{"success":true,"data":"three words only"}';
        const isThere = session.state.runs[0]!.rounds.length === (scope === 'pending' ? 1 : 2);
        if (kind === at && isThere) assert.ok(run.apply({ kind: 'set', target, scope, value }).ok);
        setImmediateCallback(() => run.gate.resume('continue'));
      },
    });
    assert.equal(await run.done, 'done');
    assert.deepEqual(problemsOf(session), []);
    const page = JSON.parse(lastContent(model.bodies[2] ?? '')) as { data: { total: number; text: string } };
    assert.deepEqual([page.data.text, page.data.total], ['three words only', 16]);
  });
}

const page = Array.from({ length: 300 }, (_, n) => `line ${n}\n`).join('');
const dumpPage = defineTool({
  name: 'dump_page',
  description: 'Returns a text that is below the cap of a result.',
  effects: 'none',
  input: z.object({}),
  run: () => page,
});
const causes: Readonly<Record<string, object>> = {
  'the cap of a message': { max_tokens: 20_000, max_message: 300 },
  'the room that the newest results share': { max_tokens: 1100, max_message: 1000, reserve: 100 },
};
for (const [cause, context] of Object.entries(causes)) {
  test(`C17: a result that only ${cause} cuts names the call that reads on, in a request that offers it`, async () => {
    let read = '';
    const readOn = (body: string) => {
      const { data, note = '' } = JSON.parse(lastContent(body)) as {
        data: string | { call: string; end: number; total: number; text: string };
        note?: string;
      };
      if (typeof data !== 'string') read += data.text;
      const [, name = '', input = ''] = /(\w+)\((\{.*\})\)/.exec(note) ?? [];
      if (typeof data === 'string') {
        [read = ''] = data.split('… [');
        return calls([{ name, arguments: input, id: 'call_2' }]);
      }
      if (data.end >= data.total) return says('done');
      const next = { call: data.call, start: data.end + 1 };
      return calls([{ name: 'read_result', arguments: next, id: `call_${next.start}` }]);
    };
    const model = createScriptedModel([
      calls([{ name: 'dump_page' }]),
      ...Array.from({ length: 20 }, () => readOn),
    ]);
    const session = createTestSession();
    const agent = await createTestAgent(model, { context, max_iters: 30 }, [dumpPage]);
    assert.equal(await startRun(agent, session, { goal: 'go' }).done, 'done');
    assert.deepEqual(problemsOf(session), []);
    assert.equal(read, page);
    assert.deepEqual(model.bodies.slice(0, 2).map(toolsOf), [['dump_page'], ['dump_page', 'read_result']]);
    // What the tools cost is counted before the request that offers one more.
    const [first, second] = session.state.packings.map(({ event }) => event);
    assert.ok((second?.fixed.tools ?? 0) > (first?.fixed.tools ?? 0));
    assert.ok((second?.total ?? 0) <= (second?.limit ?? 0) - (second?.reserve ?? 0));
  });
}

test('C17: of a call whose result only the context cut, an unknown key is not told that nothing was cut', async () => {
  const model = createScriptedModel([
    calls([{ name: 'dump_page' }]),
    calls([{ name: 'read_result', arguments: { call: '9.9.9' }, id: 'call_2' }]),
    says('done'),
  ]);
  const agent = await createTestAgent(model, { context: { max_tokens: 20_000, max_message: 300 } }, [
    dumpPage,
  ]);
  await startRun(agent, createTestSession(), { goal: 'go' }).done;
  assert.match(lastContent(model.bodies[2] ?? ''), /Calls whose result was cut: 1\.1\.1\./);
});

const look = defineTool({
  name: 'look',
  description: 'Returns a short text.',
  effects: 'none',
  input: z.object({}),
  run: () => 'short '.repeat(60),
});

/** Calls these tools one after the other, under ever larger limits: the last request of each run that ended well. */
async function underLimits(...names: readonly string[]) {
  const seen = [];
  for (let max_tokens = 60; max_tokens < 660; max_tokens += 10) {
    const replies = names.map((name, n) => calls([{ name, id: `call_${n}` }]));
    const model = createScriptedModel([...replies, says('done')]);
    const session = createTestSession();
    const context = { max_tokens, max_message: 120, reserve: 20 };
    const agent = await createTestAgent(model, { context }, [look, dump, dumpPage]);
    const outcome = await startRun(agent, session, { goal: 'go' }).done;
    assert.deepEqual(problemsOf(session), []);
    if (outcome !== 'done') {
      // Where it fits once it fits under any larger limit.
      assert.deepEqual([outcome, seen.length], ['blocked', 0]);
      continue;
    }
    const last = model.bodies.at(-1) ?? '';
    seen.push({
      isOffered: last.includes('"name":"read_result"'),
      isNoted: last.includes('What is left out can be read'),
      isCut: last.includes('characters left out'),
      keepsFirst: last.includes('short short'),
    });
  }
  return seen;
}

test('C17: the tool that reads on is never why nothing can be sent', async () => {
  for (const name of ['dump_page', 'dump']) {
    const seen = await underLimits(name);
    assert.ok(seen.length < 60, name);
    assert.equal(seen[0]?.isOffered, false, name);
    assert.deepEqual(seen.at(-1), { isOffered: true, isNoted: true, isCut: true, keepsFirst: false }, name);
  }
});

test('C17: the tool that reads on costs no message when it is first offered', async () => {
  const seen = await underLimits('look', 'dump_page');
  assert.ok(seen.some(({ isOffered, isCut, keepsFirst }) => isCut && keepsFirst && !isOffered));
  assert.deepEqual(seen.at(-1), { isOffered: true, isNoted: true, isCut: true, keepsFirst: true });
  for (const { isOffered, isNoted } of seen) assert.equal(isOffered, isNoted);
});

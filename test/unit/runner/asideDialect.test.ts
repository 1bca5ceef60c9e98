/** C11 for requests beside the conversation: they recover as the rounds do, and both know what either has learnt. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers';
import type { WireMessage } from '../../../src/core/messages.ts';
import { createOpenAiClient } from '../../../src/planner/openaiClient.ts';
import { remember } from '../../../src/runner/remember.ts';
import { type Agent, startRun } from '../../../src/runner/run.ts';
import { createJournal } from '../../../src/session/journal.ts';
import { openSession, type Session } from '../../../src/session/session.ts';
import { dump } from '../../doubles/dumpTool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { calls, createScriptedModel, fails, says } from '../../doubles/scriptedModel.ts';
import {
  createScriptedServer,
  json,
  repliesCalls,
  repliesText,
  type ScriptedAnswer,
} from '../../doubles/scriptedServer.ts';
import { anomalyCodes, eventsOf, type SentBody } from '../../doubles/serverRun.ts';
import { strictRefusal } from '../../doubles/strictApi.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'aside-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const never = new AbortController().signal;
const parameters = { max_tokens: 500, top_p: 0.9 };
const isAside = (body: SentBody) => !('tools' in body);
const done = repliesText('done');
const summary = repliesText('Goal: go. The dumps hold lorem.');
const dumps = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    repliesCalls([{ name: 'dump', arguments: { words: 300 }, id: `c${n}` }]),
  );

type Rule = (body: SentBody) => ScriptedAnswer | undefined;

interface Talk {
  readonly session: Session;
  readonly agent: Agent;
  readonly sent: () => readonly SentBody[];
}

/** An agent on a strict server that refuses, besides what any does, what the rule says. */
async function talk(
  t: TestContext,
  script: readonly ScriptedAnswer[],
  rule: Rule,
  settings: Parameters<typeof createTestAgent>[1] = {},
): Promise<Talk> {
  const server = await createScriptedServer(script, {
    refuse: (body) => strictRefusal(body) ?? rule(JSON.parse(body) as SentBody),
  });
  t.after(() => server.close());
  const client = createOpenAiClient({ apiBase: server.apiBase, overflowPatterns: [] });
  const agent = await createTestAgent(client, { max_iters: 30, parameters, ...settings }, [dump]);
  const memory = { file: path.join(folder, `${++files}.json`), name: 'test.memory.json' };
  const sent = () => server.requests.map(({ body }) => JSON.parse(body) as SentBody);
  return { session: createTestSession(), agent: { ...agent, memory }, sent };
}

const summarize = { context: { policy: 'summarize', max_tokens: 2000, reserve: 200 } } as const;

/** A session with one side request; what the rounds before and after it are answered is in the script. */
const asides: Readonly<
  Record<
    string,
    (t: TestContext, rule: Rule, settings?: Parameters<typeof createTestAgent>[1]) => Promise<Talk>
  >
> = {
  async summary(t, rule, settings = {}) {
    const script = [...dumps(5), summary, done, done];
    const talked = await talk(t, script, rule, { ...summarize, ...settings });
    assert.equal(await startRun(talked.agent, talked.session, { goal: 'go' }).done, 'done');
    assert.ok(talked.session.state.folded.size > 0);
    assert.equal(await startRun(talked.agent, talked.session, { goal: 'more' }).done, 'done');
    return talked;
  },
  async memory(t, rule, settings = {}) {
    const talked = await talk(t, [...dumps(1), done, summary, done], rule, settings);
    assert.equal(await startRun(talked.agent, talked.session, { goal: 'go' }).done, 'done');
    const saved = await remember(talked.agent, talked.session, never);
    assert.equal(saved.kind, 'saved', JSON.stringify(saved));
    assert.equal(await startRun(talked.agent, talked.session, { goal: 'more' }).done, 'done');
    return talked;
  },
};

const refusedField = (field: string) =>
  json(400, {
    error: { message: `Unsupported parameter: '${field}' is not supported with this model.`, param: field },
  });
const refusedRole = (role: string) =>
  json(400, {
    error: {
      message: `Unsupported value: 'messages[0].role' does not support '${role}' with this model.`,
      param: 'messages[0].role',
      code: 'unsupported_value',
    },
  });
const without =
  (field: string): Rule =>
  (body) =>
    field in body ? refusedField(field) : undefined;
const withoutRole =
  (role: string): Rule =>
  (body) =>
    body.messages[0]?.role === role ? refusedRole(role) : undefined;

const refusals: Readonly<Record<string, Rule>> = {
  temperature: without('temperature'),
  max_tokens: without('max_tokens'),
  top_p: without('top_p'),
  stream: without('stream'),
  stream_options: without('stream_options'),
  'the role system': withoutRole('system'),
  'both temperature and max_tokens': (body) => without('temperature')(body) ?? without('max_tokens')(body),
};

for (const [purpose, play] of Object.entries(asides)) {
  for (const [what, rule] of Object.entries(refusals)) {
    test(`C11: ${purpose}: refused only beside the conversation (${what}), it recovers and the rounds know it`, async (t) => {
      let refused = 0;
      // From the first side request on, so that only this one can learn it.
      const late: Rule = (body) => {
        const refusal = refused > 0 || isAside(body) ? rule(body) : undefined;
        if (refusal) refused++;
        return refusal;
      };
      const { session, sent } = await play(t, late);
      const asked = sent();
      const first = asked.findIndex(isAside);
      const fields = what.startsWith('both') ? 2 : 1;
      assert.equal(refused, fields);
      assert.equal(asked.filter(isAside).length, fields + 1);
      assert.ok(asked.slice(first + fields).every((body) => rule(body) === undefined));
      if (what === 'max_tokens') assert.equal(asked.at(-1)?.['max_completion_tokens'], 500);
      if (what === 'the role system') assert.equal(asked.at(-1)?.messages[0]?.role, 'developer');
      const rewrites = eventsOf(session, 'anomaly').filter(({ code }) => code === 'request-rewritten');
      assert.equal(rewrites.length, fields);
      assert.ok(eventsOf(session, 'edited').every(({ by, scope }) => by === 'repair' && scope === 'request'));
      assert.deepEqual(problemsOf(session), []);
    });

    test(`C11: ${purpose}: what the rounds have learnt (${what}) is not tried again beside them`, async (t) => {
      const { session, sent } = await play(t, rule);
      const asked = sent();
      assert.ok(asked.filter(isAside).every((body) => rule(body) === undefined));
      assert.equal(asked.filter(isAside).length, 1);
      assert.ok(anomalyCodes(session).includes('request-rewritten'));
      assert.deepEqual(problemsOf(session), []);
    });
  }

  test(`C11: ${purpose}: what it has learnt holds for the session when it is opened again`, async (t) => {
    const rule: Rule = (body) => (isAside(body) ? without('temperature')(body) : undefined);
    const { session, agent, sent } = await play(t, rule);
    const past = session.journal.events;
    const reopened = openSession(createJournal({ clock: createFixedClock(), past }), { id: 's', agent: 'a' });
    assert.deepEqual(reopened.state.repairs, session.state.repairs);
    const before = sent().length;
    const model = createScriptedModel([says('done')], agent.model.url);
    await startRun({ ...agent, model }, reopened, { goal: 'again' }).done;
    assert.equal(sent().length, before);
    assert.ok(!('temperature' in (JSON.parse(model.bodies[0] ?? '{}') as object)));
  });

  test(`C11: ${purpose}: what is said of tools and of the answer's form is not sent beside the conversation`, async (t) => {
    const settings = {
      parameters: {
        tool_choice: 'auto',
        parallel_tool_calls: false,
        response_format: { type: 'json_object' },
        seed: 7,
      },
    };
    const { session, sent } = await play(t, () => undefined, settings);
    const aside = sent().find(isAside);
    assert.ok(aside && 'seed' in aside);
    for (const name of Object.keys(settings.parameters).slice(0, 3)) assert.ok(!(name in aside), name);
    assert.ok('tool_choice' in sent().at(-1)!);
    assert.deepEqual(anomalyCodes(session), []);
  });

  test(`C11: ${purpose}: instructions under another role are told of, as in a round`, async (t) => {
    const { session } = await play(t, withoutRole('system'));
    const requests = eventsOf(session, 'model.requested').filter((event) => event.purpose === purpose);
    const notes = eventsOf(session, 'anomaly').filter(({ code }) => code === 'role-rewritten');
    assert.ok(notes.some(({ about }) => about[0] === requests[0]?.seq));
  });
}

test('C11: a server that refuses whatever comes is asked four times at most, and nothing changes', async (t) => {
  const rule: Rule = (body) => {
    const field = Object.keys(body).find((name) => name !== 'model' && name !== 'messages') ?? 'seed';
    return isAside(body) ? refusedField(`${field}`) : undefined;
  };
  const { session, agent, sent } = await talk(t, [...dumps(1), done], rule);
  await startRun(agent, session, { goal: 'go' }).done;
  const remembered = await remember(agent, session, never);
  assert.ok(remembered.kind === 'failed' && /not supported/.test(remembered.why));
  assert.ok(sent().filter(isAside).length <= 4);
  assert.deepEqual(problemsOf(session), []);
});

test('C11: a refusal of a value is for the user to correct: the side request is sent once', async (t) => {
  const rule: Rule = (body) =>
    isAside(body) ? json(400, { error: { message: 'max_tokens must be at most 400' } }) : undefined;
  const { session, agent, sent } = await talk(t, [done], rule);
  await startRun(agent, session, { goal: 'go' }).done;
  assert.equal((await remember(agent, session, never)).kind, 'failed');
  assert.equal(sent().filter(isAside).length, 1);
  assert.ok(!anomalyCodes(session).includes('request-rewritten'));
});

test('C11: a role that a side request in vain has learnt is sent by the next round, though its messages are the same', async (t) => {
  let isNewer = false;
  const rule: Rule = (body) => {
    isNewer ||= isAside(body);
    return isNewer && body.messages[0]?.role === 'system' ? refusedRole('system') : undefined;
  };
  const script = [...dumps(5), repliesText(''), repliesText(''), done];
  const { session, agent, sent } = await talk(t, script, rule, summarize);
  assert.equal(await startRun(agent, session, { goal: 'go' }).done, 'done');
  const bodies = sent();
  const after = bodies.slice(bodies.findIndex(isAside)).filter((body) => !isAside(body));
  const before = bodies[bodies.findIndex(isAside) - 1];
  assert.equal(before?.messages[0]?.role, 'system');
  assert.ok(after.length > 0 && (after[0]?.messages.length ?? 0) > before.messages.length);
  assert.deepEqual([...new Set(after.map(({ messages }) => messages[0]?.role))], ['developer']);
});

test("C11: a side request's refusal is not taken for the round's: its edits and its model stay what they are", async () => {
  const refused = fails('bad-request', { status: 400, refused: ['temperature'] });
  const small = { tokens: { asked: 2000, limit: 1500 } };
  const asideStep = (text: string) =>
    'temperature' in (JSON.parse(text) as object) ? refused : says('Goal: go. The dumps hold lorem.');
  const dumped = (n: number) => calls([{ name: 'dump', arguments: { words: 300 }, id: `c${n}` }]);
  const script = [dumped(1), dumped(2), fails('overflow', small), asideStep, asideStep, says('done')];
  const model = createScriptedModel(script);
  const session = createTestSession();
  const agent = await createTestAgent(model, { ...summarize, max_iters: 30 }, [dump]);
  const run = startRun(agent, session, {
    goal: 'go',
    rules: {
      hits: async ({ kind }) => ({ faults: [], breakpoints: kind === 'plan' ? ['x'] : [], phases: [] }),
    },
    onStopped({ kind }) {
      if (kind === 'plan' && model.bodies.length === 2)
        for (const [name, value] of [
          ['temperature', 0.5],
          ['model', 'other'],
        ] as const)
          assert.ok(run.apply({ kind: 'set', target: `request/${name}`, scope: 'request', value }).ok, name);
      setImmediate(() => run.gate.resume('continue'));
    },
  });
  assert.equal(await run.done, 'done');
  assert.deepEqual(problemsOf(session), []);
  const bodies = model.bodies.map(
    (body) => JSON.parse(body) as { model: string; temperature?: number; messages: WireMessage[] },
  );
  assert.deepEqual(
    bodies.map(({ model: name, temperature }) => [name, temperature]),
    [
      ['test-model', 0.3],
      ['test-model', 0.3],
      ['other', 0.5],
      ['test-model', 0.3],
      ['test-model', undefined],
      ['other', 0.5],
    ],
  );
  assert.deepEqual(
    session.state.repairs.map((repair) => repair.model),
    ['test-model'],
  );
});

const tooLong: Readonly<Record<string, Parameters<typeof fails>[1]>> = {
  'with numbers': { tokens: { asked: 4000, limit: 1500 } },
  'with the limit alone': { tokens: { limit: 1500 } },
  'without numbers': {},
};
for (const [what, told] of Object.entries(tooLong))
  test(`C18: a side request that is too long (${what}) is asked once more, with less of the text`, async () => {
    const goal = 'one two three four '.repeat(1000);
    const last = says('A summary.');
    const model = createScriptedModel([says('done'), fails('overflow', told), last, says('done')]);
    const agent = await createTestAgent(model, { context: { max_tokens: 8000, reserve: 500 } }, [dump]);
    const memory = { file: path.join(folder, `${++files}.json`), name: 'test.memory.json' };
    const session = createTestSession();
    await startRun(agent, session, { goal }).done;
    assert.equal((await remember({ ...agent, memory }, session, never)).kind, 'saved');
    const [, whole, shorter] = model.bodies.map((body) => body.length);
    assert.ok(shorter! < 0.8 * whole!, `${shorter} of ${whole}`);
    if (what === 'with numbers')
      assert.ok(shorter! < (whole! * 1000) / 4000 + 1000, `${shorter} of ${whole}`);
    assert.deepEqual(anomalyCodes(session), ['memory-shortened']);
    assert.deepEqual(problemsOf(session), []);
  });

test('C18: a side request that stays too long, or has nothing to leave out, ends with what the server said', async () => {
  for (const [goal, asked] of [
    ['one two three four '.repeat(1000), 2],
    ['short', 1],
  ] as const) {
    const model = createScriptedModel([
      says('done'),
      ...Array.from({ length: asked }, () => fails('overflow')),
    ]);
    const agent = await createTestAgent(model, {}, [dump]);
    const memory = { file: path.join(folder, `${++files}.json`), name: 'test.memory.json' };
    const session = createTestSession();
    await startRun(agent, session, { goal }).done;
    assert.equal((await remember({ ...agent, memory }, session, never)).kind, 'failed');
    model.assertDone();
    assert.deepEqual(problemsOf(session), []);
  }
});

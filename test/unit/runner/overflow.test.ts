/** C18: an overflow is recognised in any wording, corrects the window, and is packed again once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  json,
  repliesCalls,
  repliesText,
  type ScriptedAnswer,
  streamed,
} from '../../doubles/scriptedServer.ts';
import { startRun } from '../../../src/runner/run.ts';
import { builtinTools } from '../../../src/toolbox/builtinTools.ts';
import { anomalyCodes, eventsOf, runOnServer } from '../../doubles/serverRun.ts';
import { createScriptedModel, fails, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';
import { strictRefusal } from '../../doubles/strictApi.ts';

const done = repliesText('done');
const filler = 'one two three four five six seven eight nine ten '.repeat(20);

/** A session with some old runs in it, so that there is something to leave out. */
async function grown(
  t: Parameters<typeof runOnServer>[0],
  more: Partial<Parameters<typeof runOnServer>[1]> = {},
) {
  const session = createTestSession();
  const { server } = await runOnServer(t, {
    script: [done, done, done],
    session,
    goal: `Task 1. ${filler}`,
    settings,
    tools,
    ...more,
  });
  for (const n of [2, 3])
    await runOnServer(t, { script: [], server, session, tools, goal: `Task ${n}. ${filler}`, settings });
  return { session, server };
}

/** One small tool: the schemas of more would fill the small windows of these tests. */
const tools = builtinTools.filter(({ spec }) => spec.name === 'calculator');
const settings = { context: { max_tokens: 4000, reserve: 100 } };
const overflow = (message: string, rest: object = {}) => json(400, { error: { message, ...rest } });
const packings = (session: Parameters<typeof eventsOf>[0]) => eventsOf(session, 'context.packed');

/** The server's window in characters of the body: whatever it counts with. */
const tooLong = (bytes: number, answer: ScriptedAnswer) => (body: string) =>
  body.length > bytes ? answer : undefined;

const wordings: readonly (readonly [string, ScriptedAnswer])[] = [
  [
    'numbers',
    overflow('maximum context length is 500 tokens, however you requested 1001 tokens', {
      code: 'context_length_exceeded',
    }),
  ],
  [
    'structured numbers',
    overflow('too much', { type: 'exceed_context_size_error', n_prompt_tokens: 1001, n_ctx: 500 }),
  ],
  ['no numbers', overflow('Context size has been exceeded.')],
  ['413', { status: 413, body: ['Request Entity Too Large'] }],
  [
    'inside a 200 stream',
    streamed([{ error: { message: 'maximum context length is 500 tokens, however you requested 1001' } }]),
  ],
];
for (const [what, answer] of wordings) {
  test(`C18: ${what}: packed again under a smaller window, once; the next run starts from there`, async (t) => {
    let limit = Infinity;
    const { session, server } = await grown(t, {
      script: [done, done, done, done, done],
      refuse: (body) => tooLong(limit, answer)(body),
    });
    const whole = packings(session).at(-1)!;
    limit = 3200;
    const fourth = await runOnServer(t, {
      script: [],
      server,
      session,
      tools,
      goal: `Task 4. ${filler}`,
      settings,
    });
    assert.equal(fourth.outcome, 'done', fourth.why);
    assert.equal(fourth.sent.length, 2);
    assert.ok(fourth.sent[1]!.messages.length < fourth.sent[0]!.messages.length);
    const again = packings(session).at(-1)!;
    assert.ok(again.limit! < whole.limit! && again.total < whole.total);
    assert.deepEqual(anomalyCodes(session), ['window-corrected']);
    const fifth = await runOnServer(t, { script: [], server, session, tools, goal: 'Task 5.', settings });
    assert.equal(fifth.sent.length, 1);
    assert.equal(packings(session).at(-1)!.limit, again.limit);
  });
}

test('C18 with summarize: what the smaller window does not hold is folded, in a request that it holds', async (t) => {
  let limit = Infinity;
  const folding = { context: { ...settings.context, policy: 'summarize' } } as const;
  const { session, server } = await grown(t, {
    script: [done, done, done, repliesText('Tasks 1 to 3 are done.'), done],
    refuse: (body) => tooLong(limit, wordings[0]![1])(body),
    settings: folding,
  });
  limit = 3200;
  const fourth = await runOnServer(t, {
    script: [],
    server,
    session,
    tools,
    goal: 'Task 4.',
    settings: folding,
  });
  assert.equal(fourth.outcome, 'done', fourth.why);
  assert.equal(fourth.sent.length, 3);
  assert.ok(JSON.stringify(fourth.sent[2]).includes('Tasks 1 to 3 are done.'));
});

test('C18: what another model refused, that an edit named, holds for that model', async () => {
  const model = createScriptedModel([
    fails('overflow', { tokens: { asked: 1001, limit: 500 } }),
    says('done'),
  ]);
  const session = createTestSession();
  const agent = await createTestAgent(model, settings, tools);
  for (const n of [1, 2, 3]) session.begin(`Task ${n}. ${filler}`, agent.config, agent.systemOrigin);
  const run = startRun(agent, session, {
    goal: 'Task 4.',
    rules: {
      hits: async ({ kind }) => ({ faults: [], breakpoints: kind === 'plan' ? ['x'] : [], phases: [] }),
    },
    onStopped({ kind }) {
      if (kind === 'plan')
        assert.ok(run.apply({ kind: 'set', target: 'request/model', scope: 'request', value: 'small' }).ok);
      setImmediate(() => run.gate.resume('continue'));
    },
  });
  assert.equal(await run.done, 'done');
  assert.deepEqual(problemsOf(session), []);
  const [whole, again] = model.bodies.map((body) => (JSON.parse(body) as { messages: unknown[] }).messages);
  assert.ok(again!.length < whole!.length);
});

test('C18: numbers of the error are in the journal and in the window', async (t) => {
  const answer = wordings[0]![1];
  let limit = Infinity;
  const { session, server } = await grown(t, {
    script: [done, done, done, done],
    refuse: (body) => tooLong(limit, answer)(body),
  });
  limit = 3200;
  await runOnServer(t, { script: [], server, session, tools, goal: `Task 4. ${filler}`, settings });
  const [failed] = eventsOf(session, 'model.failed');
  assert.deepEqual([failed?.class, failed?.tokens], ['overflow', { asked: 1001, limit: 500 }]);
  assert.ok(packings(session).at(-1)!.limit! <= 500);
});

test('C18: a server that overflows whatever is sent is asked twice at most', async (t) => {
  const { session } = await grown(t);
  const endless = await runOnServer(t, {
    script: [],
    session,
    goal: `Task 4. ${filler}`,
    settings,
    refuse: () => overflow('Context size has been exceeded.'),
  });
  assert.ok(endless.outcome === 'failed' || endless.outcome === 'blocked');
  assert.match(endless.why, /exceeded/);
  assert.ok(endless.sent.length <= 2);
});

test('C18: where nothing can leave, it ends with the numbers and is not asked again', async (t) => {
  const { outcome, why, sent } = await runOnServer(t, {
    script: [],
    goal: filler,
    settings,
    refuse: () => overflow('maximum context length is 150 tokens, however you requested 300'),
  });
  assert.equal(outcome, 'blocked');
  assert.equal(sent.length, 1);
  assert.match(why, /150.*needs \d+ tokens/s);
});

test('C18: an unexplained 400 near the window is taken for an overflow; far from it, or explained, it is not', async (t) => {
  const nearly = { context: { max_tokens: 320, reserve: 100 } };
  const cases: readonly (readonly [ScriptedAnswer, string, typeof settings])[] = [
    [json(400, { error: { message: 'Bad Request' } }), 'overflow', nearly],
    [{ status: 413, body: [''] }, 'overflow', nearly],
    [json(400, { error: { message: 'Bad Request' } }), 'bad-request', settings],
    [json(400, { error: { message: 'max_tokens must be at most 4096' } }), 'bad-request', nearly],
    [json(400, { error: { message: 'Wrong value', param: 'temperature' } }), 'bad-request', nearly],
    [json(400, { error: { message: 'The model `x` does not exist' } }), 'bad-request', nearly],
    [json(401, { error: { message: 'no' } }), 'auth', nearly],
  ];
  for (const [answer, expected, agent] of cases) {
    const { session } = await runOnServer(t, {
      script: [],
      goal: filler,
      settings: agent,
      tools: [],
      refuse: () => answer,
    });
    const failed = eventsOf(session, 'model.failed').map((event) => event.class);
    assert.equal(failed[0], expected, JSON.stringify(answer.body));
  }
});

test("C18: a pattern of the user's own, with numbers", async (t) => {
  const own = {
    context: { ...settings.context, overflow_patterns: ['zu lang: (?<asked>\\d+) von (?<limit>\\d+)'] },
  };
  const { session } = await runOnServer(t, {
    script: [],
    goal: filler,
    settings: own,
    refuse: () => json(400, { error: { message: 'Anfrage ZU LANG: 900 von 200' } }),
  });
  const [failed] = eventsOf(session, 'model.failed');
  assert.deepEqual([failed?.class, failed?.tokens], ['overflow', { asked: 900, limit: 200 }]);
});

test('C18: packed again in the middle of a run, the history stays legal and calls keep their results', async (t) => {
  let limit = Infinity;
  const call = (n: number) =>
    repliesCalls([{ name: 'calculator', id: `c${n}`, arguments: { expression: `${n}+1` } }]);
  const { session, server } = await grown(t, {
    script: [done, done, done, call(1), call(2), done],
    refuse: (body) => strictRefusal(body) ?? tooLong(limit, wordings[2]![1])(body),
  });
  limit = 3200;
  const run = await runOnServer(t, {
    script: [],
    server,
    session,
    tools,
    goal: `Task 4. ${filler}`,
    settings,
  });
  assert.equal(run.outcome, 'done', run.why);
  // Each refusal is answered by one smaller packing.
  assert.equal(anomalyCodes(session).filter((code) => code === 'window-corrected').length, server.refusals);
  assert.ok(server.refusals > 0);
});

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
import { anomalyCodes, eventsOf, runOnServer, type SentBody } from '../../doubles/serverRun.ts';
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

/** A server that counts a token for eight characters of the messages, and takes `window` of them with the reply. */
function narrow(window: number, say: (input: number, reply: number) => string) {
  return (body: string): ScriptedAnswer | undefined => {
    const { messages, max_tokens, max_completion_tokens } = JSON.parse(body) as SentBody;
    const input = Math.ceil(JSON.stringify(messages).length / 8);
    const reply = Number(max_tokens ?? max_completion_tokens ?? 0);
    return input + reply > window ? overflow(say(input, reply)) : undefined;
  };
}

const replyWordings: Readonly<Record<string, (window: number) => (input: number, reply: number) => string>> =
  {
    vLLM: (window) => (input, reply) =>
      `'max_tokens' or 'max_completion_tokens' is too large: ${reply}. This model's maximum context length is ${window} tokens and your request has ${input} input tokens (${reply} > ${window} - ${input}).`,
    OpenAI: (window) => (input, reply) =>
      `This model's maximum context length is ${window} tokens. However, you requested ${input + reply} tokens (${input - 10} in the messages, 10 in the functions, and ${reply} in the completion). Please reduce the length of the messages, functions, or completion.`,
    OpenRouter: (window) => (input, reply) =>
      `This endpoint's maximum context length is ${window} tokens. However, you requested about ${input + reply} tokens (${input} of text input, ${reply} in the output). Please reduce the length of either one.`,
    Anthropic: (window) => (input, reply) =>
      `input length and \`max_tokens\` exceed context limit: ${input} + ${reply} > ${window}, decrease input length or \`max_tokens\` and try again`,
    TGI: (window) => (input, reply) =>
      `\`inputs\` tokens + \`max_new_tokens\` must be <= ${window}. Given: ${input} \`inputs\` tokens and ${reply} \`max_new_tokens\``,
    SGLang: (window) => (input, reply) =>
      `Requested token count exceeds the model's maximum context length of ${window} tokens. You requested a total of ${input + reply} tokens: ${input} tokens from the input messages and ${reply} tokens for the completion.`,
  };
for (const [server, say] of Object.entries(replyWordings)) {
  test(`a reply that does not fit beside the request, as ${server} says it: it is asked for shorter, and no message leaves`, async (t) => {
    const asking = { ...settings, parameters: { max_tokens: 3900 } };
    const refuse = narrow(4000, say(4000));
    const { session, server: http } = await grown(t, {
      refuse,
      settings: asking,
      script: [done, done, done, done],
    });
    const shorter = eventsOf(session, 'anomaly').map(({ code, detail }) => `${code}: ${detail}`);
    assert.match(shorter[0] ?? '', /^request-rewritten: max_tokens 3900 does not fit .*4000 tokens in all/);
    assert.ok(!anomalyCodes(session).includes('window-corrected'));
    const fourth = await runOnServer(t, {
      script: [],
      server: http,
      session,
      tools,
      goal: 'Task 4.',
      settings: asking,
    });
    assert.equal(fourth.outcome, 'done', fourth.why);
    // What fits is remembered: it is not asked for too much in every round.
    assert.equal(fourth.sent.length, 1);
    assert.equal(fourth.sent[0]!.messages.length, 8);
    const asked = Number(fourth.sent[0]!['max_tokens']);
    assert.ok(asked > 1000 && asked < 3900, String(asked));
  });
}

test('a reply that may have no less than the reserve: then messages leave after all', async (t) => {
  const keeping = { context: { max_tokens: 4000, reserve: 500 }, parameters: { max_tokens: 600 } };
  const refuse = narrow(1000, replyWordings['vLLM']!(1000));
  const { session } = await grown(t, { refuse, settings: keeping, script: [done, done, done] });
  const last = await runOnServer(t, {
    script: [done],
    session,
    refuse,
    tools,
    goal: `Task 4. ${filler}`,
    settings: keeping,
  });
  assert.equal(last.outcome, 'done', last.why);
  assert.deepEqual(anomalyCodes(session), ['window-corrected']);
  assert.ok(Number(last.sent.at(-1)!['max_tokens']) >= 500);
});

test('a length of the reply that the user sets for one request is asked for as it stands', async () => {
  const model = createScriptedModel([
    fails('overflow', { tokens: { asked: 4100, limit: 4000, reply: 3900 } }),
    says('first'),
    says('second'),
  ]);
  const session = createTestSession();
  const agent = await createTestAgent(model, { ...settings, parameters: { max_tokens: 3900 } }, tools);
  await startRun(agent, session, { goal: 'One.' }).done;
  const run = startRun(agent, session, {
    goal: 'Two.',
    rules: {
      hits: async ({ kind }) => ({ faults: [], breakpoints: kind === 'plan' ? ['x'] : [], phases: [] }),
    },
    onStopped({ kind }) {
      if (kind === 'plan')
        assert.ok(run.apply({ kind: 'set', target: 'request/max_tokens', scope: 'request', value: 3850 }).ok);
      setImmediate(() => run.gate.resume('continue'));
    },
  });
  assert.equal(await run.done, 'done');
  assert.deepEqual(problemsOf(session), []);
  const asked = model.bodies.map((body) => (JSON.parse(body) as SentBody)['max_tokens']);
  assert.deepEqual(asked, [3900, 2850, 3850]);
});

/** Whole runs against a server that refuses whatever the real API refuses (C02, C04, C05, C09, C10, C12, C24). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { createJournal } from '../../../src/session/journal.ts';
import { openSession } from '../../../src/session/session.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createOpenAiClient } from '../../../src/planner/openaiClient.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import type { Tool } from '../../../src/toolbox/tool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import {
  createScriptedServer,
  end,
  fin,
  hold,
  json,
  repliesCalls,
  repliesText,
  reset,
  type ScriptedAnswer,
  sse,
  streamed,
} from '../../doubles/scriptedServer.ts';
import { anomalyCodes, eventsOf, runOnServer } from '../../doubles/serverRun.ts';
import { strictRefusal } from '../../doubles/strictApi.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const done = repliesText('done');

function grep(ran: unknown[] = []): Tool {
  return defineTool({
    name: 'grep',
    description: 'Searches.',
    effects: 'none',
    input: z.object({ q: z.string().optional() }),
    run: (input) => ran.push(input),
  });
}

/** A reply whose chunks' deltas are given as they are. */
const chunks = (deltas: readonly unknown[], finish: string | null = 'tool_calls') =>
  streamed([
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ]);
const fragment = (id: string | undefined, args: unknown, name = 'grep') => ({
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name, arguments: args },
});

/** Replies of odd servers: what they hold is executed, or comes back to the model; the next request is legal. */
const oddReplies: readonly (readonly [string, ScriptedAnswer, readonly unknown[]])[] = [
  ['arguments ""', chunks([{ tool_calls: [{ index: 0, ...fragment('a', '') }] }]), [{}]],
  [
    'arguments absent',
    chunks([{ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'grep' } }] }]),
    [{}],
  ],
  [
    'arguments an object',
    chunks([{ tool_calls: [{ index: 0, ...fragment('a', { q: 'x' }) }] }]),
    [{ q: 'x' }],
  ],
  ['arguments cut', chunks([{ tool_calls: [{ index: 0, ...fragment('a', '{"q": "x') }] }]), []],
  ['arguments an array', chunks([{ tool_calls: [{ index: 0, ...fragment('a', '[1]') }] }]), []],
  ['no id', chunks([{ tool_calls: [{ index: 0, ...fragment(undefined, '{}') }] }]), [{}]],
  [
    'no index',
    chunks([{ tool_calls: [fragment('a', '{"q":"1"}'), fragment('b', '{"q":"2"}')] }]),
    [{ q: '1' }, { q: '2' }],
  ],
  [
    'the same id twice',
    chunks([
      {
        tool_calls: [
          { index: 0, ...fragment('a', '{"q":"1"}') },
          { index: 1, ...fragment('a', '{"q":"2"}') },
        ],
      },
    ]),
    [{ q: '1' }, { q: '2' }],
  ],
  ['an unknown tool', chunks([{ tool_calls: [{ index: 0, ...fragment('a', '{}', 'grap') }] }]), []],
  [
    'an illegal tool name',
    chunks([{ tool_calls: [{ index: 0, ...fragment('a', '{}', 'my grep/1.0') }] }]),
    [],
  ],
  [
    'a very long tool name',
    chunks([{ tool_calls: [{ index: 0, ...fragment('a', '{}', 'g'.repeat(300)) }] }]),
    [],
  ],
  [
    'half a surrogate pair',
    chunks([{ content: 'x \uD83D', tool_calls: [{ index: 0, ...fragment('a', '{"q":"\\ud83d"}') }] }]),
    [{ q: '\uFFFD' }],
  ],
  [
    'label stop',
    chunks([{ content: 'Let me look. ', tool_calls: [{ index: 0, ...fragment('a', '{}') }] }], 'stop'),
    [{}],
  ],
  ['label null', chunks([{ tool_calls: [{ index: 0, ...fragment('a', '{}') }] }], null), [{}]],
  ['label other', chunks([{ tool_calls: [{ index: 0, ...fragment('a', '{}') }] }], 'other'), [{}]],
  [
    'empty content beside calls',
    chunks([{ content: '', tool_calls: [{ index: 0, ...fragment('a', '{}') }] }]),
    [{}],
  ],
  [
    'content in parts',
    chunks([{ content: [{ type: 'text', text: 'hm' }], tool_calls: [{ index: 0, ...fragment('a', '{}') }] }]),
    [{}],
  ],
  [
    'plain JSON where a stream was asked',
    json(200, {
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: { role: 'assistant', content: '', tool_calls: [fragment('a', { q: 'y' })] },
        },
      ],
    }),
    [{ q: 'y' }],
  ],
  [
    'a stream under the wrong content type',
    { ...repliesCalls([{ name: 'grep', id: 'a' }]), headers: { 'content-type': 'text/html' } },
    [{}],
  ],
];
for (const [what, reply, expected] of oddReplies) {
  test(`strict server: ${what}`, async (t) => {
    const ran: unknown[] = [];
    const { outcome, why, server } = await runOnServer(t, {
      script: [reply, done],
      tools: [grep(ran)],
      refuse: strictRefusal,
    });
    assert.equal(outcome, 'done', why);
    assert.deepEqual([ran, server.refusals], [expected, 0]);
  });
}

test('C12: ids that come again in every round: three executions, three results, legal requests', async (t) => {
  const ran: unknown[] = [];
  const call = (q: string) => ({ name: 'grep', id: 'grep:0', arguments: { q } });
  const { outcome, session, sent } = await runOnServer(t, {
    script: [repliesCalls([call('a')]), repliesCalls([call('b'), call('c')]), done],
    tools: [grep(ran)],
    refuse: strictRefusal,
  });
  assert.equal(outcome, 'done');
  assert.deepEqual(ran, [{ q: 'a' }, { q: 'b' }, { q: 'c' }]);
  const last = sent.at(-1)!.messages;
  assert.equal(last.filter(({ role }) => role === 'tool').length, 3);
  assert.deepEqual(
    eventsOf(session, 'call.finished').map(({ key }) => key),
    ['1.1.1', '1.2.1', '1.2.2'],
  );
  assert.ok(anomalyCodes(session).includes('ids-rewritten'));
});

/** Endings that cut a reply in the middle of a call. */
const half = `data: ${JSON.stringify({
  choices: [
    {
      delta: {
        content: 'I write.',
        tool_calls: [
          { index: 0, ...fragment('a', '{"q":"whole"}') },
          { index: 1, ...fragment('b', '{"q":"hal') },
        ],
      },
    },
  ],
})}\n\n`;
const cuts: readonly (readonly [string, ScriptedAnswer, string])[] = [
  ['FIN', sse(half, fin), 'cut'],
  ['RST', sse(half, reset), 'cut'],
  ['a proper end', sse(half, end), 'cut'],
  [
    'an error in the stream',
    sse(half, 'event: error\ndata: {"error":"upstream went away"}\n\n', end),
    'server',
  ],
];
for (const [what, answer, kind] of cuts) {
  test(`C05: ${what} in the middle of a call: nothing of it runs, nothing of it is remembered`, async (t) => {
    const ran: unknown[] = [];
    const { outcome, session, sent } = await runOnServer(t, {
      script: [answer, answer, answer, answer],
      tools: [grep(ran)],
      refuse: strictRefusal,
    });
    assert.deepEqual([outcome, ran, sent.length], ['failed', [], 4]);
    const failures = eventsOf(session, 'model.failed');
    assert.ok(failures.every((failure) => failure.class === kind));
    assert.equal(session.state.parts.get(failures[0]?.partial ?? ''), 'I write.');
    // Instructions and goal.
    assert.equal(session.state.history.length, 2);
  });
}

test('C05: cut by the token limit: whole calls run, the cut one does not; cancelled: nothing runs', async (t) => {
  const ran: unknown[] = [];
  const limited = await runOnServer(t, {
    script: [
      sse(half, 'data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\ndata: [DONE]\n\n'),
      done,
    ],
    tools: [grep(ran)],
    refuse: strictRefusal,
  });
  assert.deepEqual([limited.outcome, ran], ['done', [{ q: 'whole' }]]);
  assert.ok(anomalyCodes(limited.session).includes('calls-cut'));

  const server = await createScriptedServer([sse(half, hold)], { refuse: strictRefusal });
  t.after(() => server.close());
  const session = createTestSession();
  const agent = await createTestAgent(createOpenAiClient(server), {}, [grep(ran)]);
  const run = startRun(agent, session, { goal: 'go', onText: () => run.cancel() });
  assert.equal(await run.done, 'cancelled');
  assert.deepEqual([ran.length, session.state.history.length, problemsOf(session)], [1, 2, []]);
  assert.equal(eventsOf(session, 'model.failed')[0]?.class, 'cancelled');
});

// ——— C10: fields of the provider's own ———

/** Refuses a turn that called tools without the field that came with it. */
const wantsReasoning = (body: string) => {
  const { messages } = JSON.parse(body) as { messages: Record<string, unknown>[] };
  return messages.some(
    (message) => message['tool_calls'] !== undefined && message['reasoning_content'] !== 'Read first.',
  )
    ? json(400, {
        error: { message: 'The reasoning_content in the thinking mode must be passed back to the API.' },
      })
    : undefined;
};
const thinking = (id: string) =>
  repliesCalls([{ name: 'grep', id, arguments: { q: 'x' } }], { reasoning_content: 'Read first.' });

test('C10: live, resumed from disk, after trimming, and after an edit, the field goes back', async (t) => {
  const filler = 'word '.repeat(300);
  const settings = { context: { max_tokens: 900, reserve: 100 } };
  const tools = [grep()];
  const { server, session, ...live } = await runOnServer(t, {
    script: [thinking('a'), thinking('b'), done, thinking('c'), done, thinking('d'), done],
    refuse: wantsReasoning,
    settings,
    tools,
  });
  assert.equal(live.outcome, 'done', live.why);

  const reopened = openSession(createJournal({ clock: createFixedClock(), past: session.journal.events }), {
    id: 's-test',
    agent: 'test.agent.json',
  });
  const resumed = await runOnServer(t, {
    script: [],
    server,
    session: reopened,
    settings,
    tools,
    goal: filler,
  });
  assert.equal(resumed.outcome, 'done', resumed.why);
  const trimmed = await runOnServer(t, {
    script: [],
    server,
    session: reopened,
    settings,
    tools,
    goal: filler + filler,
  });
  assert.equal(trimmed.outcome, 'done', trimmed.why);
  const left = eventsOf(reopened, 'context.packed').flatMap(({ changed }) => changed);
  assert.ok(
    left.some(({ fate }) => fate === 'dropped'),
    JSON.stringify(eventsOf(reopened, 'context.packed').map(({ total }) => total)),
  );
  assert.equal(server.refusals, 0);
});

test('C10: an edited turn still carries the field', async (t) => {
  const server = await createScriptedServer([thinking('a'), done], { refuse: wantsReasoning });
  t.after(() => server.close());
  const session = createTestSession();
  const agent = await createTestAgent(createOpenAiClient(server), {}, [grep()]);
  const run = startRun(agent, session, {
    goal: 'go',
    rules: {
      hits: async ({ kind }) => ({
        faults: [],
        breakpoints: kind === 'reply' ? ['filter:reply'] : [],
        phases: [],
      }),
    },
    onStopped: () => {
      const reply = session.state.runs[0]?.rounds.at(-1)?.replies.at(-1);
      if (reply && session.state.checkpoint?.kind === 'reply' && reply.message === 'm3') {
        const target = `${reply.message}/tool_calls/0/function/arguments`;
        const applied = run.apply({ kind: 'set', target, scope: 'pending', value: '{"q":"edited"}' });
        assert.ok(applied.ok);
      }
      run.gate.resume('continue');
    },
  });
  assert.equal(await run.done, 'done');
  assert.deepEqual(problemsOf(session), []);
  const [, second] = server.requests.map(({ body }) => body);
  assert.match(second ?? '', /edited/);
  assert.equal(server.refusals, 0);
});

test('C10: another provider does not get it, nor ids that it might refuse, and that is told once', async (t) => {
  const session = createTestSession();
  const long = `call:${'0123456789'.repeat(9)}`;
  await runOnServer(t, {
    script: [
      repliesCalls([{ name: 'grep', id: long }], {
        reasoning_content: 'r',
        reasoning_details: [{ type: 'x' }],
      }),
      repliesCalls([{ name: 'grep', id: long }]),
      done,
    ],
    session,
    tools: [grep()],
  });
  const other = await runOnServer(t, {
    script: [repliesCalls([{ name: 'grep', id: 'b' }]), done],
    session,
    tools: [grep()],
    refuse: strictRefusal,
  });
  assert.equal(other.outcome, 'done', other.why);
  assert.equal(other.server.refusals, 0);
  assert.doesNotMatch(JSON.stringify(other.sent), /reasoning/);
  assert.equal(anomalyCodes(session).filter((code) => code === 'fields-stripped').length, 1);
  // The history keeps what it was given.
  assert.ok([...session.state.parts.values()].some((part) => part.includes('reasoning_details')));
});

test('the strict server refuses what it should', () => {
  const user = { role: 'user', content: 'go' };
  const call = (id: string, args = '{}', name = 'f') => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  });
  const asks = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: '1' });
  const taken: readonly unknown[][] = [
    [user],
    [
      { role: 'system', content: 's' },
      user,
      asks(call('a'), call('b')),
      result('b'),
      result('a'),
      { role: 'assistant', content: 'x' },
    ],
  ];
  const refused: readonly unknown[][] = [
    [],
    [{ role: 'assistant', content: 'x' }, user],
    [user, result('a')],
    [user, asks(call('a'))],
    [user, asks(call('a')), user, result('a')],
    [user, asks(call('a')), result('a'), result('a')],
    [user, asks(call('a'), call('a')), result('a'), result('a')],
    [user, asks(call('a')), result('a'), asks(call('a')), result('a')],
    [user, asks(call('a', '')), result('a')],
    [user, asks(call('a', '[]')), result('a')],
    [user, asks(call('a', '{"q":"\\ud83d"}')), result('a')],
    [user, asks(call('a', '{}', 'a b')), result('a')],
    [user, { role: 'assistant', content: '' }],
    [user, { role: 'assistant', content: 'x', tool_calls: [] }],
    [user, { role: 'assistant', content: 'x', reasoning: 'r' }],
    [user, { role: 'system', content: 'late' }],
    [{ role: 'user', content: 'half \uD83D' }],
    [{ role: 'user', content: null }],
    [{ role: 'robot', content: 'x' }],
    [user, asks({ ...call('a'), index: 0 }), result('a')],
    [user, asks({ ...call('a'), function: { name: 'f', arguments: '{}', parsed: {} } }), result('a')],
    [user, asks(call('a'.repeat(41))), result('a'.repeat(41))],
    [{ role: 'user', content: 'x', name: 'two words' }],
    [{ role: 'user', content: [{ type: 'text' }] }],
    [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }, user],
    Array.from({ length: 2049 }, () => user),
  ];
  const tool = (more: object) => ({ type: 'function', function: { name: 'f', ...more } });
  const status = (messages: unknown, more: object = {}) =>
    strictRefusal(JSON.stringify({ model: 'm', messages, ...more }))?.status;
  for (const messages of taken) assert.equal(status(messages), undefined, JSON.stringify(messages));
  for (const messages of refused) assert.equal(status(messages), 400, JSON.stringify(messages));
  for (const more of [
    { temperature: '1' },
    { verbosity: 1 },
    { tools: [] },
    { tool_choice: 'auto' },
    { stream_options: {} },
    { tools: [{ type: 'function', function: { name: 'a.b' } }] },
    { tools: [tool({ description: 'x'.repeat(1025) })] },
    { tools: [tool({ parameters: { type: 'object', properties: { a: 'string' } } })] },
    { tools: [tool({ parameters: { type: 'object', required: 'a' } })] },
    { tools: [tool({ parameters: { type: 'object', properties: { a: { enum: [] } } } })] },
    { tools: [tool({ description: 'half \uD83D' })] },
    { tools: [tool({})], tool_choice: { type: 'function', function: { name: 'g' } } },
    { stop: ['1', '2', '3', '4', '5'] },
    { stream: true, stream_options: { include_usage: 'yes' } },
  ])
    assert.equal(status([user], more), 400, JSON.stringify(more));
});

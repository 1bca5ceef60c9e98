/** A server that others wrote: `@copilotkit/aimock`, over HTTP, streaming and not. */
import { LLMock } from '@copilotkit/aimock';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { requestBody } from '../../src/core/body.ts';
import { answerText } from '../../src/core/logLine.ts';
import { createOpenAiClient } from '../../src/planner/openaiClient.ts';
import { startRun } from '../../src/runner/run.ts';
import { createTestAgent, createTestSession, problemsOf } from '../doubles/testAgent.ts';

async function start(t: TestContext): Promise<LLMock> {
  const mock = await LLMock.create({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  t.after(() => mock.stop());
  return mock;
}

const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
});

function bodyOf(goal: string, stream: boolean): string {
  return JSON.stringify({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: goal }],
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    tools: [tool('add_todo'), tool('calculator')],
  });
}

function send(mock: LLMock, body: string, onText: (delta: string) => void = () => undefined) {
  const { signal } = new AbortController();
  const client = createOpenAiClient({ apiBase: `${mock.url}/v1`, apiKey: 'any' });
  return client.send(requestBody(body), { signal, onText, firstByteMs: 10_000, idleMs: 10_000 });
}

const twoCalls = {
  content: 'I add it, and add up.',
  toolCalls: [
    { name: 'add_todo', arguments: '{"content":"reply to mail","minutes":20}' },
    { name: 'calculator', arguments: '{"expression":"45+20"}' },
  ],
};

test('text, streamed in pieces, with usage', async (t) => {
  const mock = await start(t);
  mock.onMessage(
    'hello',
    { content: 'Hello, this is quite a long greeting from a server of others.' },
    { chunkSize: 10 },
  );
  const said: string[] = [];
  const outcome = await send(mock, bodyOf('hello', true), (delta) => said.push(delta));
  assert.ok(outcome.ok);
  assert.equal(outcome.message.content, 'Hello, this is quite a long greeting from a server of others.');
  assert.ok(said.length > 1);
  assert.equal(said.join(''), outcome.message.content);
  assert.deepEqual([outcome.finish, outcome.notes], ['stop', []]);
  assert.equal(typeof outcome.usage?.prompt, 'number');
  assert.equal(typeof outcome.usage?.completion, 'number');
});

test('two calls in one reply, streamed and whole', async (t) => {
  const mock = await start(t);
  mock.onMessage('plan', twoCalls, { chunkSize: 5 });
  for (const stream of [true, false]) {
    const outcome = await send(mock, bodyOf('plan my day', stream));
    assert.ok(outcome.ok);
    assert.equal(outcome.finish, 'tool_calls');
    const calls = outcome.message.tool_calls ?? [];
    assert.deepEqual(
      calls.map(({ function: called }) => [called.name, called.arguments]),
      twoCalls.toolCalls.map((call) => [call.name, call.arguments]),
    );
    assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
    assert.deepEqual(outcome.notes, []);
  }
});

test('429 first, then the reply: each attempt is one request', async (t) => {
  const mock = await start(t);
  mock.onMessage('hello', { content: 'Hi.' });
  mock.nextRequestError(429, { message: 'slow down', type: 'rate_limit_error' });
  const first = await send(mock, bodyOf('hello', true));
  assert.ok(!first.ok);
  assert.deepEqual([first.class, first.status, first.retryable], ['rate-limit', 429, true]);
  assert.match(first.message, /slow down/);
  const second = await send(mock, bodyOf('hello', true));
  assert.ok(second.ok);
  assert.equal(mock.getRequests().length, 2);
});

test('a stream that the server cuts is cut', async (t) => {
  const mock = await start(t);
  mock.onMessage(
    'hello',
    { content: 'Hello, this is a greeting that is never told to its end.' },
    { chunkSize: 5, truncateAfterChunks: 4, latency: 20 },
  );
  const outcome = await send(mock, bodyOf('hello', true));
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.class, outcome.retryable], ['cut', true]);
  assert.ok(outcome.partial?.startsWith('Hello'));
});

/** The whole loop against it: agent, packing, client, tools, and the journal's proof. */
async function run(mock: LLMock, goal: string) {
  const client = createOpenAiClient({ apiBase: `${mock.url}/v1`, apiKey: 'any' });
  const session = createTestSession();
  const outcome = await startRun(await createTestAgent(client), session, { goal }).done;
  assert.deepEqual(problemsOf(session), []);
  const { events } = session.journal;
  return {
    outcome,
    finished: events.filter((event) => event.type === 'call.finished'),
    answer: answerText(session.state),
  };
}

for (const chunkSize of [1, 3, 7, 1000]) {
  test(`a whole run with two calls in one reply, in chunks of ${chunkSize}`, async (t) => {
    const mock = await start(t);
    mock.on({ userMessage: 'plan', hasToolResult: false }, twoCalls, { chunkSize });
    mock.on({ hasToolResult: true }, { content: 'Both are done: 65 minutes. ✓ 🐢' }, { chunkSize });
    const { outcome, finished, answer } = await run(mock, 'plan my day');
    assert.equal(outcome, 'done');
    assert.deepEqual(
      finished.map((event) => event.outcome),
      ['ok', 'ok'],
    );
    assert.equal(answer, 'Both are done: 65 minutes. ✓ 🐢');
    assert.equal(mock.getRequests().length, 2);
  });
}

test('a whole run over an error that passes, and one that does not', async (t) => {
  const mock = await start(t);
  mock.onMessage('hello', { content: 'Hi.' });
  mock.nextRequestError(503, { message: 'busy', type: 'server_error' });
  assert.equal((await run(mock, 'hello')).outcome, 'done');
  assert.equal(mock.getRequests().length, 2);
  mock.nextRequestError(401, { message: 'no such key', type: 'authentication_error' });
  assert.equal((await run(mock, 'hello')).outcome, 'failed');
  assert.equal(mock.getRequests().length, 3);
});

test('usage as the provider reports it, with details and zeroes', async (t) => {
  const mock = await start(t);
  const usage = { prompt_tokens: 1234, completion_tokens: 0, total_tokens: 1234 };
  mock.onMessage('hello', { content: 'Hi.', usage });
  for (const stream of [true, false]) {
    const outcome = await send(mock, bodyOf('hello', stream));
    assert.ok(outcome.ok);
    assert.deepEqual([outcome.usage?.prompt, outcome.usage?.completion], [1234, 0]);
  }
});

test('endings: the limit, the filter, and calls whose label says that the reply is done', async (t) => {
  const mock = await start(t);
  mock.onMessage('long', { content: 'It goes on and', finishReason: 'length' });
  mock.onMessage('bad', { content: 'I', finishReason: 'content_filter' });
  mock.onMessage('plan', { toolCalls: twoCalls.toolCalls, finishReason: 'stop' });
  for (const stream of [true, false]) {
    const long = await send(mock, bodyOf('long', stream));
    assert.ok(long.ok);
    assert.deepEqual(
      [long.message.content, long.notes.map(({ code }) => code)],
      ['It goes on and', ['cut-by-limit']],
    );
    const bad = await send(mock, bodyOf('bad', stream));
    assert.ok(!bad.ok);
    assert.deepEqual([bad.class, bad.retryable], ['refused', false]);
    const plan = await send(mock, bodyOf('plan', stream));
    assert.ok(plan.ok);
    assert.equal(plan.message.tool_calls?.length, 2);
    assert.deepEqual(
      plan.notes.map(({ code }) => code),
      ['finish-disagrees'],
    );
  }
});

test('reasoning is kept beside the text, and is no part of it', async (t) => {
  const mock = await start(t);
  mock.onMessage('hello', { content: 'Hi.', reasoning: 'A greeting: greet back.' }, { chunkSize: 4 });
  for (const stream of [true, false]) {
    const said: string[] = [];
    const outcome = await send(mock, bodyOf('hello', stream), (delta) => said.push(delta));
    assert.ok(outcome.ok);
    assert.equal(outcome.message.content, 'Hi.');
    if (stream) assert.equal(said.join(''), 'Hi.');
    assert.match(JSON.stringify(outcome.message), /greet back/);
  }
});

test('errors by status: their class, and whether another attempt may help', async (t) => {
  const mock = await start(t);
  for (const [status, error, kind, retryable] of [
    [
      400,
      { message: 'maximum context length is 8192 tokens, however you requested 9001' },
      'overflow',
      false,
    ],
    [400, { message: 'max_tokens must be at most 4096' }, 'bad-request', false],
    [401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }, 'auth', false],
    [403, { message: 'This model is not for you' }, 'auth', false],
    [404, { message: 'The model `m` does not exist', code: 'model_not_found' }, 'bad-request', false],
    [429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }, 'rate-limit', false],
    [429, { message: 'slow down' }, 'rate-limit', true],
    [500, { message: 'oops' }, 'server', true],
    [529, { message: 'Overloaded', type: 'overloaded_error' }, 'server', true],
  ] as const) {
    mock.nextRequestError(status, error);
    const outcome = await send(mock, bodyOf('hello', true));
    assert.ok(!outcome.ok);
    assert.deepEqual(
      [outcome.class, outcome.retryable, outcome.status],
      [kind, retryable, status],
      error.message,
    );
    assert.ok(outcome.message.includes(error.message));
  }
});

test('what a flaky server does: each is a failure by name, and nothing of it is taken for a reply', async (t) => {
  for (const [chaos, kinds] of [
    [{ dropRate: 1 }, ['server']],
    [{ malformedRate: 1 }, ['protocol', 'cut', 'server']],
    [{ rateLimitRate: 1 }, ['rate-limit']],
    [{ disconnectRate: 1 }, ['network', 'cut']],
  ] as const) {
    const mock = await start(t);
    mock.onMessage('hello', twoCalls, { chaos });
    for (const stream of [true, false]) {
      const outcome = await send(mock, bodyOf('hello', stream));
      assert.ok(!outcome.ok, JSON.stringify(chaos));
      assert.ok(
        (kinds as readonly string[]).includes(outcome.class),
        `${JSON.stringify(chaos)}: ${outcome.class} ${outcome.message}`,
      );
      assert.notEqual(outcome.message.trim(), '');
    }
  }
});

test('a server that hangs up in the middle of a call: it is not executed', async (t) => {
  const mock = await start(t);
  mock.onMessage('plan', twoCalls, { chunkSize: 3, truncateAfterChunks: 6, latency: 5 });
  const { outcome, finished } = await run(mock, 'plan my day');
  assert.equal(outcome, 'failed');
  assert.deepEqual(finished, []);
});

test('a slow server is waited for within the limits, and told of beyond them', async (t) => {
  const mock = await start(t);
  mock.onMessage('hello', { content: 'At last.' }, { latency: 40 });
  const slow = await send(mock, bodyOf('hello', true));
  assert.ok(slow.ok);
  assert.equal(slow.message.content, 'At last.');
});

test('many rounds of calls, some malformed and some unknown: each gets a result and the run goes on', async (t) => {
  const mock = await start(t);
  const rounds = [
    { toolCalls: [{ name: 'calculator', arguments: '{"expression":"1+1"}' }] },
    { toolCalls: [{ name: 'calculator', arguments: '{"expression":"1+' }] },
    {
      toolCalls: [
        { name: 'calculater', arguments: '{}' },
        { name: 'calculator', arguments: '{"expression":"2+2"}' },
      ],
    },
  ];
  rounds.forEach((reply, sequenceIndex) =>
    mock.on({ userMessage: 'sum', sequenceIndex }, reply, { chunkSize: 2 }),
  );
  mock.on(
    { userMessage: 'sum', sequenceIndex: rounds.length },
    { content: 'One call was wrong, the sums are 2 and 4.' },
  );
  const { outcome, finished, answer } = await run(mock, 'sum up');
  assert.equal(outcome, 'done');
  assert.deepEqual(
    finished.map((event) => `${event.key} ${event.outcome}`),
    ['1.1.1 ok', '1.2.1 invalid', '1.3.1 unknown', '1.3.2 ok'],
  );
  assert.match(answer ?? '', /2 and 4/);
});

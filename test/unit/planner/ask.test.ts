/** The one retry layer: what is journaled for each attempt, how long it waits, what stops it (C14). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { requestBody } from '../../../src/core/body.ts';
import type { EventBody, JournalEvent } from '../../../src/core/events.ts';
import type { Clock, ModelClient, Recorder } from '../../../src/core/ports.ts';
import { createBodyDigest } from '../../../src/planner/bodyDigest.ts';
import { ask, type AskPorts } from '../../../src/planner/ask.ts';
import { createOpenAiClient } from '../../../src/planner/openaiClient.ts';
import type { PreparedRequest } from '../../../src/planner/prepared.ts';
import { planRetry } from '../../../src/planner/retryPlan.ts';
import { createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createScriptedServer, json, streamed } from '../../doubles/scriptedServer.ts';

const prepared: PreparedRequest = {
  request: 'r3',
  purpose: 'round',
  on: 'r2',
  splices: [[2, 0, ['m6']]],
  body: requestBody(
    '{"model":"ż","messages":[',
    ['{"role":"user","content":"hi"}'],
    ['],"temperature":0.3', ',"stream":true}'],
  ),
};

/** A clock that stands still and moves only by sleeping. `onSleep` sees each wait before it ends. */
function createFakeClock(
  onSleep: (ms: number) => void = () => undefined,
): Clock & { readonly slept: number[] } {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms) {
      slept.push(ms);
      onSleep(ms);
      now += ms;
    },
  };
}

function createFakeRecorder() {
  const events: JournalEvent[] = [];
  const parts = new Map<string, string>();
  const recorder: Recorder = {
    append(event: EventBody) {
      const stamped = { seq: events.length, at: 0, ...event } as JournalEvent;
      events.push(stamped);
      return stamped;
    },
    part(text) {
      const known = parts.get(text) ?? `p${parts.size + 1}`;
      parts.set(text, known);
      return known;
    },
  };
  const text = (id: string | undefined) => [...parts].find(([, part]) => part === id)?.[0];
  return { recorder, events, text };
}

function setUp(client: ModelClient, more: Partial<AskPorts> = {}) {
  const journal = createFakeRecorder();
  const clock = createFakeClock();
  const ports: AskPorts = {
    client,
    recorder: journal.recorder,
    clock,
    signal: new AbortController().signal,
    onText: () => undefined,
    digest: createBodyDigest(),
    nextMessage: () => 'm7',
    limits: { firstByteMs: 30_000, idleMs: 60_000, retries: 3, retryAfterCapMs: 60_000 },
    ...more,
  };
  return { ...journal, clock, ports };
}

const scripted = (...steps: readonly ModelStep[]) =>
  createScriptedModel(steps, 'http://model.test/v1/chat/completions');

test('a reply: requested and replied, with the parts of the body, its hash and its bytes', async () => {
  const model = scripted(says('Hello', { prompt: 3 }));
  const { ports, events, text } = setUp(model);
  const asked = await ask(prepared, ports);
  model.assertDone();
  assert.ok(asked.ok && asked.message === 'm7');
  assert.deepEqual(model.bodies, [prepared.body.text]);
  const [requested, replied] = events;
  assert.ok(requested?.type === 'model.requested' && replied?.type === 'model.replied');
  assert.deepEqual(
    [text(requested.head), requested.tail.map(text)],
    [prepared.body.head, prepared.body.tail],
  );
  assert.deepEqual([requested.on, requested.splices, requested.attempt], ['r2', prepared.splices, 1]);
  assert.equal(requested.bytes, Buffer.byteLength(prepared.body.text));
  assert.equal(requested.hash, createHash('sha256').update(prepared.body.text).digest('hex'));
  assert.equal(requested.url, model.url);
  assert.equal(text(replied.reply), '{"role":"assistant","content":"Hello"}');
  assert.deepEqual(
    [replied.message, replied.finish, replied.usage, replied.wire],
    ['m7', 'stop', { prompt: 3 }, undefined],
  );
});

test('a retry is on the request itself, with the same body; each attempt is journaled', async () => {
  const model = scripted(
    fails('server', { retryable: true, status: 503, partial: 'Wor', wire: 'data: Wor' }),
    says('Hello'),
  );
  const { ports, events, clock, text } = setUp(model);
  assert.ok((await ask(prepared, ports)).ok);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['model.requested', 'model.failed', 'model.requested', 'model.replied'],
  );
  const [first, lost, second] = events;
  assert.ok(
    first?.type === 'model.requested' && lost?.type === 'model.failed' && second?.type === 'model.requested',
  );
  assert.deepEqual([second.on, second.splices, second.attempt], ['r3', [], 2]);
  assert.deepEqual(
    [second.head, second.tail, second.hash, second.bytes],
    [first.head, first.tail, first.hash, first.bytes],
  );
  assert.deepEqual([lost.class, lost.status, lost.retryIn], ['server', 503, 500]);
  assert.deepEqual([text(lost.partial), text(lost.wire)], ['Wor', 'data: Wor']);
  assert.deepEqual(clock.slept, [500]);
  assert.equal(model.bodies[0], model.bodies[1]);
});

test('waits double, without jitter, and end after the last attempt', async () => {
  const failure = fails('network', { retryable: true });
  const model = scripted(failure, failure, failure, failure);
  const { ports, events, clock } = setUp(model);
  const asked = await ask(prepared, ports);
  model.assertDone();
  assert.ok(!asked.ok);
  assert.match(asked.failure.message, /Given up after 4 attempts/);
  assert.deepEqual(clock.slept, [500, 1000, 2000]);
  const last = events.at(-1);
  assert.ok(
    last?.type === 'model.failed' && last.retryIn === undefined && last.message === asked.failure.message,
  );
});

test('what can not succeed is not tried again', async () => {
  const model = scripted(fails('auth', { status: 401 }));
  const { ports, clock } = setUp(model);
  assert.ok(!(await ask(prepared, ports)).ok);
  assert.deepEqual(clock.slept, []);
});

test('every note becomes one anomaly about the event it belongs to', async () => {
  const note = (code: string) => ({ code, detail: code });
  const failure = fails('cut', { retryable: true, notes: [note('cut-character')] });
  const model = scripted(failure, {
    ...says('a'),
    notes: [note('id-missing'), note('index-missing')],
    wire: 'raw',
  });
  const { ports, events, text } = setUp(model);
  await ask(prepared, ports);
  const anomalies = events
    .filter((event) => event.type === 'anomaly')
    .map(({ code, about }) => [code, about]);
  assert.deepEqual(anomalies, [
    ['cut-character', [1]],
    ['id-missing', [4]],
    ['index-missing', [4]],
  ]);
  const replied = events[4];
  assert.ok(replied?.type === 'model.replied' && text(replied.wire) === 'raw');
});

test('C14: Retry-After is honoured up to the cap; above it fails at once and says when it resets', async () => {
  const limited = (retryAfter: number) => fails('rate-limit', { retryable: true, retryAfter });
  const model = scripted(limited(3000), limited(60_000), says('a'));
  const { ports, clock } = setUp(model);
  assert.ok((await ask(prepared, ports)).ok);
  assert.deepEqual(clock.slept, [3000, 60_000]);

  const days = setUp(scripted(limited(277_000_000)));
  const asked = await ask(prepared, days.ports);
  assert.ok(!asked.ok);
  assert.match(asked.failure.message, /in 3 d, at 2026-01-04T04:56:40\.000Z/);
  assert.deepEqual(days.clock.slept, []);
});

test('C14: over a real server, four headers, one request each until it is time', async (t) => {
  const limit = { error: { type: 'usage_limit', message: 'limit' } };
  const answers = [
    json(429, limit, { 'retry-after': '3' }),
    json(429, limit, { 'retry-after-ms': '40' }),
    json(429, limit),
    json(429, limit, { 'retry-after': '277000' }),
  ];
  const server = await createScriptedServer(answers);
  t.after(() => server.close());
  const { ports, clock, events } = setUp(createOpenAiClient(server));
  const asked = await ask(prepared, ports);
  assert.ok(!asked.ok && asked.failure.class === 'rate-limit');
  assert.deepEqual(clock.slept, [3000, 40, 2000]);
  assert.equal(server.requests.length, 4);
  assert.equal(events.length, 8);
});

test('an abort during the wait ends it, without another request', async () => {
  const abort = new AbortController();
  const model = scripted(fails('server', { retryable: true, retryAfter: 50_000 }));
  const { ports, events } = setUp(model, {
    signal: abort.signal,
    clock: createFakeClock(() => abort.abort()),
  });
  const asked = await ask(prepared, ports);
  assert.ok(!asked.ok && asked.failure.class === 'cancelled');
  assert.deepEqual(
    events.map(({ type }) => type),
    ['model.requested', 'model.failed'],
  );
});

test('an abort before the first attempt journals nothing; one during it is journaled with the partial text', async () => {
  const abort = new AbortController();
  abort.abort();
  const none = setUp(scripted(), { signal: abort.signal });
  assert.ok(!(await ask(prepared, none.ports)).ok);
  assert.equal(none.events.length, 0);

  const { ports, events, text } = setUp(scripted(fails('cancelled', { partial: 'Hel' })));
  const asked = await ask(prepared, ports);
  assert.ok(!asked.ok && asked.failure.class === 'cancelled');
  const last = events.at(-1);
  assert.ok(last?.type === 'model.failed' && text(last.partial) === 'Hel');
});

test('text and limits reach the client', async () => {
  const said: string[] = [];
  const model = scripted((_, options) => {
    options.onText('a');
    assert.deepEqual([options.firstByteMs, options.idleMs], [30_000, 60_000]);
    return says('a');
  });
  const { ports } = setUp(model, { onText: (delta) => said.push(delta) });
  await ask(prepared, ports);
  assert.deepEqual(said, ['a']);
});

test('a wait of nonsense length is still a sentence', () => {
  const limits = { retries: 0, retryAfterCapMs: 1000 };
  const plan = planRetry(fails('rate-limit', { retryAfter: 1e300 }), 1, limits, 0);
  assert.ok(!plan.retry && !plan.because.includes('NaN') && plan.because.includes('too long'));
  const none = planRetry(fails('server', { retryable: true }), 1, limits, 0);
  assert.deepEqual(none, { retry: false, because: '' });
});

test('a streamed reply over a real server', async (t) => {
  const server = await createScriptedServer([
    streamed([{ choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] }]),
  ]);
  t.after(() => server.close());
  const { ports, events } = setUp(createOpenAiClient(server));
  assert.ok((await ask(prepared, ports)).ok);
  assert.equal(server.requests[0]?.body, prepared.body.text);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['model.requested', 'model.replied'],
  );
});

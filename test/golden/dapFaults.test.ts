/** Filters that look at what was sent, and faults that mended themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';

type Settings = Parameters<typeof createTestAgent>[1];
type Stopped = { reason: string; text?: string };
type Verdicts = { breakpoints: { verified: boolean; message?: string }[] };

const lost = (condition?: string) => ({
  filters: [],
  filterOptions: [{ filterId: 'contextLost', ...(condition === undefined ? {} : { condition }) }],
});
const sum = (n: number) => calls([{ name: 'calculator', arguments: { expression: `${n}+1` } }]);

async function started(steps: readonly ModelStep[], filters: object, settings: Settings = {}) {
  const client = createDapClient(await createTestAgent(createScriptedModel(steps), settings));
  await client.start({}, () => client.request('setExceptionBreakpoints', filters));
  return client;
}

const next = async (client: Awaited<ReturnType<typeof started>>) => {
  await client.request('continue', { threadId: 1 });
  return client.event<Stopped>('stopped');
};

test('contextLost stops once where the text left what is sent and says where it stands', async () => {
  const window: Settings = { max_history: 4, context: { policy: 'window' } };
  const client = await started([sum(1), sum(2), sum(3), sum(4), says('done')], lost('1+1'), window);
  const stop = await client.event<Stopped>('stopped');
  // In round 1 it is in no message yet.
  assert.equal(stop.reason, 'exception');
  assert.match(stop.text ?? '', /"1\+1", and none of the history/);
  const info = await client.request<{ exceptionId: string }>('exceptionInfo', { threadId: 1 });
  assert.equal(info.exceptionId, 'contextLost');
  const again = await next(client);
  assert.match(again.text ?? '', /"1\+1"; it stands in m3/);
  assert.equal(client.session.state.runs[0]?.rounds.length, 3);
  assert.equal((await next(client)).reason, 'end');
  assert.deepEqual(problemsOf(client.session), []);
});

test('contextLost does not stop while the text is sent, whatever it would mean as an expression', async () => {
  const client = await started([sum(1), says('done')], lost('45 and 20, then'));
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
});

test('contextLost needs a text, and any text is one', async () => {
  const client = await started([says('done')], lost());
  assert.equal((await client.event<Stopped>('stopped')).reason, 'end');
  const set = (filters: object) => client.request<Verdicts>('setExceptionBreakpoints', filters);
  assert.match((await set(lost())).breakpoints[0]?.message ?? '', /text/);
  assert.deepEqual((await set(lost('500 EUR ('))).breakpoints.map(({ verified }) => verified), [true]);
});

test('silentTruncation stops at the reply to a request that was not read whole', async () => {
  const client = await started([says('done', { prompt: 300 })], { filters: ['silentTruncation'] });
  const stop = await client.event<Stopped>('stopped');
  assert.equal(stop.reason, 'exception');
  assert.match(stop.text ?? '', /counted 300 tokens/);
});

const refused = fails('bad-request', { status: 400, message: 'temperature?', refused: ['temperature'] });

test('a refusal that a rewrite answered is no fault; the one that is left is', async () => {
  const modelError = { filters: ['modelError'] };
  const mended = await started([refused, says('done')], modelError);
  assert.equal((await mended.event<Stopped>('stopped')).reason, 'end');
  assert.equal(mended.session.state.runs[0]?.ended?.outcome, 'done');
  const broken = await started([refused, fails('bad-request', { status: 400, message: 'no' })], modelError);
  const stop = await broken.event<Stopped>('stopped');
  assert.deepEqual([stop.reason, stop.text], ['exception', 'bad-request: no']);
});

test('illegalHistory stops at the reply to a request that was not sent, and says which rule which message breaks', async () => {
  const model = createScriptedModel([sum(1), says('never asked for')]);
  const client = createDapClient(await createTestAgent(model));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: ['observe'] }));
  await client.event<Stopped>('stopped');
  await client.request('setExceptionBreakpoints', { filters: ['illegalHistory'] });
  // Edits are refused that would do it, and files are repaired when they are opened: this is a fault of ours.
  client.session.journal.onEvent(({ type }) => {
    if (type === 'round.ended') client.session.state.history.pop();
  });
  const stop = await next(client);
  assert.equal(stop.reason, 'exception');
  assert.equal(stop.text, 'The history is not legal (missing-result, message 3): call "call_1" has no result.');
  const info = await client.request<{ exceptionId: string; description: string }>('exceptionInfo', { threadId: 1 });
  assert.equal(info.exceptionId, 'illegalHistory');
  assert.match(info.description, /the message names the rule/);
  assert.equal(model.bodies.length, 1);
  assert.equal(client.session.state.runs[0]?.ended?.outcome, 'failed');
});

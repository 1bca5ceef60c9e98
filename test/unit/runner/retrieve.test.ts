/** Retrieval as an extension point: placed legally, bounded, and nothing is lost when it fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import type { Retrieve, RetrieveInput } from '../../../src/runner/retrieve.ts';
import { startRun } from '../../../src/runner/run.ts';
import { calculator } from '../../../src/toolbox/calculator.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const sum = calls([{ name: 'calculator', arguments: { expression: '1+1' } }]);

async function run(
  retrieve: Retrieve,
  settings: Parameters<typeof createTestAgent>[1] = {},
  session = createTestSession(),
) {
  const model = createScriptedModel([sum, says('done')]);
  const agent = { ...(await createTestAgent(model, settings, [calculator])), retrieve };
  const outcome = await startRun(agent, session, { goal: 'go' }).done;
  assert.deepEqual(problemsOf(session), []);
  const sent = model.bodies.map(
    (body) => (JSON.parse(body) as { messages: readonly WireMessage[] }).messages,
  );
  const { anomalies } = session.state;
  return { outcome, session, sent, notes: anomalies.filter(({ code }) => code === 'retrieval-failed') };
}

const shown = (messages: readonly WireMessage[] | undefined) =>
  messages?.map((message) => `${message.role}: ${contentText(message).replace('\n', ' ')}`);

test('context stands before the goal, later behind the results, with its origin and once', async () => {
  const asked: RetrieveInput[] = [];
  const retrieve: Retrieve = (input) => {
    asked.push(input);
    const every = { text: 'always', location: { path: 'notes.md', line: 4 } };
    return input.round === 1 ? [every] : [every, { text: 'later' }, { text: 'later' }];
  };
  const session = createTestSession();
  const first = await run(retrieve, {}, session);
  assert.equal(first.outcome, 'done');
  assert.deepEqual(shown(first.sent[0]), [
    'system: You are a test.',
    'user: [Retrieved context] always',
    'user: go',
  ]);
  assert.deepEqual(
    first.sent[1]?.map(({ role }) => role),
    ['system', 'user', 'user', 'assistant', 'tool', 'user'],
  );
  assert.equal(shown(first.sent[1])?.at(-1), 'user: [Retrieved context] later');
  assert.deepEqual(
    asked.map(({ goal, round, messages }) => [goal, round, messages.length]),
    [
      ['go', 1, 2],
      ['go', 2, 5],
    ],
  );
  const origins = [...session.state.messages.values()].map(({ origin }) => origin);
  assert.deepEqual(
    origins.filter(({ kind }) => kind === 'retrieval'),
    [{ kind: 'retrieval', location: { path: 'notes.md', line: 4 } }, { kind: 'retrieval' }],
  );
  // The next run of the session is told nothing that its history holds already.
  const again = await run(() => [{ text: 'always' }, { text: 'later' }], {}, session);
  assert.equal(shown(again.sent[0])?.filter((text) => text.includes('Retrieved')).length, 2);
});

const broken: Readonly<Record<string, Retrieve>> = {
  throws: () => {
    throw new Error('no index');
  },
  rejects: () => Promise.reject(new Error('no index')),
  'throws what has no words': () => {
    throw Object.create(null);
  },
  'returns a text': () => 'text' as never,
  'returns what throws': () =>
    new Proxy([], {
      get() {
        throw new Error('a trap');
      },
    }),
  'never returns': () => new Promise(() => undefined),
};
for (const [name, retrieve] of Object.entries(broken))
  test(`a function that ${name} leaves a note a round, and the run goes on`, async () => {
    const { outcome, sent, notes } = await run(retrieve, { tool_timeout: 0.01 });
    assert.equal(outcome, 'done');
    assert.deepEqual(shown(sent[0]), ['system: You are a test.', 'user: go']);
    assert.equal(notes.length, 2);
  });

test('items that are none are left out and told of; the others are taken, cut and counted', async () => {
  const long = `${'😀'.repeat(9000)} end`;
  const items = [{ text: long }, { text: ' ' }, null, { text: 'x', location: { path: 'a', line: 0 } }];
  const { sent, notes, session } = await run(({ round }) =>
    round === 1 ? (items as never) : Array.from({ length: 12 }, (_, index) => ({ text: `item ${index}` })),
  );
  assert.match(notes[0]?.detail ?? '', /3 of its items/);
  assert.match(notes[1]?.detail ?? '', /12 items, of which 10/);
  const [, cut, ...others] = sent[0] ?? [];
  assert.deepEqual(shown(others), ['user: go']);
  assert.ok([...contentText(cut!)].length <= 4020);
  assert.equal(sent[1]?.filter((message) => contentText(message).includes('item ')).length, 10);
  assert.ok(session.state.packings.at(-1)!.event.total > 0);
});

test('what was added leaves when the room is short, and is not added again', async () => {
  const words = 'lorem '.repeat(100);
  const { session, outcome } = await run(
    ({ round }) => [{ text: `${round} ${words}` }, { text: `1 ${words}` }],
    {
      context: { max_tokens: 450, reserve: 100 },
    },
  );
  assert.equal(outcome, 'done', session.state.runs[0]?.ended?.limit);
  const added = [...session.state.messages.values()].filter(({ origin }) => origin.kind === 'retrieval');
  assert.equal(added.length, 2);
  assert.equal(session.state.fates.get(added[0]!.id)?.fate, 'dropped');
});

test('a run that is cancelled while it is asked ends legally, without a note', async () => {
  const session = createTestSession();
  const agent = await createTestAgent(createScriptedModel([]));
  const retrieve: Retrieve = async () => {
    await Promise.resolve();
    run.cancel();
    return [{ text: 'too late' }];
  };
  const run = startRun({ ...agent, retrieve }, session, {
    goal: 'go',
  });
  assert.equal(await run.done, 'cancelled');
  assert.deepEqual(session.state.anomalies, []);
  assert.deepEqual(problemsOf(session), []);
});

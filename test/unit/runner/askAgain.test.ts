/** Ask Again: back to the plan of the same round, with both replies on record and only the last one taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldAll } from '../../../src/core/fold.ts';
import { currentRound } from '../../../src/core/journalState.ts';
import { legal } from '../../../src/core/legal.ts';
import type { WireMessage } from '../../../src/core/messages.ts';
import { setAsideReplies } from '../../../src/core/replyView.ts';
import { roundView } from '../../../src/core/roundView.ts';
import { roundDocument } from '../../../src/debug/roundDocument.ts';
import { historyMessages } from '../../../src/session/session.ts';
import { calls, createScriptedModel, fails, says } from '../../doubles/scriptedModel.ts';
import { stepThrough } from '../../doubles/stepThrough.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const first = calls(
  [
    { name: 'calculator', arguments: { expression: '1+1' }, id: 'call_a' },
    { name: 'calculator', arguments: { expression: '2+2' }, id: 'call_b' },
  ],
  'I calculate.',
);
const second = calls(
  [{ name: 'calculator', arguments: { expression: '3+3' }, id: 'call_a' }],
  'I think again.',
);
const bodyOf = (text: string | undefined) =>
  JSON.parse(text ?? '{}') as { messages: WireMessage[]; temperature: number };

test('a further request of the same round: both replies in the journal, the second one acted on', async () => {
  const session = createTestSession();
  const model = createScriptedModel([first, second, says('Six.')]);
  const stops: string[] = [];
  let isAsked = false;
  const outcome = await stepThrough(await createTestAgent(model), session, 'Add.', ({ kind, key }, run) => {
    stops.push([kind, key].filter(Boolean).join(' '));
    if (kind !== 'reply' || isAsked) return;
    isAsked = true;
    assert.ok(run.apply({ kind: 'askAgain' }).ok);
  });
  assert.equal(outcome, 'done');
  assert.deepEqual(stops, [
    'plan',
    'reply',
    'plan',
    'reply',
    'act 1.1.1',
    'observe',
    'plan',
    'reply',
    'observe',
    'end',
  ]);
  const { state, journal } = session;
  const requested = journal.events.filter((event) => event.type === 'model.requested');
  assert.deepEqual(
    requested.map(({ request, on, attempt }) => [request, on, attempt]),
    [
      ['r1', null, 1],
      ['r2', 'r1', 1],
      ['r3', 'r2', 1],
    ],
  );
  assert.equal(model.bodies[0], model.bodies[1], 'the same is asked');
  const round = state.runs[0]?.rounds[0];
  assert.deepEqual(round?.requests, ['r1', 'r2']);
  assert.deepEqual(
    round?.setAside.map(({ message }) => message),
    ['m3'],
  );
  assert.deepEqual(
    round?.replies.map(({ message }) => message),
    ['m4'],
  );
  assert.deepEqual(
    round?.calls.map(({ key, arguments: text }) => [key, text]),
    [['1.1.1', '{"expression":"3+3"}']],
  );
  assert.deepEqual(state.history, ['m1', 'm2', 'm4', 'm5', 'm6']);
  assert.equal(state.runs[0]?.rounds.length, 2);
  assert.deepEqual(problemsOf(session), []);
});

test('what was decided about the reply, and edited for its request, ends with them; what was edited for good stays', async () => {
  const session = createTestSession();
  const model = createScriptedModel([first, second, says('Six.')]);
  let isAsked = false;
  await stepThrough(await createTestAgent(model, { temperature: 0.3 }), session, 'Add.', ({ kind }, run) => {
    if (kind === 'plan' && !isAsked) {
      assert.ok(run.apply({ kind: 'set', target: 'request/temperature', scope: 'request', value: 1.5 }).ok);
      assert.ok(run.apply({ kind: 'set', target: 'm2/content', scope: 'request', value: 'For now.' }).ok);
      const value = { role: 'user', content: 'Only now.' };
      assert.ok(run.apply({ kind: 'insert', target: 'messages', scope: 'request', value, behind: 'm2' }).ok);
    }
    if (kind !== 'reply' || isAsked) return;
    isAsked = true;
    assert.ok(run.apply({ kind: 'set', target: 'm4/content', scope: 'pending', value: 'Edited.' }).ok);
    assert.ok(run.apply({ kind: 'skip', target: '1.1.1' }).ok);
    assert.ok(run.apply({ kind: 'set', target: 'm1/content', scope: 'history', value: 'For good.' }).ok);
    assert.ok(run.apply({ kind: 'askAgain' }).ok);
    assert.equal(run.apply({ kind: 'skip', target: '1.1.1' }).ok, false, 'the run goes on');
  });
  const [one, two] = model.bodies.map(bodyOf);
  assert.deepEqual(
    one?.messages.map(({ content }) => content),
    ['You are a test.', 'For now.', 'Only now.'],
  );
  assert.deepEqual(
    two?.messages.map(({ content }) => content),
    ['For good.', 'Add.'],
  );
  assert.deepEqual([one?.temperature, two?.temperature], [1.5, 0.3]);
  const [call] = session.state.runs[0]?.rounds[0]?.calls ?? [];
  assert.deepEqual([call?.outcome, call?.verdict], ['ok', undefined], 'the call of the second reply runs');
  assert.equal(
    (JSON.parse(historyMessages(session.state)[2]?.text ?? '{}') as WireMessage).content,
    'I think again.',
  );
  assert.deepEqual(problemsOf(session), []);
});

test('asking again is refused wherever a reply does not wait, and while the agent runs', async () => {
  const session = createTestSession();
  const model = createScriptedModel([first, says('Done.')]);
  const refused: string[] = [];
  await stepThrough(await createTestAgent(model), session, 'Add.', ({ kind }, run) => {
    if (kind === 'reply') return;
    const applied = run.apply({ kind: 'askAgain' });
    assert.match(applied.ok ? '' : applied.reason, /only at reply/);
    refused.push(kind);
  });
  assert.deepEqual([...new Set(refused)], ['plan', 'act', 'observe', 'end']);
  assert.equal(model.bodies.length, 2);
  assert.ok(!session.journal.events.some((event) => event.type === 'resumed' && event.verb === 'askAgain'));
});

test('a model that could not be asked is asked again from the same stop', async () => {
  const session = createTestSession();
  const model = createScriptedModel([fails('server', { retryable: false, status: 500 }), says('Here I am.')]);
  let asked = 0;
  const outcome = await stepThrough(await createTestAgent(model), session, 'Hi', ({ kind }, run) => {
    if (kind === 'reply' && asked++ === 0) assert.ok(run.apply({ kind: 'askAgain' }).ok);
  });
  assert.equal(outcome, 'done');
  assert.deepEqual(session.state.runs[0]?.rounds[0]?.setAside, []);
  assert.deepEqual(problemsOf(session), []);
});

test('asked again as often as wanted; a second answer that fails ends the run without the first', async () => {
  const session = createTestSession();
  const model = createScriptedModel([
    says('One.'),
    says('Two.'),
    says('Three.'),
    fails('server', { retryable: false }),
  ]);
  let asked = 0;
  const outcome = await stepThrough(await createTestAgent(model), session, 'Hi', ({ kind }, run) => {
    if (kind === 'reply' && asked++ < 3) assert.ok(run.apply({ kind: 'askAgain' }).ok);
  });
  assert.equal(outcome, 'failed');
  const round = session.state.runs[0]?.rounds[0];
  assert.equal(round?.setAside.length, 3);
  assert.deepEqual(round?.replies, []);
  assert.deepEqual(session.state.history, ['m1', 'm2']);
  assert.deepEqual(problemsOf(session), []);
});

test('retrieval is asked once a round, also where the model is asked twice in it', async () => {
  const session = createTestSession();
  const model = createScriptedModel([says('One.'), says('Two.')]);
  let retrieved = 0;
  const agent = { ...(await createTestAgent(model)), retrieve: () => [{ text: `context ${++retrieved}` }] };
  let asked = 0;
  await stepThrough(agent, session, 'Hi', ({ kind }, run) => {
    if (kind === 'reply' && asked++ === 0) assert.ok(run.apply({ kind: 'askAgain' }).ok);
  });
  assert.equal(retrieved, 1);
  assert.equal(model.bodies[0], model.bodies[1]);
});

test('views tell that there were two replies: the panel, the round as a document, also while the second is waited for', async () => {
  const session = createTestSession();
  const model = createScriptedModel([first, says('An answer.')]);
  let asked = 0;
  const documents: string[] = [];
  await stepThrough(await createTestAgent(model), session, 'Add.', ({ kind }, run) => {
    const round = currentRound(session.state);
    if (asked > 0 && kind === 'plan' && round) {
      assert.equal(roundView(session.state, round).status, 'packed');
      documents.push(roundDocument(session.state, 1, 1)?.text ?? '');
    }
    if (kind === 'reply' && asked++ === 0) assert.ok(run.apply({ kind: 'askAgain' }).ok);
  });
  documents.push(roundDocument(session.state, 1, 1)?.text ?? '');
  const round = session.state.runs[0]?.rounds[0];
  assert.ok(round);
  assert.deepEqual(
    setAsideReplies(round).map(({ message, finish }) => [message, finish]),
    [['m3', 'tool_calls']],
  );
  for (const text of documents)
    assert.match(
      text,
      /Reply set aside, the model was asked again[^\n]*\n {2}m3 assistant\n {4}I calculate\./,
    );
  assert.match(documents[0] ?? '', /Context \(not sent yet, asked again\)[\s\S]*Reply \(none yet\)/);
  assert.match(
    documents[1] ?? '',
    /Context \(sent: 2 messages[\s\S]*Reply \(finish: stop[^\n]*\n {2}m4 assistant\n {4}An answer\./,
  );
});

test('a journal that asks again where no reply waits is found out', async () => {
  const session = createTestSession();
  const model = createScriptedModel([says('One.')]);
  await stepThrough(await createTestAgent(model), session, 'Hi', () => undefined);
  const events = session.journal.events.map((event) =>
    event.type === 'resumed' ? { ...event, verb: 'askAgain' as const } : event,
  );
  const state = foldAll(events);
  assert.deepEqual(legal(historyMessages(state).map(({ text }) => JSON.parse(text) as WireMessage)), []);
  const { checkJournal } = await import('../../../src/core/check.ts');
  const { problems } = checkJournal(events, { sha256: () => '', byteLength: () => 0 });
  assert.ok(problems.some(({ message }) => message.includes('asked again where no reply waits')));
});

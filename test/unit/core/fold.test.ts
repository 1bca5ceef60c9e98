/** The fold on what is no event, on references that lead nowhere, and what two journals are compared by. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable, type JournalEvent } from '../../../src/core/events.ts';
import { eventProblem } from '../../../src/core/eventShape.ts';
import { fold, foldAll } from '../../../src/core/fold.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

const good = exampleJournal();

/** The newest fields, each on the first event of its type in the worked example, and values that they may not have. */
const newest: readonly (readonly [type: JournalEvent['type'], value: object, bad: readonly object[]])[] = [
  ['run.started', { more: 2 }, [{ more: -1 }, { more: 0.5 }, { more: '2' }]],
  [
    'context.packed',
    { fixed: { tools: 1, format: 2, measured: -3 } },
    [{ fixed: { tools: 1, format: 2, measured: NaN } }, { fixed: { tools: 1, format: 2, measured: null } }],
  ],
  [
    'context.packed',
    { meter: { estimate: 1, own: 1, media: 0, model: 'x', factor: 1.1, error: -0.5 } },
    [
      { meter: { estimate: 1, own: 'x' } },
      { meter: { estimate: 1, media: Infinity } },
      { meter: { estimate: 1, model: 3 } },
      { meter: { estimate: 1, factor: [] } },
      { meter: { estimate: 1, error: {} } },
      { meter: { estimate: 1, anchor: { request: '', reported: 1, estimated: 1 } } },
    ],
  ],
  [
    'model.failed',
    { class: 'overflow', tokens: { asked: 10, limit: 5 } },
    [{ tokens: 5 }, { tokens: { asked: '10' } }, { tokens: { limit: NaN } }, { class: 'overflowed' }],
  ],
  ['call.started', { tool: 'my.tool' }, [{ tool: 3 }, { tool: null }, { effects: 'all' }]],
  [
    'history.appended',
    {
      messages: [
        { id: 'm90', role: 'user', part: 'p2', origin: { kind: 'summary', folds: ['m1'] }, before: 'm1' },
      ],
    },
    [
      { messages: [{ id: 'm90', role: 'user', part: 'p2', origin: { kind: 'summary', folds: 'm1' } }] },
      { messages: [{ id: 'm90', role: 'user', part: 'p2', origin: { kind: 'summary', folds: [1] } }] },
      { messages: [{ id: 'm90', role: 'user', part: 'p2', origin: { kind: 'user' }, before: 3 }] },
      { messages: [{ id: 'm90', role: 'user', part: 'p2', origin: {} }] },
    ],
  ],
];
for (const [type, value, bad] of newest) {
  test(`${type}: ${Object.keys(value).join(', ')} is taken as it should be, and refused otherwise`, () => {
    const index = good.findIndex((event) => event.type === type);
    const event = good[index]!;
    assert.equal(eventProblem({ ...event, ...value }), undefined);
    // What is refused leaves the state as it was but for the place in the file.
    for (const wrong of bad) {
      const broken: JournalEvent = { ...event, ...value, ...wrong };
      assert.match(eventProblem(broken) ?? '', /must/, JSON.stringify(wrong));
      const state = foldAll(good.slice(0, index));
      fold(state, broken);
      assert.deepEqual(state, { ...foldAll(good.slice(0, index)), seq: index + 1 });
    }
  });
}

test('what names nothing that is there changes nothing but what it says', () => {
  const nowhere: readonly object[] = [
    { type: 'run.ended', run: 9, outcome: 'done' },
    { type: 'round.started', round: 1 },
    { type: 'round.ended', round: 1, next: 'again' },
    { type: 'checkpoint', kind: 'act', key: '1.1.1' },
    { type: 'model.failed', request: 'r9', attempt: 1, class: 'overflow', message: '', tokens: {} },
    { type: 'call.started', key: '1.1.1', name: 'x', wireId: 'c', effects: 'none' },
    { type: 'edited', op: 'set', target: 'm9/content', after: 'p9', scope: 'history', by: 'user' },
    { type: 'edited', op: 'insert', target: 'm9', after: 'p9', scope: 'history', by: 'repair' },
    { type: 'edited', op: 'remove', target: 'm9', scope: 'history', by: 'repair' },
    { type: 'edited', op: 'reject', target: '1.1.1', after: 'p9', scope: 'pending', by: 'user' },
  ];
  for (const body of nowhere) {
    const state = foldAll([good[0]!]);
    const event = { seq: 1, at: 1, ...body } as JournalEvent;
    assert.equal(eventProblem(event), undefined);
    fold(state, event);
    const { checkpoint: _checkpoint, ...rest } = state;
    // An edit counts as one, whatever it names.
    const { rewritten } = state;
    assert.deepEqual(rest, { ...foldAll([good[0]!]), seq: 2, rewritten }, JSON.stringify(body));
  }
});

test('a message that enters a second time, or before one that is not there', () => {
  const entering = (id: string, before?: string) =>
    ({
      seq: 99,
      at: 1,
      type: 'history.appended',
      messages: [{ id, role: 'user', part: 'p2', origin: { kind: 'user' }, ...(before ? { before } : {}) }],
    }) as const;
  const state = foldAll(good.slice(0, 6));
  const history = [...state.history];
  fold(state, entering(history[0]!));
  assert.deepEqual(state.history, history);
  fold(state, entering('m90', history[0]));
  fold(state, entering('m91', 'm1000'));
  assert.deepEqual(state.history, ['m90', ...history, 'm91']);
});

test('two journals are the same without when, how fast, from where and in which session', () => {
  const event = {
    ...good.find(({ type }) => type === 'model.replied')!,
    session: 's-1',
  } as unknown as JournalEvent;
  const later = {
    ...event,
    at: 1,
    ms: 9999,
    ttft: 5,
    source: 'recorded',
    session: 's-2',
  } as unknown as JournalEvent;
  assert.deepEqual(comparable(later), comparable(event));
  for (const dropped of ['at', 'ms', 'ttft', 'source', 'session']) assert.ok(!(dropped in comparable(event)));
  for (const change of [
    { seq: 0 },
    { reply: 'p99' },
    { finish: 'length' },
    { attempt: 9 },
    { inferred: true },
  ])
    assert.notDeepEqual(comparable({ ...event, ...change } as JournalEvent), comparable(event));
});

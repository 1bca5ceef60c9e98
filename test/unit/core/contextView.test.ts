import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContextView, contextView } from '../../../src/core/contextView.ts';
import type { EventBody, JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { roundAt } from '../../../src/core/journalState.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

function viewAt(events: readonly JournalEvent[], run: number, round: number): ContextView {
  const state = foldAll(events);
  const view = contextView(state, roundAt(state, run, round)!);
  assert.ok(view, `round ${run}.${round}`);
  return view;
}

function parts(view: ContextView): Record<string, number> {
  const sum = view.budget.parts.reduce((total, { tokens }) => total + tokens, 0);
  assert.equal(sum, view.budget.limit, 'the parts add up to the limit');
  return Object.fromEntries(view.budget.parts.map(({ part, tokens }) => [part, tokens]));
}

test('the budget of the last request adds up, and is anchored on the usage before it', () => {
  const view = viewAt(exampleJournal(), 2, 1);
  assert.deepEqual(parts(view), {
    system: 40,
    tools: 144,
    user: 45,
    assistant: 30,
    results: 0,
    format: 6,
    measured: 0,
    other: 0,
    reserve: 80,
    free: 75,
  });
  assert.deepEqual(
    [view.budget.sent, view.budget.limit, view.budget.over, view.budget.toolCount],
    [265, 420, 0, 2],
  );
  assert.equal(view.waiting, false);
  assert.equal(view.budget.meter.reported, 266);
});

test('round 2 is anchored on what was reported in round 1', () => {
  const { anchor, estimate } = viewAt(exampleJournal(), 1, 2).budget.meter;
  assert.ok(anchor);
  assert.deepEqual(
    [anchor.reported, anchor.run, anchor.round, anchor.estimated, estimate],
    [217, 1, 1, 215, 321],
  );
  assert.equal((anchor.error * 100).toFixed(1), '-0.9');
  assert.equal(viewAt(exampleJournal(), 1, 1).budget.meter.anchor, undefined);
});

test('every message of the history has its fate; the unit that left has its arithmetic once', () => {
  const view = viewAt(exampleJournal(), 2, 1);
  assert.deepEqual(
    view.rows.map((row) => [row.id, row.fate, row.tokens, row.pinned]),
    [
      ['m1', 'kept', 40, 'rule'],
      ['m2', 'kept', 25, undefined],
      ['m3', 'dropped', 48, undefined],
      ['m4', 'dropped', 30, undefined],
      ['m5', 'dropped', 28, undefined],
      ['m6', 'kept', 30, undefined],
      ['m7', 'kept', 20, 'rule'],
    ],
  );
  assert.deepEqual(
    view.rows.map((row) => row.reason?.ids.join(' + ')),
    [undefined, undefined, undefined, undefined, 'm3 + m4 + m5', undefined, undefined],
  );
  assert.deepEqual(view.rows[4]?.reason, {
    ids: ['m3', 'm4', 'm5'],
    rule: 'drop-oldest',
    need: 106,
    room: 75,
    limit: 420,
    run: 2,
    round: 1,
  });
  assert.equal(view.sentFrom, 5);
});

test('an older round is shown as it was: no later message, no later fate', () => {
  const view = viewAt(exampleJournal(), 1, 2);
  assert.deepEqual(
    view.rows.map((row) => row.id),
    ['m1', 'm2', 'm3', 'm4', 'm5'],
  );
  assert.deepEqual(new Set(view.rows.map((row) => row.fate)), new Set(['kept']));
  assert.equal(view.sentFrom, undefined);
});

test('nothing packed: nothing to show', () => {
  const events = exampleJournal();
  const state = foldAll(events.slice(0, events.findIndex((event) => event.type === 'round.started') + 1));
  assert.equal(contextView(state, roundAt(state, 1, 1)!), undefined);
});

function packedOnce(change: Partial<Extract<EventBody, { type: 'context.packed' }>>): JournalEvent[] {
  const bodies: EventBody[] = [
    { type: 'part', id: 'p1', text: '{"role":"user","content":"x"}' },
    { type: 'run.started', run: 1, goal: 'm1', config: 'p1' },
    {
      type: 'history.appended',
      messages: [{ id: 'm1', role: 'user', part: 'p1', origin: { kind: 'user' } }],
    },
    { type: 'round.started', round: 1 },
    {
      type: 'context.packed',
      policy: 'none',
      limit: 100,
      reserve: 40,
      fixed: { tools: 10, format: 5 },
      meter: { estimate: 95 },
      total: 95,
      counted: [['m1', 80]],
      changed: [],
      ...change,
    },
  ];
  return bodies.map((body, seq) => ({ seq, at: seq, ...body }));
}

test('a request that does not fit says by how much, and the parts still add up', () => {
  const view = viewAt(packedOnce({}), 1, 1);
  assert.equal(view.budget.over, 35);
  assert.equal(parts(view)['free'], -35);
  assert.equal(view.waiting, true);
});

test('a total that its own counts do not make is shown as such', () => {
  assert.equal(parts(viewAt(packedOnce({ total: 99 }), 1, 1))['other'], 4);
  assert.equal(parts(viewAt(packedOnce({ counted: [] }), 1, 1))['other'], 80);
});

test('a report of zero tokens is no anchor', () => {
  const meter = { estimate: 95, anchor: { request: 'r1', reported: 0, estimated: 10 } };
  assert.equal(viewAt(packedOnce({ meter }), 1, 1).budget.meter.anchor, undefined);
});

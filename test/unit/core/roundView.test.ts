import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBody, JournalEvent } from '../../../src/core/events.ts';
import { fold, foldAll } from '../../../src/core/fold.ts';
import { roundAt } from '../../../src/core/journalState.ts';
import { failedAttempts, replyView } from '../../../src/core/replyView.ts';
import type { RoundRow } from '../../../src/core/compareSent.ts';
import { type RoundView, roundView, roundViewKey } from '../../../src/core/roundView.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

function viewAt(events: readonly JournalEvent[], run: number, round: number): RoundView {
  const state = foldAll(events);
  const at = roundAt(state, run, round);
  assert.ok(at, `round ${run}.${round}`);
  return roundView(state, at);
}

/** One line a row: what a person reads first. */
function lines(rows: readonly RoundRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'kept') return `kept ${row.rows.map((one) => one.id).join(' ')} · ${row.tokens ?? '?'}`;
    const { reason } = row;
    const sum = reason
      ? ` · ${reason.ids.join(' + ')} need ${reason.need}, room ${reason.room} (${reason.rule})`
      : '';
    return `${row.change} ${row.id} ${row.role} · ${row.tokens ?? '?'}${sum}`;
  });
}

function journal(bodies: readonly EventBody[]): JournalEvent[] {
  return bodies.map((body, seq) => ({ seq, at: seq * 10, ...body }));
}

const packing = {
  policy: 'window',
  limit: 1000,
  reserve: 100,
  fixed: { tools: 0, format: 0 },
  meter: { estimate: 1 },
};
const asked = {
  attempt: 1,
  purpose: 'round' as const,
  url: 'demo:',
  head: 'p1',
  tail: ['p1'],
  hash: '',
  bytes: 0,
};
const user = (id: string, part: string) =>
  ({ type: 'history.appended', messages: [{ id, role: 'user', part, origin: { kind: 'user' } }] }) as const;
const packed = (
  changed: Extract<EventBody, { type: 'context.packed' }>['changed'],
  counted: [string, number][] = [],
) => ({ type: 'context.packed', ...packing, total: 1, counted, changed }) as const;

test('the first request of a session has nothing before it: all is new', () => {
  const view = viewAt(exampleJournal(), 1, 1);
  assert.deepEqual(lines(view.rows), ['new m1 system · 40', 'new m2 user · 25']);
  assert.equal(view.against, undefined);
  assert.equal(view.status, 'sent');
  assert.equal(view.total, 215);
  assert.deepEqual(
    view.rows.map((row) => row.kind === 'message' && row.pinned),
    ['rule', 'rule'],
  );
});

test('the block of round 1 is new in round 2 and carries the edit it was made with', () => {
  const view = viewAt(exampleJournal(), 1, 2);
  assert.deepEqual(lines(view.rows), [
    'kept m1 m2 · 65',
    'new m3 assistant · 48',
    'new m4 tool · 30',
    'new m5 tool · 28',
  ]);
  const [, m3, , m5] = view.rows;
  assert.ok(m3?.kind === 'message' && m5?.kind === 'message');
  const [edit] = m3.edits;
  assert.deepEqual(
    [edit?.scope, edit?.by, edit?.at, edit?.run, edit?.round, edit?.before, edit?.after],
    ['pending', 'user', 'act', 1, 1, 'p7', 'p8'],
  );
  // The verdict on a call is told of at its result.
  assert.deepEqual(
    m5.edits.map((note) => note.op),
    ['reject'],
  );
});

test('across runs: what left says by which arithmetic, and what stayed is not called changed', () => {
  const view = viewAt(exampleJournal(), 2, 1);
  assert.deepEqual(view.against, { run: 1, round: 2 });
  assert.deepEqual(lines(view.rows), [
    'kept m1 m2 · 65',
    'dropped m3 assistant · 48',
    'dropped m4 tool · 30',
    'dropped m5 tool · 28 · m3 + m4 + m5 need 106, room 75 (drop-oldest)',
    'new m6 assistant · 30',
    'new m7 user · 20',
  ]);
  const none = { edited: 0, trimmed: 0, folded: 0, restored: 0, removed: 0 };
  assert.deepEqual(view.counts, { kept: 2, new: 2, dropped: 3, ...none });
});

test('at plan the packed request is shown as not sent yet, against the last one that was', () => {
  const events = exampleJournal();
  const atPlan = events.findLastIndex((event) => event.type === 'checkpoint' && event.kind === 'plan') + 1;
  const view = viewAt(events.slice(0, atPlan), 2, 1);
  const sent = viewAt(events, 2, 1);
  assert.equal(view.status, 'packed');
  assert.equal(view.request, undefined);
  assert.deepEqual(lines(view.rows), lines(sent.rows));
});

test('before the packing there is nothing to compare', () => {
  const events = exampleJournal();
  const started = events.findLastIndex((event) => event.type === 'round.started') + 1;
  const view = viewAt(events.slice(0, started), 2, 1);
  assert.equal(view.status, 'packing');
  assert.deepEqual(view.rows, []);
});

/** Two rounds over m1 … m4; the second packing and what leads to it are given. */
function twoRounds(
  between: readonly EventBody[],
  second: EventBody,
  splices: [number, number, (string | [string, string])[]][],
) {
  return journal([
    { type: 'part', id: 'p1', text: '' },
    { type: 'part', id: 'p2', text: '{"role":"user","content":"one"}' },
    { type: 'part', id: 'p3', text: '{"role":"user","content":"two"}' },
    { type: 'run.started', run: 1, goal: 'm1', config: 'p1' },
    user('m1', 'p2'),
    user('m2', 'p2'),
    user('m3', 'p2'),
    { type: 'round.started', round: 1 },
    packed(
      [{ id: 'm2', fate: 'dropped', rule: 'window' }],
      [
        ['m1', 5],
        ['m2', 6],
        ['m3', 7],
      ],
    ),
    { type: 'model.requested', request: 'r1', on: null, splices: [[0, 0, ['m1', 'm3']]], ...asked },
    ...between,
    { type: 'round.ended', round: 1, next: 'again' },
    { type: 'round.started', round: 2 },
    second,
    { type: 'model.requested', request: 'r2', on: 'r1', splices, ...asked },
  ]);
}

test('a message that comes back is restored, in its own place', () => {
  const events = twoRounds([], packed([{ id: 'm2', fate: 'kept', rule: 'user' }]), [[1, 0, ['m2']]]);
  assert.deepEqual(lines(viewAt(events, 1, 2).rows), ['kept m1 · 5', 'restored m2 user · 6', 'kept m3 · 7']);
});

test('one that had left earlier is named, not listed', () => {
  const view = viewAt(twoRounds([], packed([]), []), 1, 2);
  assert.deepEqual(lines(view.rows), ['kept m1 m3 · 12']);
  assert.deepEqual(view.leftEarlier, ['m2']);
});

test('a message that was dropped before any request held it is shown as dropped', () => {
  const events = twoRounds(
    [user('m4', 'p3'), user('m5', 'p3')],
    packed(
      [{ id: 'm4', fate: 'dropped', rule: 'window' }],
      [
        ['m4', 8],
        ['m5', 9],
      ],
    ),
    [[2, 0, ['m5']]],
  );
  assert.deepEqual(lines(viewAt(events, 1, 2).rows), [
    'kept m1 m3 · 12',
    'dropped m4 user · 8 · m4 need undefined, room undefined (window)',
    'new m5 user · 9',
  ]);
});

test('trimmed is told from edited, and an edit from the end of one', () => {
  const trimmed = packed([{ id: 'm3', fate: 'trimmed', rule: 'cap', part: 'p3' }], [['m3', 3]]);
  const view = viewAt(twoRounds([], trimmed, [[1, 1, [['m3', 'p3']]]]), 1, 2);
  assert.deepEqual(lines(view.rows), ['kept m1 · 5', 'trimmed m3 user · 3']);
  const row = view.rows[1];
  assert.ok(row?.kind === 'message');
  assert.deepEqual(
    [row.before, row.part, row.tokensBefore, row.tokens, row.trimmed?.rule],
    ['p2', 'p3', 7, 3, 'cap'],
  );

  const edit = {
    type: 'edited',
    op: 'set',
    target: 'm3/content',
    before: 'p2',
    after: 'p3',
    scope: 'history',
    by: 'user',
  } as const;
  const edited = viewAt(twoRounds([{ type: 'checkpoint', kind: 'observe' }, edit], packed([]), []), 1, 2);
  const changed = edited.rows[1];
  assert.ok(changed?.kind === 'message');
  assert.deepEqual([changed.change, changed.before, changed.part], ['edited', 'p2', 'p3']);
  assert.deepEqual([changed.edits[0]?.scope, changed.edits[0]?.at], ['history', 'observe']);

  const rewired = twoRounds([], packed([]), [[1, 1, [['m3', 'p3']]]]);
  const third = journal([
    ...rewired.map(({ seq: _seq, at: _at, ...body }) => body as EventBody),
    { type: 'round.started', round: 3 },
    packed([]),
    { type: 'model.requested', request: 'r3', on: 'r2', splices: [[1, 1, ['m3']]], ...asked },
  ]);
  assert.deepEqual(lines(viewAt(third, 1, 3).rows), ['kept m1 · 5', 'restored m3 user · 7']);
});

test('asked again: the new packing is shown until it leaves, against the round before', () => {
  const events = journal([
    ...twoRounds([], packed([]), []).map(({ seq: _seq, at: _at, ...body }) => body as EventBody),
    packed([{ id: 'm3', fate: 'dropped', rule: 'user' }]),
  ]);
  const view = viewAt(events, 1, 2);
  assert.equal(view.status, 'packed');
  assert.deepEqual(view.against, { run: 1, round: 1 });
  assert.equal(view.counts.dropped, 1);
});

test('the reply tells what became of each call, and its edits', () => {
  const state = foldAll(exampleJournal());
  const reply = replyView(state, roundAt(state, 1, 1)!);
  assert.ok(reply);
  assert.deepEqual(
    [reply.message, reply.before, reply.part, reply.finish, reply.usage?.completion, reply.ms],
    ['m3', 'p7', 'p8', 'tool_calls', 47, 812],
  );
  const [first, second] = reply.calls;
  assert.deepEqual(
    [first?.status, first?.outcome, first?.ms, first?.arguments, first?.result],
    ['finished', 'ok', 3, '{"expression":"45+30"}', { message: 'm4', part: 'p9', entered: true }],
  );
  assert.deepEqual(
    [second?.status, second?.outcome, second?.verdict, second?.result?.message],
    ['finished', 'rejected', 'reject', 'm5'],
  );
});

test('at the pause before a call it is that call which waits, until the user decides', () => {
  const events = exampleJournal();
  const statuses = (length: number) => {
    const state = foldAll(events.slice(0, length));
    return replyView(state, roundAt(state, 1, 1)!)?.calls.map((call) => call.status);
  };
  const seqOf = (match: (event: JournalEvent) => boolean) => events.findIndex(match) + 1;
  assert.deepEqual(statuses(seqOf((event) => event.type === 'paused')), ['paused', 'later']);
  // Let go, and not begun: somebody is asked whether it may.
  const letGo = seqOf((event) => event.type === 'call.started') - 1;
  assert.equal(events[letGo - 1]?.type, 'resumed');
  assert.deepEqual(statuses(letGo), ['asking', 'later']);
  assert.deepEqual(statuses(seqOf((event) => event.type === 'call.started')), ['running', 'later']);
  assert.deepEqual(statuses(seqOf((event) => event.type === 'paused' && event.reason === 'step')), [
    'finished',
    'paused',
  ]);
  assert.deepEqual(statuses(seqOf((event) => event.type === 'edited' && event.op === 'reject')), [
    'finished',
    'decided',
  ]);
});

test('an attempt that failed says how, and when the next one came', () => {
  const state = foldAll(exampleJournal());
  assert.deepEqual(failedAttempts(state, roundAt(state, 1, 1)!), [
    { seq: 12, attempt: 1, class: 'rate-limit', message: 'slow down', status: 429, retryIn: 500 },
  ]);
});

test('any earlier round can be compared with; a later one can not', () => {
  const state = foldAll(exampleJournal());
  const [first, second] = [roundAt(state, 1, 1), roundAt(state, 1, 2)];
  const now = roundAt(state, 2, 1);
  assert.ok(first && second && now);
  const view = roundView(state, now, first);
  assert.deepEqual(view.against, { run: 1, round: 1 });
  // m3 to m5 came after the request of round 1 and left again before this one: that is told too.
  const changes = (one: RoundView) =>
    one.rows.flatMap((row) => (row.kind === 'kept' ? [] : [`${row.change} ${row.id}`]));
  assert.deepEqual(changes(view), ['dropped m3', 'dropped m4', 'dropped m5', 'new m6', 'new m7']);
  assert.deepEqual(roundView(state, first, now), roundView(state, first));
});

test('while its key is the same, a view is the same: at every event of a journal', () => {
  const state = foldAll([]);
  const last = new Map<unknown, { readonly key: readonly unknown[]; readonly view: RoundView }>();
  let kept = 0;
  for (const event of exampleJournal()) {
    fold(state, event);
    for (const round of state.runs.flatMap(({ rounds }) => rounds)) {
      const [key, view] = [roundViewKey(state, round), structuredClone(roundView(state, round))];
      const before = last.get(round);
      if (before?.key.every((one, index) => one === key[index])) {
        assert.deepEqual(view, before.view, `${event.type} ${event.seq}`);
        kept++;
      }
      last.set(round, { key, view });
    }
  }
  assert.ok(kept > 60);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBody, JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { emptyLane, foldLane, type LaneState, roundsAhead, workedMs } from '../../../src/core/lane.ts';
import { statusView } from '../../../src/core/statusView.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

function laneOf(events: readonly JournalEvent[]): LaneState {
  const lane = emptyLane();
  for (const event of events) foldLane(lane, event);
  return lane;
}

const timed = (...list: [at: number, body: EventBody][]): JournalEvent[] =>
  list.map(([at, body], seq) => ({ seq, at, ...body }));

test('the example: three rounds, their phases by the clock of the events, pauses taken out', () => {
  const { cells } = laneOf(exampleJournal());
  assert.deepEqual(
    cells.map((cell) => [cell.run, cell.round, cell.ms, cell.tokens, cell.limit, cell.left, cell.next]),
    [
      // plan 49–133; act 133–238 less the pauses 140–161 and 196–217; observe 238–252
      [1, 1, { plan: 84, act: 63, observe: 14 }, 215, 420, 0, 'again'],
      [1, 2, { plan: 49, act: 0, observe: 14 }, 321, 420, 0, 'done'],
      [2, 1, { plan: 49, act: 0, observe: 14 }, 265, 420, 3, 'done'],
    ],
  );
  assert.deepEqual(
    cells.map((cell) => [cell.edits, cell.retries, cell.breaks, cell.faults]),
    [
      [2, 1, [], []],
      [0, 0, [], []],
      [0, 0, [], []],
    ],
  );
  assert.equal(workedMs(cells[0]!), 161);
});

test('a pause of hours is nobody’s work, and the phase after it is counted from the resume', () => {
  const hours = 3 * 3_600_000;
  const lane = laneOf(
    timed(
      [0, { type: 'run.started', run: 1, goal: 'm1', config: 'p1' }],
      [0, { type: 'round.started', round: 1 }],
      [10, { type: 'checkpoint', kind: 'plan' }],
      [10, { type: 'paused', reason: 'breakpoint', hits: ['filter:plan'] }],
      [hours, { type: 'resumed', verb: 'next' }],
      [hours + 30, { type: 'checkpoint', kind: 'observe' }],
      [hours + 35, { type: 'round.ended', round: 1, next: 'done' }],
      [hours + 90, { type: 'checkpoint', kind: 'end' }],
    ),
  );
  assert.deepEqual(lane.cells[0]?.ms, { plan: 40, act: 0, observe: 5 });
  assert.equal(lane.cells[0]?.phase, undefined);
});

test('what stopped a round is kept with it: faults by name, breakpoints, not the phase filters', () => {
  const pause = (hits: string[], reason: 'breakpoint' | 'exception') =>
    [1, { type: 'paused', reason, hits }] as const;
  const lane = laneOf(
    timed(
      [0, { type: 'run.started', run: 1, goal: 'm1', config: 'p1' }],
      [0, { type: 'round.started', round: 1 }],
      [...pause(['filter:act', 'function:calculator'], 'breakpoint')],
      [...pause(['fault:toolFailure'], 'exception')],
      [...pause([], 'exception')],
    ),
  );
  assert.deepEqual(lane.cells[0]?.breaks, ['function:calculator']);
  assert.deepEqual(lane.cells[0]?.faults, ['fault:toolFailure', 'exception']);
});

test('a clock that went back takes no time away', () => {
  const lane = laneOf(
    timed(
      [0, { type: 'run.started', run: 1, goal: 'm1', config: 'p1' }],
      [100, { type: 'round.started', round: 1 }],
      [50, { type: 'checkpoint', kind: 'act', key: '1.1.1' }],
      [70, { type: 'run.ended', run: 1, outcome: 'cancelled' }],
    ),
  );
  assert.deepEqual(lane.cells[0]?.ms, { plan: 0, act: 20, observe: 0 });
  assert.equal(lane.cells[0]?.next, 'cancelled');
});

test('rounds ahead: the run’s own limit, while it runs', () => {
  const events = exampleJournal();
  const at = (match: (event: JournalEvent) => boolean) => events.findIndex(match) + 1;
  assert.equal(
    roundsAhead(
      foldAll(
        events.slice(
          0,
          at((event) => event.type === 'model.replied'),
        ),
      ),
    ),
    7,
  );
  assert.equal(roundsAhead(foldAll(events)), 0);
  assert.equal(roundsAhead(foldAll([])), 0);
});

test('the status follows the journal: idle, packing, model, paused with its call, running, ended', () => {
  const events = exampleJournal();
  const after = (seq: number) => statusView(foldAll(events.slice(0, seq + 1)));
  const seqOf = (type: JournalEvent['type']) => events.findIndex((event) => event.type === type);
  assert.deepEqual(statusView(foldAll([])), { kind: 'idle' });
  assert.deepEqual(after(seqOf('round.started')), { kind: 'running', round: 1, doing: 'packing' });
  assert.deepEqual(after(seqOf('model.requested')), { kind: 'running', round: 1, doing: 'model' });
  assert.deepEqual(after(seqOf('model.failed')), { kind: 'running', round: 1, doing: 'model' });
  assert.deepEqual(after(seqOf('paused')), {
    kind: 'paused',
    at: 'act',
    reason: 'breakpoint',
    hits: ['filter:act'],
    run: 1,
    round: 1,
    call: { key: '1.1.1', name: 'calculator' },
  });
  assert.deepEqual(after(seqOf('call.started')), {
    kind: 'running',
    round: 1,
    doing: 'call',
    tool: 'calculator',
  });
  assert.deepEqual(after(events.length - 1), { kind: 'ended', run: 2, outcome: 'done' });
});

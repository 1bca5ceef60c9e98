import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckpointKind, Verb } from '../../../src/core/events.ts';
import { type Checkpoint, createGate, type Stop, type StopRules } from '../../../src/runner/gate.ts';
import { createJournal } from '../../../src/session/journal.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';

/** The checkpoints of two rounds: one reply with two calls, one with none. */
const route: readonly Checkpoint[] = [
  { kind: 'plan' },
  { kind: 'reply' },
  { kind: 'act', key: '1.1.1' },
  { kind: 'act', key: '1.1.2' },
  { kind: 'observe' },
  { kind: 'plan' },
  { kind: 'reply' },
  { kind: 'observe' },
  { kind: 'end' },
];

const phases = (...on: readonly CheckpointKind[]): StopRules => ({
  hits: async ({ kind }) => ({
    faults: [],
    breakpoints: [],
    phases: on.includes(kind) ? [`filter:${kind}`] : [],
  }),
});

/** Drives the route, answering each stop with the next verb (the last one goes on); returns where it stopped. */
async function drive(
  rules: StopRules | undefined,
  verbs: readonly Verb[],
  stopOnEntry = false,
): Promise<string[]> {
  const stops: string[] = [];
  const gate = createGate({
    recorder: createJournal({ clock: createFixedClock() }),
    signal: new AbortController().signal,
    stopOnEntry,
    ...(rules ? { rules } : {}),
    onStopped(stop: Stop) {
      stops.push(`${stop.kind}${stop.key ? ` ${stop.key}` : ''} ${stop.reason}`);
      const verb = verbs[Math.min(stops.length, verbs.length) - 1] ?? 'continue';
      queueMicrotask(() => assert.ok(gate.resume(verb)));
    },
  });
  for (const { kind, key } of route) await gate.checkpoint(kind, key);
  return stops;
}

const defaults = phases('plan', 'act', 'observe');

test('F5, F10 and F11 do three different things in a reply with two calls', async () => {
  assert.deepEqual(await drive(defaults, ['continue']), [
    'plan breakpoint',
    'act 1.1.1 breakpoint',
    'act 1.1.2 breakpoint',
    'observe breakpoint',
    'plan breakpoint',
    'observe breakpoint',
    'end end',
  ]);
  assert.deepEqual(await drive(defaults, ['next']), [
    'plan breakpoint',
    'act 1.1.1 step',
    'observe step',
    'plan step',
    'observe step',
    'end end',
  ]);
  assert.deepEqual(await drive(defaults, ['stepIn']), [
    'plan breakpoint',
    'reply step',
    'act 1.1.1 step',
    'act 1.1.2 step',
    'observe step',
    'plan step',
    'reply step',
    'observe step',
    'end end',
  ]);
  assert.deepEqual(await drive(defaults, ['stepOut']), ['plan breakpoint', 'plan step', 'end end']);
});

test('without rules nothing stops; with rules and no filter a run stops at its end', async () => {
  assert.deepEqual(await drive(undefined, []), []);
  assert.deepEqual(await drive(phases(), ['continue']), ['end end']);
  assert.deepEqual(await drive(phases(), ['continue'], true), ['plan entry', 'end end']);
});

test('a step is interrupted by a breakpoint and by a fault, not by a phase filter', async () => {
  const rules: StopRules = {
    hits: async ({ key }) => ({
      faults: key === '1.1.2' ? ['fault:toolFailure'] : [],
      breakpoints: key === '1.1.1' ? ['function:calculator'] : [],
      phases: ['filter:any'],
    }),
  };
  assert.deepEqual(await drive(rules, ['stepOut']), [
    'plan breakpoint',
    'act 1.1.1 breakpoint',
    'act 1.1.2 exception',
    'plan step',
    'end end',
  ]);
});

test('a pause holds at the next checkpoint of any kind, once', async () => {
  const journal = createJournal({ clock: createFixedClock() });
  const stops: string[] = [];
  const gate = createGate({
    recorder: journal,
    signal: new AbortController().signal,
    rules: phases(),
    onStopped: ({ kind, reason }) => {
      stops.push(`${kind} ${reason}`);
      queueMicrotask(() => gate.resume('continue'));
    },
  });
  gate.pause();
  await gate.checkpoint('reply');
  await gate.checkpoint('observe');
  assert.deepEqual(stops, ['reply pause']);
  assert.deepEqual(
    journal.events.map(({ type }) => type),
    ['checkpoint', 'paused', 'resumed', 'checkpoint'],
  );
});

test('resuming what is not held is refused, and an aborted run is never held', async () => {
  const abort = new AbortController();
  const gate = createGate({
    recorder: createJournal({ clock: createFixedClock() }),
    signal: abort.signal,
    rules: phases('plan'),
  });
  assert.equal(gate.resume('continue'), false);
  abort.abort();
  await gate.checkpoint('plan');
  assert.equal(gate.stopped, undefined);
});

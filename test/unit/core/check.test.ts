import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkJournal } from '../../../src/core/check.ts';
import type { JournalEvent } from '../../../src/core/events.ts';
import { sha256 } from '../../../src/entry/createAgent.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

const ports = { sha256, byteLength: (text: string) => Buffer.byteLength(text) };
const problems = (events: readonly JournalEvent[]) =>
  checkJournal(events, ports).problems.map(({ message }) => message);
const changed = (seq: number, change: Record<string, unknown>) =>
  exampleJournal().map((event) => (event.seq === seq ? { ...event, ...change } : event));

test('the worked example: four bodies rebuild to their hashes', () => {
  const report = checkJournal(exampleJournal(), ports);
  assert.deepEqual(report.problems, []);
  assert.deepEqual(report.notes, []);
  assert.equal(report.requests, 4);
  assert.equal(report.runs, 2);
});

test('a changed text, hash or size of a sent body is found', () => {
  const text = '{"role":"user","content":"And what is left for tomorrow?"}';
  assert.match(problems(changed(49, { text })).join('\n'), /r3.*rebuilds to/);
  assert.match(problems(changed(54, { hash: '0'.repeat(64) })).join('\n'), /was sent/);
  assert.match(problems(changed(54, { bytes: 1 })).join('\n'), /rebuilds to 756 bytes, 1 were sent/);
});

test('a request that sent what its packing dropped is found', () => {
  const list = problems(changed(54, { splices: [[5, 0, ['m6', 'm7']]] })).join('\n');
  assert.match(list, /m3, m4, m5 was sent, which the packing did not keep/);
});

test('a request that left out what its packing kept is found', () => {
  const list = problems(
    changed(54, {
      splices: [
        [2, 3, []],
        [5, 0, ['m7']],
      ],
    }),
  ).join('\n');
  assert.match(list, /the packing kept m6, which was not sent/);
});

test('a part used before it is written, a gap in seq and a call started twice are found', () => {
  const events = exampleJournal();
  assert.match(
    problems(events.filter(({ seq }) => seq !== 15)).join('\n'),
    /part p7 is used before it is written/,
  );
  assert.match(problems(events.filter(({ seq }) => seq !== 47)).join('\n'), /seq is 48, expected 47/);
  const twice = [
    ...events.slice(0, 24),
    { ...events[23]!, seq: 24 },
    ...events.slice(24).map((e) => ({ ...e, seq: e.seq + 1 })),
  ];
  assert.match(problems(twice).join('\n'), /call 1.1.1 was started twice/);
});

test('an interrupted run and an unknown call are notes, not problems', () => {
  const report = checkJournal(exampleJournal().slice(0, 24), ports);
  assert.deepEqual(report.problems, []);
  assert.deepEqual(
    report.notes.map(({ message }) => message),
    [
      'call 1.1.1 was started and has no result: its effects are unknown',
      'run 1 has not ended: it was interrupted',
    ],
  );
});

test('unknown event types and fields are kept and said', () => {
  const later = { seq: 63, at: 1, type: 'hologram.shown', colour: 'blue' } as unknown as JournalEvent;
  const report = checkJournal([...exampleJournal(), later], ports);
  assert.deepEqual(report.problems, []);
  assert.deepEqual(
    report.notes.map(({ message }) => message),
    ['1 event(s) of the unknown type hologram.shown'],
  );
});

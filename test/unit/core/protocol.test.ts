import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { EventBody, JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { headLimit, headOf, panelEvent, utf8Length } from '../../../src/core/panelEvent.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

const partOf = (text: string): JournalEvent => ({
  seq: 3,
  at: 4,
  type: 'part',
  id: 'p1',
  text,
  redacted: [[0, 1, 'key']],
});
function crossed(text: string) {
  const event = panelEvent(partOf(text));
  assert.ok(event.type === 'part');
  return event;
}

test('short events cross as they are', () => {
  for (const event of exampleJournal()) assert.deepEqual(panelEvent(event), event);
});

test('the head of a message is a message: its role, calls and names stay', () => {
  const calls = Array.from({ length: 60 }, (_, index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name: 'add_todo', arguments: `{"content":"${'x'.repeat(500)}"}` },
  }));
  const text = JSON.stringify({ role: 'assistant', content: 'y'.repeat(9000), tool_calls: calls });
  const { text: head, cut, redacted } = crossed(text);
  const message = JSON.parse(head) as { role: string; content: string; tool_calls: typeof calls };
  assert.equal(message.role, 'assistant');
  assert.deepEqual(
    message.tool_calls.map((call) => call.id),
    calls.map((call) => call.id),
  );
  assert.ok(text.includes(message.content) && head.length < 20_000);
  assert.deepEqual([cut?.chars, cut?.bytes], [text.length, text.length]);
  assert.equal(cut?.at[0], 'content');
  assert.equal(cut?.at[1], 'tool_calls/0/function/arguments');
  assert.equal(redacted, undefined, 'its spans are of the whole text');
});

test('a fold of what crossed finds the same calls as a fold of the journal', () => {
  const reply = JSON.stringify({
    role: 'assistant',
    content: 'z'.repeat(50_000),
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
  });
  const bodies: EventBody[] = [
    { type: 'part', id: 'p1', text: '{}' },
    { type: 'run.started', run: 1, goal: 'm1', config: 'p1' },
    { type: 'round.started', round: 1 },
    {
      type: 'model.requested',
      request: 'r1',
      attempt: 1,
      purpose: 'round',
      url: '',
      on: null,
      head: 'p1',
      tail: [],
      splices: [],
      hash: '',
      bytes: 0,
    },
    { type: 'part', id: 'p2', text: reply },
    {
      type: 'model.replied',
      request: 'r1',
      attempt: 1,
      message: 'm2',
      reply: 'p2',
      usage: null,
      finish: null,
      ms: 1,
      source: 'live',
    },
  ];
  const events = bodies.map((body, seq): JournalEvent => ({ seq, at: seq, ...body }));
  const calls = (list: readonly JournalEvent[]) => foldAll(list).runs[0]?.rounds[0]?.calls;
  assert.deepEqual(calls(events.map(panelEvent)), calls(events));
  assert.equal(calls(events)?.length, 1);
});

test('a text that is no JSON, and JSON that stays too large, are cut at their beginning', () => {
  const plain = crossed('abc '.repeat(1000));
  assert.equal(plain.text, 'abc '.repeat(512));
  assert.deepEqual(plain.cut?.at, []);
  const wide = crossed(
    JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, index]))),
  );
  assert.equal(wide.text.length, headLimit);
  assert.deepEqual(wide.cut?.at, []);
});

test('a field named __proto__ stays a field', () => {
  const text = `{"role":"user","__proto__":{"x":1},"content":"${'q'.repeat(4000)}"}`;
  assert.ok(crossed(text).text.includes('"__proto__":{"x":1}'));
});

test('property: a head is well-formed where its text is, never longer, and says the true size', () => {
  const text = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.integer({ min: 1, max: 400 }));
  fc.assert(
    fc.property(text, fc.boolean(), ([unit, times], isJson) => {
      const whole = isJson
        ? JSON.stringify({ role: 'user', content: unit.repeat(times) })
        : unit.repeat(times);
      const { text: head, cut } = crossed(whole);
      assert.ok(head.isWellFormed());
      assert.ok(head.length <= headLimit);
      if (cut) assert.deepEqual([cut.chars, cut.bytes], [whole.length, Buffer.byteLength(whole)]);
      else assert.equal(head, whole);
    }),
    { seed: 20260103, numRuns: 400 },
  );
});

test('bytes of UTF-8 are counted as they are sent, lone surrogates too', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '周', '👍', '\ud83d', '\udc4d') }), (text) => {
      assert.equal(utf8Length(text), Buffer.byteLength(text));
    }),
    { seed: 20260104 },
  );
  assert.equal(headOf('ab👍', 3), 'ab');
});

test('long words of other events are cut too', () => {
  const long = 'w'.repeat(9000);
  const anomaly = panelEvent({ seq: 0, at: 0, type: 'anomaly', code: 'c', detail: long, about: [] });
  const logged = panelEvent({ seq: 0, at: 0, type: 'logged', breakpoint: 'b', text: long });
  const failed = panelEvent({
    seq: 0,
    at: 0,
    type: 'model.failed',
    request: 'r1',
    attempt: 1,
    class: 'server',
    message: long,
  });
  for (const event of [anomaly, logged, failed]) assert.ok(JSON.stringify(event).length < 2300);
});

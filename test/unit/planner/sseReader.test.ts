/** Event-stream framing (C07): what `eventsource-parser` must do, and what we add around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSseReader, type SseEvent } from '../../../src/planner/sseReader.ts';

function read(...pieces: readonly string[]): SseEvent[] {
  const events: SseEvent[] = [];
  const reader = createSseReader((event) => events.push(event));
  for (const piece of pieces) reader.feed(piece);
  reader.end();
  return events;
}

const dataOf = (events: readonly SseEvent[]) => events.map(({ data }) => data);

test('CR, LF and CRLF end lines; comments, ids, retries and empty events say nothing', () => {
  for (const eol of ['\r', '\n', '\r\n']) {
    const lines = [
      ': warming up',
      '',
      'data:a',
      '',
      '',
      ':',
      'retry: 500',
      'retry: soon',
      'id: 7',
      'x: y',
      'data: b1',
      'data:  b2',
      '',
    ];
    assert.deepEqual(dataOf(read(lines.map((line) => line + eol).join(''))), ['a', 'b1\n b2']);
  }
});

test('any split gives the same events', () => {
  const text = ': c\r\n\r\ndata:{"a":1}\r\revent: error\rdata: x\n\ndata: y\r\ndata: z\r\n\r\n';
  const whole = read(text);
  assert.equal(whole.length, 3);
  for (let at = 0; at <= text.length; at++) assert.deepEqual(read(text.slice(0, at), text.slice(at)), whole);
  assert.deepEqual(read(...text), whole);
});

test('an event closed by CR CR is handed over at once, not with the next byte', () => {
  const events: SseEvent[] = [];
  const reader = createSseReader((event) => events.push(event));
  reader.feed('data: [DONE]\r\r');
  assert.deepEqual(dataOf(events), ['[DONE]']);
});

test('an event without its blank line is handed over at the end, and says so', () => {
  assert.deepEqual(
    read('data: a\n\ndata: b').map(({ data, unfinished }) => [data, unfinished]),
    [
      ['a', false],
      ['b', true],
    ],
  );
});

test('the event name comes along; a bare line of JSON is an event of its own', () => {
  assert.deepEqual(
    read('event: error\ndata: {}\n\n{"error":"x"}\n\n').map(({ name, data, bare }) => [name, data, bare]),
    [
      ['error', '{}', false],
      [undefined, '{"error":"x"}', true],
    ],
  );
});

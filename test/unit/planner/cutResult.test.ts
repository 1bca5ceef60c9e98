/** A result that the context cap cuts, again where it was cut before: what it says of the rest must still be true. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sliceCodePoints } from '../../../src/core/capText.ts';
import { contentText, type Observation, type WireMessage } from '../../../src/core/messages.ts';
import { restNote } from '../../../src/core/restNote.ts';
import { countMessage } from '../../../src/planner/countMessage.ts';
import { shortenMessage } from '../../../src/planner/shorten.ts';
import { createTokenCounter } from '../../../src/planner/tokens.ts';
import { capObservation } from '../../../src/toolbox/capObservation.ts';
import { resultText } from '../../../src/toolbox/resultText.ts';

const count = await createTokenCounter();
const key = '1.2.1';

function resultOf(observation: Observation, limit = 4000, note?: string): WireMessage {
  const { content } = capObservation(observation, { limit, note, rest: (start) => restNote(key, start) });
  return { role: 'tool', tool_call_id: 'call_1', content };
}

interface Shown {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: string;
  readonly note?: string;
}
const shownIn = (message: WireMessage) => JSON.parse(contentText(message)) as Shown;
const startIn = ({ note = '' }: Shown) => {
  const [, input = ''] = /read_result\((\{.*?\})\)/.exec(note) ?? [];
  return input === '' ? undefined : (JSON.parse(input) as { call: string; start: number });
};

const lines = Array.from({ length: 2000 }, (_, n) => `line ${n} "行" 😀\n`).join('');
const observations: Readonly<Record<string, Observation>> = {
  'a text': { success: true, data: lines },
  'a value': { success: true, data: lines.split('\n') },
  'an error': { success: false, error: lines },
  emoji: { success: true, data: '👨‍👩‍👧 '.repeat(3000) },
};

for (const [name, observation] of Object.entries(observations)) {
  test(`C17: ${name}, cut again: it stays JSON, and its note and its one gap tell where the rest begins`, () => {
    const whole = resultText(observation);
    const total = [...whole].length;
    const message = resultOf(observation, 4000, 'You have made this same call 3 times.');
    for (const max of [120, 200, 400, 700]) {
      const shorter = shortenMessage(message, max, count);
      assert.ok(countMessage(shorter, count) <= max, `${countMessage(shorter, count)} of ${max}`);
      const shown = shownIn(shorter);
      assert.equal(shown.success, observation.success);
      const text = String(observation.success ? shown.data : shown.error);
      const gaps = [...text.matchAll(/… \[([\d,]+) of ([\d,]+) characters left out\] …/g)];
      assert.equal(gaps.length, 1, text);
      const [gap] = gaps;
      const head = text.slice(0, gap!.index);
      const tail = text.slice(gap!.index + gap![0].length);
      assert.ok(head !== '' && whole.startsWith(head) && whole.endsWith(tail));
      assert.deepEqual(startIn(shown), { call: key, start: [...head].length + 1 });
      assert.match(shown.note ?? '', /^You have made this same call 3 times\. What is left out can be read/);
      const [left, all] = [gap![1]!, gap![2]!].map((digits) => Number(digits.replaceAll(',', '')));
      assert.equal(all, total);
      assert.equal(left, total - [...head].length - [...tail].length);
    }
  });
}

test('C17: however often and however far it is cut: at most the tokens, and never a place that is wrong', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', '\n', '行', '😀', 'é', '… [', ' of '),
    maxLength: 2500,
    minLength: 300,
  });
  let again = 0;
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 150, max: 1500 }),
      fc.array(fc.integer({ min: 50, max: 400 }), { minLength: 1, maxLength: 3 }),
      (data, limit, cuts) => {
        const first = resultOf({ success: true, data }, limit);
        let message = first;
        for (const max of cuts) {
          message = shortenMessage(message, max, count);
          assert.ok(countMessage(message, count) <= max);
        }
        const content = contentText(message);
        const isShown = content.startsWith('{"success":true,"data":');
        const shown = isShown ? shownIn(message) : undefined;
        const start = shown && startIn(shown);
        if (!start) return assert.ok(!content.includes('read_result'), content);
        if (message !== first && startIn(shownIn(first))) again++;
        const head = sliceCodePoints(String(shown.data), 0, start.start - 1);
        assert.ok(data.toWellFormed().startsWith(head), content);
        assert.match(String(shown.data).slice(head.length), /^…/);
      },
    ),
    { seed: 11, numRuns: 400 },
  );
  assert.ok(again > 50, `only ${again} were cut again and kept a note`);
});

test('C17: a page of a result is cut at its end, and says where it ends', () => {
  const text = lines.slice(0, 3000);
  const page = { call: key, start: 501, end: 500 + [...text].length, total: 9000, text };
  const message = resultOf({ success: true, data: page });
  for (const max of [90, 150, 400]) {
    const shorter = shortenMessage(message, max, count);
    assert.ok(countMessage(shorter, count) <= max);
    const { data } = shownIn(shorter) as { data: typeof page };
    assert.ok(data.text !== '' && text.startsWith(data.text));
    assert.deepEqual(data, { ...page, text: data.text, end: 500 + [...data.text].length });
  }
});

test('C17: where a note does not fit, none is left that names a wrong place', () => {
  const message = resultOf(observations['a text']!);
  for (const max of [12, 24, 36, 48, 60]) {
    const content = contentText(shortenMessage(message, max, count));
    const start = content.includes('read_result') ? startIn(JSON.parse(content) as Shown) : undefined;
    if (content.includes('read_result')) {
      const [head = ''] = String((JSON.parse(content) as Shown).data).split('…');
      assert.equal(start?.start, [...head].length + 1);
    }
  }
});

test('C17: what is no result of a tool is cut as any text, and one of a call that nobody knows gets no note', () => {
  const cut = (content: string) =>
    contentText(shortenMessage({ role: 'tool', tool_call_id: 'a', content }, 120, count));
  for (const content of [lines, JSON.stringify({ data: lines }), JSON.stringify([lines])]) {
    const [head = '', tail = ''] = cut(content).split(/… \[[\d,]+ of [\d,]+ characters left out\] …/);
    assert.ok(head.length > 20 && tail.length > 20 && head.length + tail.length < content.length / 2);
    assert.ok(content.startsWith(head) && content.endsWith(tail));
  }
  const shown = JSON.parse(cut(JSON.stringify({ success: true, data: { lines } }))) as Shown;
  assert.match(String(shown.data), /^\{"lines":"line 0 .*characters left out/);
  assert.equal(shown.note, undefined);
});

test('C17: a result that was edited: its note is taken as a place of the text that it has now', () => {
  const content = JSON.stringify({ success: true, data: lines, note: restNote(key, 2667) });
  const shown = shownIn(shortenMessage({ role: 'tool', tool_call_id: 'a', content }, 200, count));
  const [head = ''] = String(shown.data).split('… [');
  assert.deepEqual(startIn(shown), { call: key, start: [...head].length + 1 });
});

test('C17: a result that was whole until now gets the same note, once, however often it is cut', () => {
  const values: readonly Observation[] = [
    { success: true, data: lines.slice(0, 3000) },
    { success: true, data: { lines: lines.slice(0, 3000).split('\n') } },
    { success: false, error: lines.slice(0, 3000) },
  ];
  for (const observation of values) {
    for (const before of [undefined, 'You have made this same call 3 times.']) {
      const whole = resultText(observation);
      let message = resultOf(observation, 100_000, before);
      assert.equal(shownIn(message).note, before);
      for (const max of [700, 400, 200, 120]) {
        message = shortenMessage(message, max, count, key);
        assert.ok(countMessage(message, count) <= max, `${countMessage(message, count)} of ${max}`);
        const shown = shownIn(message);
        const [head = ''] = String(observation.success ? shown.data : shown.error).split('… [');
        assert.ok(head !== '' && whole.startsWith(head));
        assert.deepEqual(startIn(shown), { call: key, start: [...head].length + 1 });
        assert.equal(shown.note?.split('What is left out').length, 2, shown.note);
        if (before !== undefined) assert.ok(shown.note?.startsWith(`${before} What is left out`));
      }
    }
  }
});

test('C17: a note that would say nothing, or for which there is no room, is not made', () => {
  const short = resultOf({ success: true, data: 'short' });
  assert.deepEqual(shortenMessage(short, 500, count, key), short);
  const message = resultOf({ success: true, data: lines.slice(0, 3000) });
  for (const max of [12, 24, 36]) {
    const shorter = shortenMessage(message, max, count, key);
    assert.ok(countMessage(shorter, count) <= max);
    const content = contentText(shorter);
    if (content.includes('read_result')) assert.ok(startIn(JSON.parse(content) as Shown));
  }
});

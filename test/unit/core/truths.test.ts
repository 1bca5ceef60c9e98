/** What the panel shows beside the messages as sent: the history, the bytes, what is searched and filtered. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { filterRows, filtersRows } from '../../../src/core/filterRows.ts';
import { countInMessage, foundIn } from '../../../src/core/findText.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { historyView } from '../../../src/core/historyView.ts';
import { type JournalState, roundAt } from '../../../src/core/journalState.ts';
import { roundView } from '../../../src/core/roundView.ts';
import { sentList } from '../../../src/core/sentList.ts';
import { wireView } from '../../../src/core/wireView.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';
import { longJournal } from '../../doubles/longJournal.ts';
import { writeRichJournal } from '../../doubles/richJournal.ts';

const digest = {
  sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
  byteLength: (text: string) => Buffer.byteLength(text),
};

function roundOf(state: JournalState, run: number, round: number) {
  const found = roundAt(state, run, round);
  assert.ok(found);
  return found;
}

test('every request of a journal is shown with its very bytes, and all checks hold', async () => {
  for (const events of [exampleJournal(), await writeRichJournal()]) {
    const state = foldAll(events);
    let seen = 0;
    for (const request of state.requests.values()) {
      for (const { sent } of request.attempts) {
        const view = wireView(state, request.id, sent.attempt, digest);
        assert.deepEqual(
          view?.checks.map(({ what, ok }) => `${what} ${ok}`),
          ['hash true', 'bytes true', 'messages true', 'legal true'],
        );
        assert.ok(view?.text?.startsWith('{'));
        seen++;
      }
    }
    assert.ok(seen >= 4);
  }
});

test('a text that is not the one that was sent is told: another hash, another size; one that is gone, too', () => {
  const events = exampleJournal();
  const tampered = events.map((event) =>
    event.type === 'part' && event.text.includes('How long')
      ? { ...event, text: event.text.replace('45', '450') }
      : event,
  );
  const view = wireView(foldAll(tampered), 'r1', 1, digest);
  assert.deepEqual(
    view?.checks.map(({ what, ok }) => `${what} ${ok}`),
    ['hash false', 'bytes false', 'messages true', 'legal true'],
  );
  assert.match(view?.checks[0]?.found ?? '', /^[0-9a-f]{64}$/);
  const gone = foldAll(events.filter((event) => !(event.type === 'part' && event.text.includes('How long'))));
  assert.deepEqual(
    [wireView(gone, 'r1', 1, digest)?.text, wireView(gone, 'r1', 1, digest)?.checks],
    [undefined, []],
  );
  assert.equal(wireView(foldAll(events), 'r1', 9, digest), undefined);
});

test('the history of a round has what was not sent as well, and only what was there', () => {
  const state = foldAll(exampleJournal());
  const shown = historyView(state, roundOf(state, 2, 1)).map(({ id, sent }) => `${id} ${sent}`);
  assert.deepEqual(shown, ['m1 whole', 'm2 whole', 'm3 left', 'm4 left', 'm5 left', 'm6 whole', 'm7 whole']);
  assert.deepEqual(
    historyView(state, roundOf(state, 1, 1)).map(({ id }) => id),
    ['m1', 'm2'],
  );
});

test('a text is counted as it is read: not the keys of the wire, whatever the case, in calls too', () => {
  const part = JSON.stringify({
    role: 'assistant',
    content: 'Say "Hi"\nand hi, hi.',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'greet', arguments: '{"who":"HI"}' } }],
  });
  assert.equal(countInMessage(part, 'hi'), 4);
  assert.equal(countInMessage(part, '"who":"hi"'), 1);
  assert.equal(countInMessage(part, '"hi"\nAND'), 1);
  assert.equal(countInMessage(part, 'greet'), 1);
  for (const absent of ['role', 'tool_calls', 'content', 'call_1', ''])
    assert.equal(countInMessage(part, absent), 0, absent);
  assert.equal(countInMessage('no JSON, hi', 'hi'), 1);
});

test('what was found is told by message and by round, in what each round really sent', async () => {
  const journals = [
    exampleJournal(),
    await writeRichJournal(),
    longJournal({ rounds: 30, calls: 3, chars: 60, window: 20 }),
  ];
  for (const events of journals) {
    const state = foldAll(events);
    for (const text of ['minutes', 'report', 'calculator', 'nowhere']) {
      const hits = new Map(
        [...state.parts]
          .map(([id, part]) => [id, countInMessage(part, text)] as const)
          .filter(([, count]) => count > 0),
      );
      const found = foundIn(state, hits);
      const expected = new Map<string, number>();
      for (const round of state.runs.flatMap(({ rounds }) => rounds)) {
        const items = sentList(state, round)?.items ?? [];
        const count = items.reduce((sum, { part }) => sum + (hits.get(part ?? '') ?? 0), 0);
        if (count > 0) expected.set(`${round.run}.${round.round}`, count);
      }
      assert.deepEqual(found.rounds, expected, text);
      for (const { id, count } of found.messages) assert.ok(count > 0, id);
    }
  }
});

test('filters let through what all of them apply to, of folded groups too', () => {
  const state = foldAll(longJournal({ rounds: 4, calls: 2, chars: 10 }));
  const { rows } = roundView(state, roundOf(state, 1, 4));
  const ids = (filter: Parameters<typeof filterRows>[2]) =>
    filterRows(state, rows, filter).map(({ id }) => id);
  assert.equal(filtersRows({ anomaly: true }), false);
  assert.deepEqual(ids({ role: 'user' }), ['m2']);
  assert.deepEqual(ids({ change: 'new' }), ['m9', 'm10', 'm11']);
  assert.deepEqual(ids({ tool: 'read_file', role: 'tool' }), ['m5', 'm8', 'm11']);
  assert.deepEqual(ids({ tool: 'read_file', change: 'new' }), ['m9', 'm11']);
  assert.deepEqual(ids({ tool: 'unheard of' }), []);
});

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import type { JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { runEntries } from '../../../src/core/runsList.ts';
import { summariseJournal } from '../../../src/entry/journalSummary.ts';
import { createRunIndex, indexName } from '../../../src/entry/runIndex.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';
import { longJournal } from '../../doubles/longJournal.ts';
import { writeRichJournal } from '../../doubles/richJournal.ts';

const folder = fs.mkdtempSync(path.join(tmpdir(), 'runs-'));
after(() => fs.rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true });
});

const textOf = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
function write(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

test('a summary of slices says what the fold of the whole says', async () => {
  const priced = exampleJournal().map((event): JournalEvent =>
    event.type === 'part' && event.id === 'p1'
      ? { ...event, text: event.text.replace('{', '{"price":{"input":2,"output":10},') }
      : event,
  );
  const goalEdited: JournalEvent[] = [
    ...priced,
    { seq: priced.length, at: 1, type: 'part', id: 'p900', text: '{"role":"user","content":"Another goal"}' },
    {
      seq: priced.length + 1,
      at: 1,
      type: 'edited',
      op: 'set',
      target: 'm2',
      after: 'p900',
      scope: 'history',
      by: 'user',
    },
  ];
  const journals = {
    example: exampleJournal(),
    priced,
    goalEdited,
    rich: await writeRichJournal(),
    // Texts far longer than a slice, also of the line that is cut by its end.
    long: longJournal({ rounds: 6, calls: 2, chars: 400_000 }),
  };
  for (const [name, events] of Object.entries(journals)) {
    const summary = await summariseJournal(write(`${name}.jsonl`, textOf(events)));
    const state = foldAll(events);
    assert.deepEqual(summary?.runs, runEntries(summary?.session ?? '', state), name);
    assert.equal(summary?.agent, state.opened?.agent);
  }
  const costs = (await summariseJournal(path.join(folder, 'priced.jsonl')))?.runs.map(({ cost }) => cost);
  assert.ok(costs?.every((cost) => cost !== undefined && cost > 0));
  assert.ok(
    (await summariseJournal(path.join(folder, 'goalEdited.jsonl')))?.runs[0]?.goal === 'Another goal',
  );
});

test('a torn line is not told of; what is no journal has no summary', async () => {
  const text = textOf(exampleJournal());
  const torn = await summariseJournal(
    write('torn.jsonl', `${text}{"seq":99,"at":1,"type":"run.started","run":3`),
  );
  assert.equal(torn?.runs.length, 2);
  for (const other of [
    '',
    '{"messages":[]}\n{"messages":[]}\n',
    'hello\nworld\n',
    text.replace('"v":1', '"v":2'),
  ])
    assert.equal(await summariseJournal(write('other.jsonl', other)), undefined);
});

test('each journal is read once: what has the same size and time is not read again', async () => {
  const file = write('a.jsonl', textOf(exampleJournal()));
  write('b.jsonl', textOf(exampleJournal()).replaceAll('s-7f3a', 's-bbbb'));
  fs.utimesSync(file, 1000, 1000);
  const unread: string[] = [];
  const first = await createRunIndex(folder, (why) => unread.push(why)).list();
  assert.deepEqual(
    first.map(({ session }) => session),
    ['s-bbbb', 's-7f3a'],
  );

  // Another text of the same size and time: not looked at, by another window either.
  fs.writeFileSync(file, textOf(exampleJournal()).replaceAll('s-7f3a', 's-zzzz'));
  fs.utimesSync(file, 1000, 1000);
  const index = createRunIndex(folder, (why) => unread.push(why));
  assert.deepEqual(await index.list(), first);
  fs.utimesSync(file, 2000, 2000);
  assert.deepEqual((await index.list()).map(({ session }) => session).sort(), ['s-bbbb', 's-zzzz']);

  fs.rmSync(file);
  assert.deepEqual(
    (await index.list()).map(({ session }) => session),
    ['s-bbbb'],
  );
  assert.ok(!fs.readFileSync(path.join(folder, indexName), 'utf8').includes('s-zzzz'));
  assert.deepEqual(unread, []);
});

test('one bad file hides none of the others; a broken index is made anew', async () => {
  write('good.jsonl', textOf(exampleJournal()));
  write(indexName, '{"v":1,"files":{"good.jsonl":{"size":"no"}}}');
  fs.mkdirSync(path.join(folder, 'folder.jsonl'));
  const unread: string[] = [];
  const index = createRunIndex(folder, (why) => unread.push(why));
  assert.equal((await index.list()).length, 1);
  assert.equal(unread.length, 1);
  assert.match(unread[0] ?? '', /folder\.jsonl: EISDIR/);
  assert.deepEqual(await index.list(new Set([path.join(folder, 'good.jsonl')])), []);
  assert.deepEqual(await createRunIndex(path.join(folder, 'nowhere'), () => assert.fail()).list(), []);
});

test('the file of a session is found by its name, else by what is in it; never outside of the folder', async () => {
  const renamed = write('renamed.jsonl', textOf(exampleJournal()));
  const named = write('s-1.jsonl', '');
  const index = createRunIndex(folder, () => assert.fail());
  assert.equal(await index.find('s-1'), named);
  assert.equal(await index.find('s-7f3a'), renamed);
  assert.equal(await index.find('s-none'), undefined);
  assert.equal(await index.find('../../etc/s-1'), named);
});

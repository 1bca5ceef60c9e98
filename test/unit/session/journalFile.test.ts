import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { checkJournal } from '../../../src/core/check.ts';
import { sha256 } from '../../../src/entry/createAgent.ts';
import { openSessionFile } from '../../../src/entry/openSessionFile.ts';
import { startRun } from '../../../src/runner/run.ts';
import { openJournalFile } from '../../../src/session/journalFile.ts';
import { readJournalText } from '../../../src/session/journalText.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { createTestAgent } from '../../doubles/testAgent.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'journal-'));
after(() => rmSync(folder, { recursive: true }));
const clock = createFixedClock();
const input = (name: string) => ({ file: path.join(folder, name), id: 's-1', agent: 'a.agent.json', clock });

async function runOn(name: string, answer: string): Promise<string> {
  const opened = openSessionFile(input(name));
  assert.ok(opened.ok, opened.ok ? '' : opened.message);
  const model = createScriptedModel([
    calls([{ name: 'add_todo', arguments: { content: '🐢 żółw' } }]),
    says(answer),
  ]);
  const agent = await createTestAgent(model);
  assert.equal(await startRun(agent, opened.session, { goal: `goal of ${answer}` }).done, 'done');
  opened.session.journal.close();
  return readFileSync(path.join(folder, name), 'utf8');
}

test('a journal on disk is continued by the next process, and proves itself', async () => {
  await runOn('two.jsonl', 'one');
  const text = await runOn('two.jsonl', 'two');
  const read = readJournalText(text);
  assert.ok(read.ok);
  const report = checkJournal(read.events, { sha256, byteLength: (body) => Buffer.byteLength(body) });
  assert.deepEqual(report.problems, []);
  assert.equal(report.runs, 2);
  assert.equal(report.requests, 4);
  assert.equal(statSync(path.join(folder, 'two.jsonl')).mode & 0o777, 0o600);
});

test('a tail torn at any byte is cut off, reported, and the session goes on', async () => {
  const text = await runOn('whole.jsonl', 'one');
  const bytes = Buffer.from(text);
  const lastLine = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  for (let cut = lastLine; cut < bytes.length; cut++) {
    writeFileSync(path.join(folder, 'torn.jsonl'), bytes.subarray(0, cut));
    const opened = openSessionFile(input('torn.jsonl'));
    assert.ok(opened.ok);
    assert.equal(opened.notices.length, cut === lastLine ? 0 : 1, `cut at ${cut}`);
    opened.session.journal.append({ type: 'anomaly', code: 'x', detail: 'x', about: [] });
    opened.session.journal.close();
    const read = readJournalText(readFileSync(path.join(folder, 'torn.jsonl'), 'utf8'));
    assert.ok(read.ok && read.torn === undefined);
  }
});

test('a small journal cut at every byte keeps exactly its whole lines', () => {
  const lines = [
    '{"seq":0,"at":1,"type":"session.opened","v":1,"session":"s","kind":"launch","agent":"żółw"}',
    '{"seq":1,"at":1,"type":"part","id":"p1","text":"🐢 \\n 预算"}',
    '{"seq":2,"at":1,"type":"state.changed","key":"预","after":"p1"}',
  ];
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const file = path.join(folder, 'small.jsonl');
  for (let cut = 0; cut <= bytes.length; cut++) {
    writeFileSync(file, bytes.subarray(0, cut));
    const opened = openJournalFile(file);
    assert.ok(opened.ok, `cut at ${cut}`);
    opened.sink.close();
    const whole = bytes.subarray(0, bytes.subarray(0, cut).lastIndexOf(10) + 1);
    assert.deepEqual(readFileSync(file), whole, `cut at ${cut}`);
    assert.equal(opened.notice === undefined, whole.length === cut, `cut at ${cut}`);
    assert.equal(opened.past.length, whole.toString().split('\n').length - 1);
  }
});

test('a journal cut after any event can be opened and goes on to a legal request', async () => {
  const lines = (await runOn('events.jsonl', 'one')).split('\n').slice(0, -1);
  for (let keep = 1; keep < lines.length; keep++) {
    const name = `cut-${keep}.jsonl`;
    writeFileSync(path.join(folder, name), `${lines.slice(0, keep).join('\n')}\n`);
    const read = readJournalText(await runOn(name, 'again'));
    assert.ok(read.ok);
    const report = checkJournal(read.events, { sha256, byteLength: (body) => Buffer.byteLength(body) });
    assert.deepEqual(report.problems, [], `cut after ${keep} events`);
  }
});

test('a broken line in the middle names its line and changes nothing', () => {
  const file = path.join(folder, 'broken.jsonl');
  const good = '{"seq":0,"at":1,"type":"session.opened","v":1,"session":"s","kind":"launch","agent":"a"}\n';
  writeFileSync(file, `${good}{oops\n{"seq":2,"at":1,"type":"paused","reason":"step","hits":[]}\n`);
  const before = readFileSync(file, 'utf8');
  const opened = openJournalFile(file);
  assert.ok(!opened.ok);
  assert.match(opened.message, /broken\.jsonl:2: the line is not a JSON object/);
  assert.equal(readFileSync(file, 'utf8'), before);
});

test('a later version is refused with words', () => {
  const file = path.join(folder, 'later.jsonl');
  writeFileSync(
    file,
    '{"seq":0,"at":1,"type":"session.opened","v":2,"session":"s"}\n{"seq":1,"at":1,"type":"x"}\n',
  );
  const opened = openJournalFile(file);
  assert.ok(!opened.ok);
  assert.match(opened.message, /journal version 2 is not one this version reads/);
});

test('one writer at a time; a lock whose owner is gone is taken over', () => {
  const file = path.join(folder, 'locked.jsonl');
  const first = openJournalFile(file);
  assert.ok(first.ok);
  const second = openJournalFile(file);
  assert.ok(!second.ok);
  assert.match(second.message, new RegExp(`written by process ${process.pid}`));
  first.sink.close();
  appendFileSync(`${file}.lock`, '999999999');
  const third = openJournalFile(file);
  assert.ok(third.ok);
  third.sink.close();
});

test('a journal where none can be written is an error for people', () => {
  const opened = openJournalFile('/dev/null/x.jsonl');
  assert.ok(!opened.ok);
  assert.match(opened.message, /Can not open the journal/);
});

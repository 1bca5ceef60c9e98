import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportMessages } from '../../../src/core/exportMessages.ts';
import { exportNotes } from '../../../src/core/exportNotes.ts';
import { exportPage } from '../../../src/core/exportPage.ts';
import type { JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { textOf } from '../../../src/core/journalState.ts';
import { legal } from '../../../src/core/legal.ts';
import type { WireMessage } from '../../../src/core/messages.ts';
import { runEntries, runsList } from '../../../src/core/runsList.ts';
import { englishExport } from '../../doubles/englishExport.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

const state = foldAll(exampleJournal());

/** The example, with a goal that tries everything. */
function hostile(goal: string) {
  const events = exampleJournal().map((event): JournalEvent =>
    event.type === 'part' && event.text.includes('How long')
      ? { ...event, text: JSON.stringify({ role: 'user', content: goal }) }
      : event,
  );
  return foldAll(events);
}

test('the messages are those of the history, each as it stands, and legal', () => {
  const messages = JSON.parse(exportMessages(state)) as WireMessage[];
  assert.deepEqual(
    messages,
    state.history.map((id) => JSON.parse(textOf(state, id) ?? '') as unknown),
  );
  assert.deepEqual(legal(messages), []);
  assert.equal(exportMessages(foldAll([])), '[]\n');
});

test('the notes tell each round: what changed and by what sum, and the chain of calls', () => {
  const notes = exportNotes(state, englishExport);
  for (const wanted of [
    /^## Run 2: And what is left/m,
    /^- \*\*dropped\*\* m5 \(tool\), drop-oldest, need 106, room 75: /m,
    /^- kept: 2 messages, from m1$/m,
    /^1\. `calculator .*` → ok: /m,
    /^2\. `add_todo .*` → rejected: /m,
  ])
    assert.match(notes, wanted);
});

test('hostile text is no Markdown and no HTML of ours, and what is not seen is written out in the page', () => {
  const evil =
    '</pre><script>alert(1)</script><img src=x onerror=alert(1)> & ``` ` [x](javascript:1)\n# Title \u202etxt\u0007';
  const notes = exportNotes(hostile(evil), englishExport);
  assert.equal(notes.split('\n').filter((line) => line.startsWith('# ')).length, 1);
  assert.match(notes, /````.*```.*````/);
  const goal = exportNotes(hostile('![x](https://evil.example/a.png) <img src=x> **b**'), englishExport);
  assert.match(goal, /^## Run 1: \\!\\\[x\\\]\(https:\/\/evil\.example\/a\.png\) \\<img src=x\\> \\\*\\\*b/m);
  const page = exportPage(hostile(evil), 'en', englishExport);
  assert.ok(!/<script|<img|\u202e|\u0007/.test(page));
  assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(page, /&lt;U\+202E&gt;txt&lt;U\+0007&gt;/);
  assert.match(page, /default-src 'none'/);
  assert.ok(
    !/https?:\/\/|src=|href=/.test(page.replaceAll(/&lt;.*?&gt;/g, '').replace(/http-equiv/, '')),
    'nothing from elsewhere',
  );
});

test('runs are listed by agent and day, newest first, with outcome, rounds and reported tokens', () => {
  const [agent, ...others] = runsList([{ agent: 'day.agent.json', runs: runEntries('s1', state) }], (at) =>
    new Date(at).toISOString().slice(0, 10),
  );
  assert.deepEqual(others, []);
  assert.equal(agent?.agent, 'day.agent.json');
  const runs = agent.days.flatMap((day) => day.runs);
  assert.deepEqual(
    runs.map(({ run, outcome, rounds }) => `${run} ${outcome} ${rounds}`),
    ['2 done 1', '1 done 2'],
  );
  assert.ok((runs[0]?.tokens ?? 0) > 250);
  const silent = foldAll(
    exampleJournal().map((event) => (event.type === 'model.replied' ? { ...event, usage: null } : event)),
  );
  assert.ok(!('tokens' in (runEntries('s', silent)[0] ?? { tokens: 0 })), 'unknown is not zero');
});

test('an edit is told by what it took out and put in, in the notes and in the page', () => {
  const events = exampleJournal();
  const second = events.findIndex((event) => event.type === 'round.started' && event.round === 2);
  const text = '{"role":"user","content":"How long do 45 and 30 minutes take? Then add it."}';
  const edit = [
    { type: 'part', id: 'p900', text },
    { type: 'edited', op: 'set', target: 'm2', after: 'p900', scope: 'history', by: 'user' },
  ].map((event) => ({ seq: 0, at: 0, ...event }) as JournalEvent);
  const edited = foldAll(events.toSpliced(second, 0, ...edit).map((event, seq) => ({ ...event, seq })));
  const notes = exportNotes(edited, englishExport);
  assert.match(notes, /^- \*\*edited\*\* m2 .*\n  - − `20`\n  - \+ `30`$/m);
  assert.match(exportPage(edited, 'en', englishExport), /45 and <del>20<\/del><ins>30<\/ins> minutes/);
});

test('what a run took stands with its end', () => {
  const notes = exportNotes(state, englishExport);
  assert.match(notes, /^Ended: done · rounds: 2 · \d+ tokens$/m);
  assert.match(exportPage(state, 'en', englishExport), /rounds: 2 · \d+ tokens · Ended: done/);
});

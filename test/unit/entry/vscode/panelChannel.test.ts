import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEvent } from '../../../../src/core/events.ts';
import { parseFromPanel } from '../../../../src/entry/vscode/fromPanel.ts';
import { withoutFiles } from '../../../../src/entry/vscode/withoutFiles.ts';
import { exampleJournal } from '../../../doubles/exampleJournal.ts';
import { createPanelLink } from '../../../doubles/panelLink.ts';
import { createScriptedSession, createScriptedSessions } from '../../../doubles/panelSessions.ts';

function setUp() {
  const one = createScriptedSession('s1');
  const sessions = createScriptedSessions(one.session);
  return { ...one, sessions, link: createPanelLink(sessions.all) };
}

const part = (seq: number, text: string): JournalEvent => ({
  seq,
  at: seq,
  type: 'part',
  id: `p${seq}`,
  text,
});
const sizeOf = (value: unknown) => JSON.stringify(value).length;

test('events of one frame cross in one post, and frames are 50 ms', async () => {
  const { write, link } = setUp();
  link.show();
  await link.settle();
  link.posted.length = 0;
  for (let seq = 0; seq < 200; seq++) write(part(seq, 'x'));
  assert.deepEqual(link.timers.tick(), [100], 'what follows a rest waits until the editor has painted');
  for (let seq = 200; seq < 400; seq++) write(part(seq, 'x'));
  assert.deepEqual(link.timers.tick(), [50]);
  assert.deepEqual(
    link.posted.map((message) => message.type === 'batch' && [message.from, message.events.length]),
    [
      [0, 200],
      [200, 200],
    ],
  );
  link.timers.tick();
  assert.equal(link.timers.waiting(), 0, 'an idle session costs nothing');
});

test('an edit crosses at once', async () => {
  const { write, link } = setUp();
  link.show();
  await link.settle();
  const edit = { type: 'edited', op: 'pin', target: 'm1', scope: 'history', by: 'user' } as const;
  write({ ...edit, seq: 0, at: 0 });
  assert.deepEqual(link.timers.tick(), [0]);
});

test('5,000 events cost what their new data weighs, long results only their heads', async () => {
  const { write, link } = setUp();
  link.show();
  await link.settle();
  link.posted.length = 0;
  let bytes = 0;
  for (let seq = 0; seq < 5000; seq++) {
    const event = part(seq, seq === 2500 ? 'r'.repeat(3_000_000) : 'y'.repeat(1900));
    bytes += sizeOf(event);
    write(event);
    if (seq % 10 === 0) link.timers.tick();
  }
  await link.settle();
  assert.ok(link.posted.length <= 502);
  assert.ok(sizeOf(link.posted) < 1.05 * (bytes - 3_000_000), 'nothing is sent twice');
  assert.equal(link.page.state.seq, 5000);
});

test('a snapshot of a large session comes in bounded posts, others getting their turn between', async () => {
  const { write, link } = setUp();
  for (let seq = 0; seq < 9000; seq++) write(part(seq, 'z'.repeat(1000)));
  link.show();
  await link.settle();
  const batches = link.posted.filter((message) => message.type === 'batch');
  assert.ok(batches.length >= 5);
  for (const batch of batches) assert.ok(sizeOf(batch) < 4_000_000);
  assert.equal(link.page.state.seq, 9000);
});

test('a page that is gone gets nothing until it speaks again', async () => {
  const { write, link } = setUp();
  link.show();
  await link.settle();
  link.hide();
  write(part(0, 'a'));
  await link.settle();
  write(part(1, 'b'));
  await link.settle();
  assert.equal(link.timers.waiting(), 0);
  link.show();
  await link.settle();
  assert.equal(link.page.state.seq, 2);
});

test('disposed, it listens to nothing and posts nothing', async () => {
  const { write, link, listeners } = setUp();
  link.show();
  await link.settle();
  write(part(0, 'a'));
  const before = link.posted.length;
  link.channel.dispose();
  await link.settle();
  assert.equal(listeners(), 0);
  assert.equal(link.posted.length, before);
});

test('what a page sends is checked: anything else is ignored', async () => {
  const { link, sessions, ops } = setUp();
  link.show();
  await link.settle();
  for (const raw of [
    null,
    'ready',
    { type: 'nonsense' },
    { type: 'command', command: 'workbench.action.terminal.new' },
    { type: 'op', session: 's1', op: { kind: 'format', target: 'c:' } },
    { type: 'op', session: 's1', op: { kind: 'skip' } },
    { type: 'open', session: 's1', what: { kind: 'uri', uri: 'file:///etc/passwd' } },
    { type: 'fetchPart', session: 's1', part: 7 },
    { type: 'ready', session: 's1', next: -1, selection: null },
    { type: 'go', session: 's1', round: '3' },
    { type: 'go', session: 's9' },
    { type: 'useBudget', session: 's1', limit: 100, policy: '../../evil.mjs' },
    { type: 'op', session: 's9', op: { kind: 'skip', target: '1.1.1' } },
  ]) {
    link.send(raw);
  }
  const { commands, opened, gone, budgets } = sessions;
  assert.deepEqual([ops, commands, opened, gone, budgets], [[], [], [], [], []]);
});

test('what it may ask is done', async () => {
  const { link, sessions } = setUp();
  link.show();
  await link.settle();
  link.send({ type: 'command', command: 'debugAgent' });
  link.send({ type: 'open', session: 's1', what: { kind: 'journal', seq: 3 } });
  assert.deepEqual(sessions.commands, ['debugAgent']);
  assert.deepEqual(sessions.opened, [{ kind: 'journal', seq: 3 }]);
  link.send({ type: 'go', session: 's1' });
  link.send({ type: 'go', session: 's1', round: 7 });
  link.send({ type: 'useBudget', session: 's1', limit: 100, policy: 'summarize' });
  assert.deepEqual(sessions.gone, [undefined, 7]);
  assert.deepEqual(sessions.budgets, ['100 summarize']);
});

test('every op of the union passes the edge unchanged', () => {
  for (const op of [
    { kind: 'set', target: 'm4/content', scope: 'history', value: { a: [1, null, 'x'] } },
    { kind: 'pin', target: 'm1' },
    { kind: 'unpin', target: 'm1' },
    { kind: 'drop', target: 'm1' },
    { kind: 'restore', target: 'm1' },
    { kind: 'mock', target: '1.1.1', data: [true] },
    { kind: 'skip', target: '1.1.1' },
    { kind: 'reject', target: '1.1.1', reason: '' },
  ]) {
    const message = { type: 'op', session: 's1', op };
    assert.deepEqual(parseFromPanel(message), message);
  }
});

test('a session whose title changed is told again, without starting over', async () => {
  const { write, link, sessions, session } = setUp();
  link.show();
  write(part(0, 'a'));
  await link.settle();
  link.posted.length = 0;
  sessions.makeCurrent(session);
  await link.settle();
  assert.deepEqual(
    link.posted.map((message) => message.type),
    ['hello'],
  );
  assert.equal(link.page.state.seq, 1);
});

test('stop rules cross with hello and whenever they change; a panel adds and removes them', async () => {
  const { link, sessions } = setUp();
  link.show();
  await link.settle();
  assert.deepEqual(link.page.stopRules, []);
  const target = { kind: 'message', session: 's1', id: 'm4' } as const;
  link.page.post({ type: 'stopRule', target, on: true });
  link.page.post({ type: 'stopRule', target: { kind: 'round', round: 3 }, on: true });
  await link.settle();
  assert.deepEqual(
    link.page.stopRules.map(({ words }) => words),
    ['message/s1/m4', 'round/3'],
  );
  link.page.post({ type: 'stopRule', target, on: false });
  await link.settle();
  assert.deepEqual(
    link.page.stopRules.map(({ words }) => words),
    ['round/3'],
  );
  assert.equal(sessions.all.stopRules.list().length, 1);
  for (const wrong of [
    undefined,
    5,
    {},
    { kind: 'round', round: 0 },
    { kind: 'tool', name: '' },
    { kind: 'x' },
  ])
    assert.equal(
      parseFromPanel({ type: 'stopRule', target: wrong, on: true }),
      undefined,
      JSON.stringify(wrong),
    );
});

test('a session that is not open is read when a restored page asks for it; the page hears nothing before', async () => {
  const { link, sessions, session, write } = setUp();
  write(...exampleJournal().slice(0, 6));
  const stored = createScriptedSession('s-stored');
  stored.write(...exampleJournal());
  sessions.stored.push(stored.session);
  link.show({ session: 's-stored', selection: { run: 1, round: 1 } });
  assert.deepEqual(link.posted, []);
  await Promise.resolve();
  await link.settle();
  assert.equal(link.page.session?.id, 's-stored');
  assert.deepEqual(link.page.selection, { run: 1, round: 1 });
  assert.equal(link.page.state.seq, exampleJournal().length);
  assert.notEqual(session.id, 's-stored');
});

test('a round that is to be shown is shown: to a page that is there, to one that is hidden, to a new one', async () => {
  const { link, sessions, write } = setUp();
  write(...exampleJournal());
  const other = createScriptedSession('s-other');
  other.write(...exampleJournal());
  sessions.stored.push(other.session);
  link.show();
  await link.settle();
  link.channel.show('s1', { run: 1, round: 1 });
  assert.deepEqual(link.page.selection, { run: 1, round: 1 });
  link.channel.show('s-other', { run: 1, round: 2 });
  await Promise.resolve();
  await link.settle();
  assert.deepEqual([link.page.session?.id, link.page.selection], ['s-other', { run: 1, round: 2 }]);
  assert.equal(link.page.state.seq, exampleJournal().length);

  link.hide();
  other.write({ seq: exampleJournal().length, at: 1, type: 'logged', breakpoint: 'b', text: 't' });
  await link.settle();
  link.channel.show('s1', { run: 1, round: 2 });
  link.show();
  await link.settle();
  assert.deepEqual([link.page.session?.id, link.page.selection], ['s1', { run: 1, round: 2 }]);
});

test('a panel that is shown later looks at the round that was chosen in another', async () => {
  const { link, sessions, session, write } = setUp();
  write(...exampleJournal());
  link.show();
  await link.settle();
  link.page.select({ run: 1, round: 1 });
  const late = createPanelLink(sessions.all);
  late.show();
  await late.settle();
  assert.deepEqual(late.page.selection, { run: 1, round: 1 });
  assert.deepEqual(late.saved?.selection, { run: 1, round: 1 }, 'so that it is there after a restart');

  const other = createScriptedSession('s-other');
  other.write(...exampleJournal());
  sessions.add(other.session);
  sessions.makeCurrent(other.session);
  await late.settle();
  assert.equal(late.page.selection, null, 'a choice counts for its session alone');
  sessions.makeCurrent(session);
  await late.settle();
  assert.deepEqual(late.page.selection, { run: 1, round: 1 });

  late.hide();
  link.page.select(null);
  late.show();
  await late.settle();
  assert.equal(late.page.selection, null, 'to follow the run is a choice too');
});

test('a session that became the current one while the page was hidden is shown when it is back', async () => {
  const { link, sessions, session, write } = setUp();
  const next = createScriptedSession('s-next');
  write(...exampleJournal());
  link.show();
  await link.settle();
  link.hide();
  write({ seq: exampleJournal().length, at: 1, type: 'logged', breakpoint: 'b', text: 't' });
  await link.settle();
  sessions.makeCurrent(session);
  link.show();
  await link.settle();
  assert.equal(link.page.session?.id, 's1', 'what is known of it changed, and nothing else');
  link.hide();
  write({ seq: exampleJournal().length + 1, at: 1, type: 'logged', breakpoint: 'b', text: 't' });
  await link.settle();
  sessions.add(next.session);
  sessions.makeCurrent(next.session);
  link.show();
  await link.settle();
  assert.equal(link.page.session?.id, 's-next');
});

test('a session that is deleted while it is shown is gone, and the others are offered', async () => {
  const { link, sessions, write } = setUp();
  write(...exampleJournal());
  link.show();
  await link.settle();
  sessions.forget('s1');
  sessions.makeCurrent(undefined);
  await link.settle();
  assert.deepEqual([link.page.session, link.page.gone], [undefined, true]);
  assert.equal(link.page.state.seq, 0);
});

test('after a restart a panel that has no round of its own looks at the one that another page was left with', async () => {
  const { link, sessions, write } = setUp();
  write(...exampleJournal());
  link.show({ session: 's1', selection: { run: 1, round: 1 } });
  await link.settle();
  const later = createPanelLink(sessions.all);
  later.show();
  await later.settle();
  assert.deepEqual(later.page.selection, { run: 1, round: 1 });
  later.page.select({ run: 1, round: 2 });
  link.hide();
  link.show({ session: 's1', selection: { run: 1, round: 1 } });
  await link.settle();
  assert.deepEqual(link.page.selection, { run: 1, round: 2 }, 'what was chosen since holds');
});

test('Rounds stays with the run while a file is looked at in its own editor; Context follows the file', async () => {
  const { sessions, write, session } = setUp();
  write(...exampleJournal());
  const file = createScriptedSession('file-1');
  Object.assign(file.session, { isFile: true });
  sessions.add(file.session);
  const rounds = createPanelLink(withoutFiles(sessions.all));
  const context = createPanelLink(sessions.all);
  rounds.show();
  context.show();
  await rounds.settle();
  const shown = async () => {
    await rounds.settle();
    await context.settle();
    return [rounds.page.session?.id, context.page.session?.id];
  };
  sessions.makeCurrent(file.session);
  assert.deepEqual(await shown(), ['s1', 'file-1']);
  sessions.makeCurrent(session);
  assert.deepEqual(await shown(), ['s1', 's1']);

  const other = createScriptedSession('s2');
  sessions.add(other.session);
  sessions.makeCurrent(other.session);
  sessions.makeCurrent(file.session);
  assert.deepEqual(await shown(), ['s2', 'file-1']);
  sessions.forget('s2');
  sessions.makeCurrent(file.session);
  assert.deepEqual(await shown(), ['file-1', 'file-1'], 'there is nothing else');
});

test('what is chosen in a panel that has nothing to show is what the others follow', async () => {
  const { sessions } = setUp();
  const stored = createScriptedSession('s-stored');
  stored.write(...exampleJournal());
  sessions.stored.push(stored.session);
  sessions.makeCurrent(undefined);
  const [rounds, context] = [createPanelLink(sessions.all), createPanelLink(sessions.all)];
  rounds.show();
  context.show();
  await rounds.settle();
  rounds.page.choose('s-stored');
  await Promise.resolve();
  await rounds.settle();
  await context.settle();
  assert.deepEqual([rounds.page.session?.id, context.page.session?.id], ['s-stored', 's-stored']);
  assert.equal(context.page.state.seq, exampleJournal().length);
});

test('a session that became the current one as the page went is shown when it is back, though no post had failed yet', async () => {
  const { link, sessions, write } = setUp();
  write(...exampleJournal());
  link.show();
  await link.settle();
  const other = createScriptedSession('s2');
  other.write(...exampleJournal());
  sessions.add(other.session);
  link.hide();
  sessions.makeCurrent(other.session);
  await link.settle();
  link.show();
  await link.settle();
  assert.equal(link.saved?.session, 's2');
  assert.equal(link.page.session?.id, 's2');
  // What is chosen in a page that is there is not put off by that.
  link.page.choose('s1');
  await link.settle();
  assert.equal(link.page.session?.id, 's1');
});

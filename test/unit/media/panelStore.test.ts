import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as setImmediatePromise } from 'node:timers/promises';
import type { JournalEvent } from '../../../src/core/events.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';
import { longJournal } from '../../doubles/longJournal.ts';
import { createPanelLink } from '../../doubles/panelLink.ts';
import { createScriptedSession, createScriptedSessions } from '../../doubles/panelSessions.ts';

function setUp() {
  const one = createScriptedSession('s1');
  const sessions = createScriptedSessions(one.session);
  return { ...one, sessions, link: createPanelLink(sessions.all) };
}

const journal = exampleJournal();

test('always visible, hidden in mid-run, or late: the panel ends up with the same state', async () => {
  const always = setUp();
  always.link.show();
  for (const event of journal) {
    always.write(event);
    await always.link.settle();
  }

  const hidden = setUp();
  hidden.link.show();
  hidden.write(...journal.slice(0, 20));
  await hidden.link.settle();
  hidden.link.hide();
  hidden.write(...journal.slice(20, 50));
  await hidden.link.settle();
  hidden.link.show();
  await hidden.link.settle();
  hidden.write(...journal.slice(50));
  await hidden.link.settle();

  const late = setUp();
  late.write(...journal);
  await late.link.settle();
  assert.deepEqual(late.link.posted, [], 'nothing is posted to a page that has not spoken');
  late.link.show();
  await late.link.settle();

  for (const { link } of [always, hidden, late]) {
    assert.deepEqual(link.page.state, foldAll(journal));
    assert.deepEqual(link.page.lane, always.link.page.lane);
  }
});

test('a lost batch is noticed at the next one, and asked for', async () => {
  const { write, link } = setUp();
  link.show();
  write(...journal.slice(0, 10));
  await link.settle();
  link.losing(() => {
    write(...journal.slice(10, 20));
    link.timers.tick();
  });
  await link.settle();
  assert.equal(link.page.state.seq, 10);
  write(journal[20]!);
  await link.settle();
  assert.deepEqual(link.asked.at(-1), { type: 'ready', session: 's1', next: 10, selection: null });
  assert.deepEqual(link.page.state, foldAll(journal.slice(0, 21)));
});

test('what arrives twice is folded once', async () => {
  const { write, link } = setUp();
  link.show();
  write(...journal.slice(0, 30));
  await link.settle();
  const batch = link.posted.find((message) => message.type === 'batch');
  assert.ok(batch);
  link.page.receive(batch);
  assert.deepEqual(link.page.state, foldAll(journal.slice(0, 30)));
});

test('after a reload the saved round is shown; of a session that is gone, what is current or the list', async () => {
  const { write, link } = setUp();
  write(...journal);
  link.show();
  await link.settle();
  link.page.select({ run: 1, round: 2 });
  link.hide();
  link.show();
  await link.settle();
  assert.deepEqual(link.page.selection, { run: 1, round: 2 });
  assert.equal(link.page.gone, false);

  const other = createScriptedSession('s2');
  const restarted = createScriptedSessions(other.session);
  const again = createPanelLink(restarted.all);
  const shownId = () => again.page.session?.id;
  restarted.makeCurrent(undefined);
  again.show({ session: 's1', selection: { run: 1, round: 2 } });
  await again.settle();
  assert.equal(again.page.gone, true);
  assert.equal(shownId(), undefined);
  assert.deepEqual(
    again.page.sessions.map((one) => one.id),
    ['s2'],
  );
  assert.equal(again.page.selection, null);
  assert.deepEqual({ ...again.saved, looks: {} }, { session: null, selection: null, looks: {} });
  again.page.choose('s2');
  await again.settle();
  assert.equal(shownId(), 's2');
  assert.equal(again.page.gone, false);

  restarted.makeCurrent(other.session);
  again.show({ session: 's1', selection: { run: 1, round: 2 } });
  await again.settle();
  assert.deepEqual([shownId(), again.page.gone, again.page.selection], ['s2', false, null]);
});

test('another session that becomes the current one is followed, from its beginning', async () => {
  const { write, link, sessions, listeners } = setUp();
  write(...journal);
  link.show();
  await link.settle();
  link.page.select({ run: 1, round: 1 });
  const next = createScriptedSession('s2');
  next.write(...journal.slice(0, 8));
  sessions.makeCurrent(next.session);
  await link.settle();
  assert.equal(link.page.session?.id, 's2');
  assert.equal(link.page.selection, null);
  assert.deepEqual(link.page.state, foldAll(journal.slice(0, 8)));
  assert.equal(listeners(), 0, 'the old session is not listened to any more');
});

test('streamed text grows, and is over with the reply', async () => {
  const { write, stream, link } = setUp();
  const replied = journal.findIndex((event) => event.type === 'model.replied');
  write(...journal.slice(0, replied));
  link.show();
  await link.settle();
  stream('I add ');
  await link.settle();
  stream('up');
  stream(', then');
  await link.settle();
  assert.equal(link.page.live, 'I add up, then');
  const texts = link.posted.flatMap((message) =>
    message.type === 'batch' && message.live ? [message.live.text] : [],
  );
  assert.deepEqual(texts, ['I add ', 'up, then'], 'only what is new crosses');
  write(...journal.slice(replied, replied + 1));
  stream('x');
  await link.settle();
  assert.equal(link.page.live, 'x', 'text after the reply belongs to what comes next');
});

test('a panel that opens while a reply arrives gets the text so far', async () => {
  const { write, stream, link } = setUp();
  write(...journal.slice(0, 13));
  stream('so far');
  link.show();
  await link.settle();
  assert.equal(link.page.live, 'so far');
  stream(' and on');
  await link.settle();
  assert.equal(link.page.live, 'so far and on');
});

test('lost streamed text is asked for again', async () => {
  const { write, stream, link } = setUp();
  write(...journal.slice(0, 13));
  link.show();
  await link.settle();
  link.losing(() => {
    stream('lost ');
    link.timers.tick();
  });
  await link.settle();
  stream('found');
  await link.settle();
  assert.equal(link.page.live, 'lost found');
});

const long: JournalEvent = {
  seq: 0,
  at: 0,
  type: 'part',
  id: 'p1',
  text: JSON.stringify({ role: 'user', content: 'ä'.repeat(5000) }),
};

test('a long text crosses as a head and is fetched whole', async () => {
  const { write, link } = setUp();
  write(long);
  link.show();
  await link.settle();
  const cut = link.page.cuts.get('p1');
  assert.deepEqual([cut?.chars, cut?.bytes, cut?.at], [5028, 10028, ['content']]);
  assert.ok((link.page.state.parts.get('p1') ?? '').length < 2048);
  link.page.fetchPart('p1');
  link.page.fetchPart('p1');
  assert.equal(link.page.state.parts.get('p1'), long.type === 'part' ? long.text : '');
  assert.equal(link.page.cuts.size, 0);
  assert.equal(
    link.asked.filter((message) => message.type === 'fetchPart').length,
    2,
    'the second is after the first came',
  );
  link.page.fetchPart('p9');
  assert.deepEqual([...link.page.missing], ['p9']);
  assert.equal(link.page.fetching.size, 0);
});

test('a refused op says why, until the next one', async () => {
  const { ops, link, write } = setUp();
  write(...journal);
  link.show();
  await link.settle();
  link.page.post({ type: 'op', session: 's1', op: { kind: 'skip', target: '1.1.1' } });
  await link.settle();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(ops, [{ kind: 'skip', target: '1.1.1' }]);
  assert.equal(link.page.refused?.reason, 'no');
  link.page.post({ type: 'op', session: 's1', op: { kind: 'skip', target: '1.1.1' } });
  assert.equal(link.page.refused, undefined);
});

test('a round chosen in one panel is shown in the other', async () => {
  const one = createScriptedSession('s1');
  const sessions = createScriptedSessions(one.session);
  one.write(...journal);
  const links = [createPanelLink(sessions.all), createPanelLink(sessions.all)] as const;
  for (const link of links) {
    link.show();
    await link.settle();
  }
  links[0].page.select({ run: 1, round: 1 });
  assert.deepEqual(links[1].page.selection, { run: 1, round: 1 });
  assert.equal(links[0].posted.filter((message) => message.type === 'select').length, 0, 'no echo');
});

test('the debugger looks back: the panel shows the past, and the present again, whatever gets lost on the way', async () => {
  const { write, lookBack, link } = setUp();
  link.show();
  write(...journal.slice(0, 60));
  await link.settle();
  const lane = structuredClone(link.page.lane);
  for (const before of [40, 12, 50]) {
    lookBack(before);
    await link.settle();
    assert.equal(link.page.before, before);
    assert.deepEqual(link.page.state, foldAll(journal.slice(0, before)));
  }
  assert.notDeepEqual(link.page.lane, lane);
  // What happens in the present meanwhile is not part of what is shown.
  write(...journal.slice(60, 62));
  await link.settle();
  assert.deepEqual(link.page.state, foldAll(journal.slice(0, 50)));
  // A page that is made anew stands where the debugger stands.
  link.hide();
  link.show();
  await link.settle();
  assert.deepEqual([link.page.before, link.page.state.seq], [50, 50]);
  // The way back to the present is lost: the next batch says it again.
  link.losing(() => {
    lookBack(undefined);
    link.timers.tick();
  });
  write(...journal.slice(62));
  await link.settle();
  assert.equal(link.page.before, null);
  assert.deepEqual(link.page.state, foldAll(journal));
});

test('a text that was fetched is whole in the past and in the present', async () => {
  const { write, lookBack, link } = setUp();
  link.show();
  const text = JSON.stringify({ role: 'user', content: 'x'.repeat(9000) });
  const long: JournalEvent = { seq: 60, at: 1, type: 'part', id: 'p900', text };
  write(...journal.slice(0, 60), long, { seq: 61, at: 1, type: 'checkpoint', kind: 'plan' });
  await link.settle();
  lookBack(61);
  await link.settle();
  assert.notEqual(link.page.state.parts.get('p900'), text);
  link.page.fetchPart('p900');
  await link.settle();
  for (const before of [61, undefined, 61]) {
    lookBack(before);
    await link.settle();
    assert.equal(link.page.state.parts.get('p900'), text);
  }
  lookBack(30);
  await link.settle();
  assert.equal(link.page.state.parts.has('p900'), false);
});

test('how a panel is looked at survives hiding and reload; a session that is another one is compared anew', async () => {
  const { write, link, sessions } = setUp();
  write(...journal);
  link.show();
  await link.settle();
  link.page.look({ zoom: 1, view: 'wire' });
  link.page.look({ against: { run: 1, round: 1 } });
  link.hide();
  link.show();
  assert.deepEqual(
    [link.page.looks.zoom, link.page.looks.view, link.page.looks.against],
    [1, 'wire', { run: 1, round: 1 }],
  );
  await link.settle();
  assert.deepEqual(link.page.looks.against, { run: 1, round: 1 });
  sessions.makeCurrent(createScriptedSession('s2').session);
  await link.settle();
  assert.deepEqual([link.page.looks.zoom, link.page.looks.view, link.page.looks.against], [1, 'wire', null]);
});

test('a long run is drawn when it is there, not once for each batch; each event crosses once', async () => {
  const { write, link } = setUp();
  write(...longJournal({ rounds: 60, calls: 19, chars: 10 }));
  link.show();
  let drawn = 0;
  link.page.subscribe(() => drawn++);
  await link.settle();
  const batches = link.posted.filter((message) => message.type === 'batch');
  assert.ok(batches.length > 2);
  assert.deepEqual(
    batches.map(({ more }) => more),
    [...batches.slice(1).map(() => true), false],
  );
  assert.equal(drawn, 1);
  const size = () => JSON.stringify(link.posted).length;
  const before = size();
  const event: JournalEvent = { seq: link.page.state.seq, at: 1, type: 'checkpoint', kind: 'end' };
  write(event);
  await link.settle();
  assert.ok(size() - before < JSON.stringify(event).length + 150);
});

test('bytes of a request, a search and a copy: asked for, answered, asked for once', async () => {
  const { write, link, sessions } = setUp();
  write(...journal);
  link.show();
  await link.settle();
  link.page.fetchWire('r1', 1);
  link.page.fetchWire('r1', 1);
  assert.equal(link.asked.filter(({ type }) => type === 'wire').length, 1);
  assert.ok(link.page.wires.get('r1 1')?.checks.every(({ ok }) => ok));
  link.page.find('calculator');
  await setImmediatePromise();
  assert.ok((link.page.hits?.size ?? 0) > 0);
  link.page.find('');
  assert.equal(link.page.hits, undefined);
  link.page.post({ type: 'copy', session: 's1', what: { kind: 'part', part: 'p5' } });
  assert.deepEqual(sessions.copied, [{ kind: 'part', part: 'p5' }]);
  link.send({ type: 'copy', session: 's1', what: { kind: 'file', path: '/etc/passwd' } });
  link.send({ type: 'find', session: 's1', text: 'x'.repeat(2000) });
  assert.equal(sessions.copied.length, 1);
});

test('a search that was typed over is not answered; what comes in later is looked through again', async () => {
  const { write, link } = setUp();
  write(...journal.slice(0, 10));
  link.show();
  await link.settle();
  link.page.find('calc');
  link.page.find('calculator');
  await setImmediatePromise();
  assert.equal(link.posted.filter(({ type }) => type === 'found').length, 1);
  const before = link.page.hits?.size ?? 0;
  write(...journal.slice(10));
  await link.settle();
  await setImmediatePromise();
  assert.ok((link.page.hits?.size ?? 0) > before);
});

/**
 * npm run bench:ui -- panel [--quick]: the Rounds panel on a long run, in a plain headless Chromium: opening it, going
 * from round to round, scrolling, a live event, memory. Beside it a page that gets everything with each event and draws
 * everything: the same data, the same browser, in turns; both have to show the same messages. Times are the page's own
 * work, frame by frame, on the clock; what the host does for it is CPU time. `--quick` takes a shorter run and repeats less.
 */
import assert from 'node:assert/strict';
import type { Browser, CDPSession } from 'playwright-core';
import type { JournalEvent } from '../../src/core/events.ts';
import { panelEvent } from '../../src/core/panelEvent.ts';
import type { ToPanel } from '../../src/core/protocol.ts';
import { parseFromPanel } from '../../src/entry/vscode/fromPanel.ts';
import { createPanelChannel } from '../../src/entry/vscode/panelChannel.ts';
import { englishWords } from '../doubles/panelTexts.ts';
import { longJournal } from '../doubles/longJournal.ts';
import { buildPage, iconStyle } from '../doubles/panelPage.ts';
import { createScriptedSession, createScriptedSessions } from '../doubles/panelSessions.ts';
import { launchBrowser } from '../hosts/launchBrowser.mjs';
import { printTable, shown, spread, takeTurns, writeResult } from './bench.ts';
import type { DrawnMessage, Probe } from './panel/protocol.ts';

declare const probe: Probe;

const isQuick = process.argv.includes('--quick');
const run = { rounds: isQuick ? 100 : 500, calls: 19, chars: 4700 };
const repetitions = isQuick ? 1 : 2;
/** Rounds gone back; the other page goes in longer steps, which takes long enough, and ends in the same round. */
const changes = isQuick ? 16 : 31;
const scrolls = isQuick ? 60 : 200;
const liveEvents = 12;

const all = longJournal(run);
// The last round comes in while the panel is looked at.
const cut = all.findLastIndex(({ type }) => type === 'round.started');
const [events, live] = [all.slice(0, cut), all.slice(cut, cut + liveEvents)];
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const megabytes = events.reduce((sum, event) => sum + bytesOf(event), 0) / 1e6;

const words = await englishWords();
const [ours, naive, probeScript] = await Promise.all([
  buildPage('media/rounds.tsx'),
  buildPage('test/bench/panel/naive.tsx'),
  buildPage('test/bench/panel/probe.ts'),
]);
const icons = await iconStyle();

interface Contestant {
  readonly script: string;
  readonly style: string;
  /** What the host posts for the whole run, then for each live event. */
  readonly opening: readonly unknown[];
  readonly live: readonly unknown[];
  /** CPU milliseconds of the host for the opening. */
  readonly hostMs: number;
}

const contestants = { 'this panel': panelMessages(), 'all again': naiveMessages() };
type Name = keyof typeof contestants;

const browser: Browser = await launchBrowser();
const measured = await takeTurns(Object.keys(contestants) as Name[], repetitions, (name) =>
  measure(contestants[name], name === 'all again' ? 5 : 1),
);
await browser.close();

isSame();
const results = [...measured].map(([name, list]) => {
  const { opening, live: posted, hostMs } = contestants[name];
  const paints = (key: 'change' | 'event') =>
    quantiles(list.flatMap((one) => one[key].map(({ paint }) => paint)));
  return {
    name,
    open: spread(list.map(({ open }) => open)),
    change: paints('change'),
    changeCpu: spread(list.map((one) => one.changeCpu)),
    after: quantiles(list.flatMap((one) => one.change.map(({ after }) => after))),
    scroll: quantiles(list.flatMap((one) => one.scroll)),
    event: paints('event'),
    heapMB: spread(list.map(({ heapMB }) => heapMB)),
    nodes: spread(list.map(({ nodes }) => nodes)),
    openingMB: opening.reduce((sum: number, message) => sum + bytesOf(message), 0) / 1e6,
    bytesPerEvent: spread(
      posted.map((message) => bytesOf(message) + (name === 'all again' ? bytesOf(opening[0]) : 0)),
    ),
    hostMs,
  };
});
const title = `${run.rounds} rounds, ${events.filter(({ type }) => type === 'call.finished').length + run.rounds} messages, ${megabytes.toFixed(0)} MB`;
printTable(
  `${title}; ms of work, median / 95th percentile where two are given`,
  [
    '',
    'open',
    'round change',
    'longest frame after it',
    'CPU of it, 13 frames',
    'scroll frame',
    'live event',
    'bytes posted an event',
    'posted to open, MB',
    'host CPU to open',
    'heap MB',
    'nodes',
  ],
  results.map((one) => [
    one.name,
    shown(one.open),
    twoOf(one.change),
    twoOf(one.after),
    shown(one.changeCpu),
    twoOf(one.scroll),
    twoOf(one.event),
    shown(one.bytesPerEvent),
    one.openingMB.toFixed(1),
    one.hostMs.toFixed(0),
    shown(one.heapMB),
    shown(one.nodes),
  ]),
);
console.log(
  `\nthe ${live.length} live events themselves: ${shown(spread(live.map((event) => bytesOf(panelEvent(event)))))} bytes`,
);
await writeResult('uiPanel', { ...run, megabytes, repetitions, results });

/** Both end in some round: of it both have as many messages, and what this panel draws reads as in the other one. */
function isSame(): void {
  const [ours, all] = (['this panel', 'all again'] as const).map((name) => measured.get(name)?.[0]?.seen);
  assert.ok(ours && all && ours.drawn.length > 2);
  assert.equal(ours.count, all.count);
  const byId = new Map<string, DrawnMessage>(all.drawn.map((message) => [message.id, message]));
  for (const { id, change, text } of ours.drawn) {
    assert.equal(change, byId.get(id)?.change, id);
    // A long text is folded here; the other page has the whole of its head.
    assert.ok(text.length > 10 && byId.get(id)?.text.startsWith(text), id);
  }
}

function twoOf({ median, p95 }: { readonly median: number; readonly p95: number }): string {
  return `${median.toFixed(1)} / ${p95.toFixed(1)}`;
}

function quantiles(values: readonly number[]): { readonly median: number; readonly p95: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { median: at(0.5), p95: at(0.95) };
}

/** By the real channel: what it posts for a run that is there, then for each event. */
function panelMessages(): Contestant {
  const { session, write } = createScriptedSession('s-long');
  write(...events);
  const posted: ToPanel[] = [];
  let timers: (() => void)[] = [];
  let say: ((message: unknown) => void) | undefined;
  const settle = () => {
    while (timers.length > 0) for (const timer of timers.splice(0)) timer();
  };
  const start = process.cpuUsage();
  createPanelChannel(
    {
      post: (message) => {
        posted.push(message);
        return Promise.resolve(true);
      },
      onMessage: (listener) => {
        say = (raw: unknown) => {
          const message = parseFromPanel(raw);
          if (message) listener(message);
        };
        return { dispose: () => undefined };
      },
    },
    createScriptedSessions(session).all,
    {
      words: () => words,
      schedule: (timer) => {
        timers.push(timer);
        return { dispose: () => void (timers = timers.filter((one) => one !== timer)) };
      },
    },
  );
  say?.({ type: 'ready', session: null, next: 0, selection: null });
  settle();
  const { user, system } = process.cpuUsage(start);
  const opening = posted.splice(0);
  for (const event of live) {
    write(event);
    settle();
  }
  return { ...ours, opening, live: posted, hostMs: (user + system) / 1000 };
}

/** All events, each time. */
function naiveMessages(): Contestant {
  const known: JournalEvent[] = events.map(panelEvent);
  const opening = [{ events: [...known] }];
  // The page adds them up: here they would be the run twenty times over.
  return { ...naive, opening, live: live.map((event) => ({ events: [panelEvent(event)] })), hostMs: 0 };
}

async function measure({ script, style, opening, live: posts }: Contestant, stride: number) {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
  page.on('pageerror', (error) => console.error(error));
  const session = await page.context().newCDPSession(page);
  await page.setContent(`<style>${icons}</style><style>${style}</style><div id="root"></div>`);
  for (const content of ['globalThis.__name ??= (value) => value;', probeScript.script, script])
    await page.addScriptTag({ content });
  await page.evaluate((text) => probe.load(text), JSON.stringify(opening));
  const last = run.rounds - 1;
  const open = await page.evaluate((round) => probe.open(round), last);
  const { heapMB, nodes } = await memoryOf(session);
  const scroll = await page.evaluate(([frames, pixels]) => probe.scroll(frames, pixels), [
    scrolls,
    400,
  ] as const);
  await page.evaluate(() => probe.fold());
  const event = [];
  for (const post of posts)
    event.push(await page.evaluate((text) => probe.receive(text), JSON.stringify(post)));
  const change = [];
  const before = await cpuOf(session);
  // The newest round is the one that has just come in.
  for (let round = last; round > last - changes; round -= stride)
    change.push(await page.evaluate((at) => probe.change(at), round));
  const changeCpu = ((await cpuOf(session)) - before) / change.length;
  const seen = await page.evaluate(() => probe.messages());
  await page.close();
  return { open, heapMB, nodes, scroll, event, change, changeCpu, seen };
}

/** Milliseconds that the page's main thread worked: no other process of the machine is in it. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
}

async function memoryOf(session: CDPSession): Promise<{ readonly heapMB: number; readonly nodes: number }> {
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  return { heapMB: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes') };
}

/**
 * Rounds goes with the run, as a log does: what a stop is about is seen, also in a low panel, and nothing jumps for
 * somebody who reads.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { CheckpointKind, JournalEvent } from '../../src/core/events.ts';
import type { SavedPanel } from '../../src/core/protocol.ts';
import type { PanelSessions } from '../../src/entry/vscode/panelChannel.ts';
import { longJournal } from '../doubles/longJournal.ts';
import { createScriptedSession, createScriptedSessions } from '../doubles/panelSessions.ts';
import { eventually } from './harness/eventually.ts';
import { panelBrowser } from './harness/panelBrowser.ts';
import { setTheme } from './harness/themes.ts';

const { open, shoot } = panelBrowser();

const journal = longJournal({ rounds: 6, calls: 3, chars: 900 }).flatMap((event): JournalEvent[] =>
  event.type === 'model.replied'
    ? [event, { seq: 0, at: event.at, type: 'checkpoint', kind: 'reply' }]
    : [event],
);

async function openLow(sessions: PanelSessions, height: number, saved?: SavedPanel): Promise<Page> {
  const page = await open('rounds', sessions, { saved });
  await page.setViewportSize({ width: 900, height });
  await setTheme(page, 'dark');
  return page;
}

/** A session that stops in its last rounds, and a low panel of it. */
async function setUp(height: number) {
  const scripted = createScriptedSession('s1');
  let at = 0;
  let seq = 0;
  const next = (event: JournalEvent) => scripted.write({ ...event, seq: seq++ });
  /** Goes on to the n-th checkpoint of a kind in a round, and stops there. */
  const stopAt = (round: number, kind: CheckpointKind, nth = 1) => {
    const from = journal.findIndex((event) => event.type === 'round.started' && event.round === round);
    const stops = journal.flatMap((event, index) =>
      index > from && event.type === 'checkpoint' && event.kind === kind ? [index] : [],
    );
    const stop = stops[nth - 1] ?? -1;
    assert.ok(stop >= at, `${round} ${kind}`);
    if (seq > 0) next({ seq, at: 0, type: 'resumed', verb: 'stepIn' });
    while (at <= stop) next(journal[at++]!);
    next({ seq, at: 0, type: 'paused', reason: 'step', hits: [] });
  };
  stopAt(5, 'plan');
  const { all } = createScriptedSessions(scripted.session);
  const page = await openLow(all, height);
  await page.locator('.card').waitFor();
  return { page, stopAt, all };
}

/** Pixels of an element that are seen: in the list, in the page, and not behind the card. */
const seenOf = (page: Page, selector: string) =>
  page.evaluate<{ seen: number; height: number } | null>(`(() => {
    const element = [...document.querySelectorAll(${JSON.stringify(selector)})].at(-1);
    if (!element) return null;
    const { top, bottom, height } = element.getBoundingClientRect();
    const list = document.querySelector('.scroll').getBoundingClientRect();
    const end = Math.min(innerHeight, list.bottom, document.querySelector('.card')?.getBoundingClientRect().top ?? Infinity);
    return { seen: Math.round(Math.min(bottom, end) - Math.max(top, list.top, 0)), height: Math.round(height) };
  })()`);

const wholeIsSeen = (page: Page, what: string, selector: string) =>
  eventually(
    what,
    () => seenOf(page, selector),
    (one) => one !== null && one.height > 0 && one.seen >= one.height - 1,
  );

const scrolled = (page: Page) =>
  page.locator('.scroll').evaluate((one) => (one as unknown as { scrollTop: number }).scrollTop);

/** Scrolls as a person does, to a part of the way. */
async function scrollTo(page: Page, top: number) {
  await page.locator('.scroll').hover();
  await eventually(
    `scrolled to ${top}`,
    async () => {
      const before = await scrolled(page);
      if (before !== top) await page.mouse.wheel(0, top - before);
      return before;
    },
    (now) => now === top,
  );
}

const saved = (page: Page) => page.evaluate<SavedPanel>('window.saved');

const isPaused = (page: Page, call: string) => page.locator(`[data-call="${call}"].paused`).waitFor();

for (const height of [600, 300])
  test(`in a panel of ${height} pixels each stop brings what it is about into view`, async () => {
    const { page, stopAt } = await setUp(height);
    assert.equal(await scrolled(page), 0, 'a request is read from its top');
    stopAt(5, 'reply');
    await wholeIsSeen(page, 'the reply', '.reply h2');
    await shoot(page, `rounds-follow-${height}-reply`);
    stopAt(5, 'act');
    await wholeIsSeen(page, 'the first call', '[data-call="1.5.1"].paused .call-head');
    stopAt(5, 'act', 3);
    await wholeIsSeen(page, 'the last call', '[data-call="1.5.3"].paused .call-head');
    await shoot(page, `rounds-follow-${height}-act`);
    stopAt(5, 'observe');
    await wholeIsSeen(page, 'its result', '[data-call="1.5.3"].good');
    await shoot(page, `rounds-follow-${height}-observe`);
    stopAt(6, 'plan');
    await page.locator('.pill.paused').getByText('round 6').waitFor();
    assert.equal(await scrolled(page), 0, 'the next request is read from its top');
    await page.close();
  });

test('the focus is in another part of the window, as at most stops in the editor: it is followed all the same', async () => {
  const { page, stopAt } = await setUp(600);
  await page.getByRole('textbox', { name: 'Find in all rounds' }).focus();
  await page.evaluate('document.hasFocus = () => false');
  stopAt(5, 'act', 3);
  await wholeIsSeen(page, 'the last call', '[data-call="1.5.3"].paused .call-head');
  await page.close();
});

test('who scrolled away reads on, and goes with the run again from the end', async () => {
  const { page, stopAt } = await setUp(600);
  stopAt(5, 'act');
  await isPaused(page, '1.5.1');
  await eventually(
    'down with it',
    () => scrolled(page),
    (top) => top > 0,
  );
  await scrollTo(page, 0);
  stopAt(5, 'act', 2);
  await isPaused(page, '1.5.2');
  assert.equal(await scrolled(page), 0);
  await scrollTo(page, 20);
  stopAt(5, 'act', 3);
  await isPaused(page, '1.5.3');
  assert.equal(await scrolled(page), 20);
  await page.mouse.wheel(0, 10_000);
  await wholeIsSeen(page, 'the last call', '[data-call="1.5.3"].paused');
  stopAt(5, 'observe');
  await wholeIsSeen(page, 'its result', '[data-call="1.5.3"].good');
  await page.close();
});

test('nothing jumps for a focus or a selection in the list, nor while something is searched; the focus stays', async () => {
  const focused = (page: Page) =>
    page.evaluate<string>(`document.activeElement.dataset.key ?? document.activeElement.tagName`);
  const { page, stopAt } = await setUp(600);
  await page.locator('[role=listitem]').last().focus();
  const row = await focused(page);
  const top = await scrolled(page);
  stopAt(5, 'reply');
  await page.locator('.reply h2').waitFor();
  assert.deepEqual([await focused(page), await scrolled(page)], [row, top]);
  await page.evaluate(`document.activeElement.blur();
    getSelection().selectAllChildren(document.querySelector('[role=listitem] .text'))`);
  stopAt(5, 'act');
  await isPaused(page, '1.5.1');
  assert.equal(await scrolled(page), top);
  await page.evaluate('getSelection().removeAllRanges()');
  await page.getByRole('textbox', { name: 'Find in all rounds' }).fill('report');
  await eventually(
    'the search',
    () => saved(page),
    ({ looks }) => looks?.find === 'report',
  );
  await page.getByRole('listbox').focus();
  stopAt(5, 'act', 2);
  await isPaused(page, '1.5.2');
  assert.equal(await scrolled(page), top);
  await page.getByRole('textbox', { name: 'Find in all rounds' }).fill('');
  await eventually(
    'no search',
    () => saved(page),
    ({ looks }) => looks?.find === '',
  );
  await page.getByRole('listbox').focus();
  stopAt(5, 'act', 3);
  await wholeIsSeen(page, 'the last call', '[data-call="1.5.3"].paused');
  assert.equal(await page.evaluate(`document.activeElement.role`), 'listbox');
  await page.close();
});

test('a page that is made anew at the same stop is where it was left; at another it shows what came', async () => {
  const { page, stopAt, all } = await setUp(600);
  stopAt(5, 'observe');
  await wholeIsSeen(page, 'the last result', '[data-call="1.5.3"].good');
  let before = '';
  const { down, at } = await eventually(
    'a saved place, and no way to another',
    async () => {
      const [down, at, earlier] = [await saved(page), await scrolled(page), before];
      before = JSON.stringify([down, at]);
      return { down, at, earlier };
    },
    ({ down, earlier }) => down.place !== undefined && earlier === before,
  );
  const again = await openLow(all, 600, down);
  await eventually(
    'the same place',
    () => scrolled(again),
    (top) => top === at,
  );
  await scrollTo(again, 0);
  const up = await eventually(
    'the top',
    () => saved(again),
    ({ place }) => place === undefined,
  );
  await again.close();
  const atTop = await openLow(all, 600, up);
  await atTop.locator('[data-call="1.5.3"].good').waitFor();
  assert.equal(await scrolled(atTop), 0);
  await atTop.close();
  const { followed: _followed, ...earlier } = up;
  const later = await openLow(all, 600, { ...earlier, followed: 'what was there before' });
  await wholeIsSeen(later, 'what came', '[data-call="1.5.3"].good');
  await Promise.all([later.close(), page.close()]);
});

test('whoever goes on by keyboard stays on that button from stop to stop, and a focus elsewhere stays there', async () => {
  const { page, stopAt } = await setUp(600);
  const isFocused = (selector: string) =>
    page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);
  await page.locator('.card .primary').focus();
  for (const [kind, nth] of [
    ['reply', 1],
    ['act', 1],
    ['act', 2],
    ['observe', 1],
  ] as const) {
    await page.keyboard.press('Enter');
    stopAt(5, kind, nth);
    await eventually(
      `the button at ${kind} ${nth}`,
      () => isFocused('.card .primary'),
      (isOn) => isOn,
    );
  }
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Find in all rounds' }).focus();
  stopAt(6, 'plan');
  await page.locator('.pill.paused').getByText('round 6').waitFor();
  assert.equal(await isFocused('input'), true, 'the focus was taken away');
  // The button was not used since: the next card does not take the focus by itself.
  await page.evaluate('document.activeElement.blur()');
  stopAt(6, 'reply');
  await page.locator('.card').getByText('Ask Again').waitFor();
  assert.equal(await isFocused('body'), true, 'the focus was taken');
  await page.close();
});

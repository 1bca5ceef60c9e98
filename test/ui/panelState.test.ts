/**
 * What a panel keeps when its page goes: VS Code takes it away when the panel is hidden, moved to another column, or the
 * window is reloaded, and makes a new one with what the old one saved. The new page has to read as the old one did.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { SavedPanel } from '../../src/core/protocol.ts';
import { longJournal } from '../doubles/longJournal.ts';
import { createScriptedSession, createScriptedSessions } from '../doubles/panelSessions.ts';
import { eventually } from './harness/eventually.ts';
import { panelBrowser } from './harness/panelBrowser.ts';

const { open } = panelBrowser();

function setUp() {
  const scripted = createScriptedSession('s1');
  scripted.write(...longJournal({ rounds: 12, calls: 2, chars: 3000, window: 14 }));
  return createScriptedSessions(scripted.session);
}

/** All that a person sees of it: texts, what is typed and chosen, what is pressed and unfolded. */
const readOf = (page: Page) =>
  page.evaluate<string>(`(() => {
    // Of a long list more is in the page than is seen, and how much more is nobody's business.
    const isSeen = (one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const box = one.closest('.scroll, .context-rows').getBoundingClientRect();
      return bottom > box.top && top < box.bottom;
    };
    const parts = [...document.querySelectorAll('header, .compare, .filter, .wire, .panel-section:not(:has([role=list])), .chart')];
    return [
      ...parts.map((one) => one.innerText),
      ...[...document.querySelectorAll('.virtual > [role=listitem]')].filter(isSeen).map((one) => one.innerText),
      ...[...document.querySelectorAll('input, select')].map((one) => one.type + ' ' + (one.type === 'checkbox' ? one.checked : one.value)),
      ...[...document.querySelectorAll('[aria-pressed=true], [aria-expanded=true], [aria-selected=true]')].map((one) => one.ariaLabel ?? one.innerText),
    ].join('\\n');
  })()`);

/** Reads it until it stays the same: nothing is on its way any more. */
async function settled(page: Page, isThere: (text: string) => boolean): Promise<string> {
  let before = '';
  return eventually(
    'what is read',
    async () => {
      const [earlier, now] = [before, await readOf(page)];
      before = now;
      return { earlier, now };
    },
    ({ earlier, now }) => earlier === now && isThere(now),
  ).then(({ now }) => now);
}

/** Takes the page away, and makes another of what it saved. */
async function again(page: Page, panel: 'rounds' | 'context', sessions: ReturnType<typeof setUp>) {
  const text = await settled(page, (all) => all.length > 100);
  const saved = await page.evaluate<SavedPanel>('window.saved');
  const size = page.viewportSize();
  await page.close();
  const next = await open(panel, sessions.all, { saved });
  if (size) await next.setViewportSize(size);
  const lines = text.split('\n');
  await eventually(
    'the same page; what differs',
    async () => {
      const now = (await readOf(next)).split('\n');
      return [lines.filter((line) => !now.includes(line)), now.filter((line) => !lines.includes(line))];
    },
    ([gone, come]) => gone?.length === 0 && come?.length === 0,
  );
  assert.equal(await settled(next, () => true), text);
  return next;
}

test('rounds: the round, what it is compared with, what was unfolded and opened', async () => {
  const sessions = setUp();
  let page = await open('rounds', sessions.all);
  await page.getByRole('option', { name: /^round 9;/ }).click();
  await page.getByRole('combobox', { name: /compare/i }).focus();
  await page.getByRole('combobox', { name: /compare/i }).selectOption('1.7');
  await page
    .locator('.row.new')
    .getByRole('button', { name: /^show / })
    .first()
    .click();
  await page
    .locator('.row.new')
    .getByRole('button', { name: /show less/ })
    .waitFor();
  await page.locator('.fold').last().click();
  page = await again(page, 'rounds', sessions);
  assert.match(await readOf(page), /round 9[^]*against round 7/);
  assert.equal(await page.locator('.fold[aria-expanded=true]').count(), 1);
  await page
    .locator('.row')
    .getByRole('button', { name: /show less/ })
    .first()
    .waitFor();
  // And folded again it stays folded.
  await page.locator('.fold[aria-expanded=true]').click();
  page = await again(page, 'rounds', sessions);
  assert.equal(await page.locator('.fold[aria-expanded=true]').count(), 0);
  await page.close();
});

test('rounds: the view, the zoom, what is searched and filtered', async () => {
  const sessions = setUp();
  let page = await open('rounds', sessions.all);
  await page.setViewportSize({ width: 500, height: 800 });
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: /narrower/ }).click();
  await page.getByRole('textbox', { name: 'Find in all rounds' }).fill('report');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('combobox', { name: /role/i }).selectOption('tool');
  await settled(page, (all) => /places: \d/.test(all));
  const width = () =>
    page.locator('.cell.shown').evaluate((cell) => (cell as unknown as { offsetWidth: number }).offsetWidth);
  const before = await width();
  page = await again(page, 'rounds', sessions);
  assert.equal(await width(), before);
  await page.getByRole('button', { name: 'Wire' }).click();
  page = await again(page, 'rounds', sessions);
  assert.equal(await page.getByRole('button', { name: 'Wire' }).getAttribute('aria-pressed'), 'true');
  await page.close();
});

/** Pixels: of the panel as a whole, or of what scrolls in Rounds. */
const topOf = (page: Page, what: 'page' | 'wire') =>
  page.evaluate<number>(
    `(${what === 'page'} ? document.scrollingElement : document.querySelector('.scroll')).scrollTop`,
  );

/** Scrolls as a person does, and waits until it is saved. */
async function scrollOn(page: Page, what: 'page' | 'wire', over: string): Promise<number> {
  await page.locator(over).hover();
  await page.mouse.wheel(0, 400);
  return eventually(
    `${what} is scrolled, and that is saved`,
    async () => ({
      now: await topOf(page, what),
      saved: (await page.evaluate<SavedPanel>('window.saved')).scrolled?.[what],
    }),
    ({ now, saved }) => now > 100 && saved === now,
  ).then(({ now }) => now);
}

test('rounds: how far the bytes of a request were scrolled, until another round is shown', async () => {
  const sessions = setUp();
  let page = await open('rounds', sessions.all);
  await page.getByRole('button', { name: 'Wire' }).click();
  await page.locator('.wire-text').waitFor();
  const top = await scrollOn(page, 'wire', '.scroll');
  page = await again(page, 'rounds', sessions);
  await eventually(
    'scrolled as before',
    () => topOf(page, 'wire'),
    (now) => now === top,
  );
  await page.getByRole('option', { name: /^round 9;/ }).click();
  page = await again(page, 'rounds', sessions);
  await page.locator('.wire-text').waitFor();
  assert.equal(await topOf(page, 'wire'), 0);
  await page.close();
});

test('context: how far the panel was scrolled, also below an answer that comes late', async () => {
  const sessions = setUp();
  let page = await open('context', sessions.all);
  await page.setViewportSize({ width: 380, height: 400 });
  await page.getByRole('spinbutton', { name: 'limit' }).fill('4000');
  await page.locator('.chart-line').first().waitFor();
  const top = await scrollOn(page, 'page', 'h2 >> nth=0');
  page = await again(page, 'context', sessions);
  await eventually(
    'scrolled as before',
    () => topOf(page, 'page'),
    (now) => now === top,
  );
  await page.close();
});

test('context: the round, and the budget that is tried out with its answer', async () => {
  const sessions = setUp();
  let page = await open('context', sessions.all);
  await page.locator('.context-row').first().waitFor();
  await page.getByRole('spinbutton', { name: 'limit' }).fill('4000');
  await page.getByRole('textbox').last().fill('line 7919');
  await page.locator('.chart-line').first().waitFor();
  page = await again(page, 'context', sessions);
  assert.equal(await page.getByRole('spinbutton', { name: 'limit' }).inputValue(), '4000');
  await page.close();
});

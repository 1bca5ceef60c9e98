/** What can be done with a message and with a call at a pause: each by keyboard alone, and each says what it does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { JournalEvent } from '../../src/core/events.ts';
import { exampleJournal } from '../doubles/exampleJournal.ts';
import { eventually } from './harness/eventually.ts';
import { panelBrowser } from './harness/panelBrowser.ts';

const { openJournal } = panelBrowser();

/** The example, paused at the last checkpoint of which this is true. */
async function pausedAt(isThere: (event: JournalEvent) => boolean) {
  const events = exampleJournal();
  const at = events.findLastIndex((event) => event.type === 'checkpoint' && isThere(event));
  const paused: JournalEvent = { seq: at + 1, at: events[at]!.at, type: 'paused', reason: 'step', hits: [] };
  return openJournal('rounds', [...events.slice(0, at + 1), paused]);
}

const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.ariaLabel ?? document.activeElement.title ?? document.activeElement.textContent`,
  );

/** Goes on by Tab until what is named so has the focus, as the keyboard shows it. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab');
    seen.push(await focused(page));
    if (name.test(seen.at(-1) ?? '')) {
      assert.equal(await page.evaluate(`document.activeElement.matches(':focus-visible')`), true);
      return;
    }
  }
  assert.fail(`${name} is not reached; seen: ${seen.join(' | ')}`);
}

test('a message at plan: pinned, left out, edited, stopped at, found in the journal, by keyboard', async () => {
  const { page, sessions, ops } = await pausedAt(
    (event) => event.type === 'checkpoint' && event.kind === 'plan' && event.seq < 40,
  );
  await page.locator('[role=listitem][data-key=m4]').focus();
  for (const name of [
    /^Pin m4/,
    /^Leave m4 out/,
    /^Edit m4 for good/,
    /^Edit m4 for this request/,
    /m4.*(changes|leaves)/,
    /[Jj]ournal/,
  ]) {
    await page.locator('[role=listitem][data-key=m4]').focus();
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  }
  await eventually(
    'all of it',
    async () => [ops.length, sessions.opened.length, sessions.all.stopRules.list().length],
    (counts) => counts.join() === '2,3,1',
  );
  assert.deepEqual(
    ops.map(({ kind }) => kind),
    ['pin', 'drop'],
  );
  assert.deepEqual(
    sessions.opened.map((what) => what.kind),
    ['edit', 'edit', 'journal'],
  );
  assert.deepEqual(sessions.all.stopRules.list()[0]?.target, { kind: 'message', session: 's1', id: 'm4' });
  await page.close();
});

test('a call that waits: its tool opened and stopped at, skipped, by keyboard; where a message is from', async () => {
  const { page, sessions, ops } = await pausedAt(
    (event) => event.type === 'checkpoint' && event.key === '1.1.2',
  );
  await page.getByRole('listbox').focus();
  await tabTo(page, /^Open where m1|m1.*(from|file|comes)|^m1$/);
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').focus();
  await tabTo(page, /tool is defined|Open.*tool/i);
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').focus();
  await tabTo(page, /^Stop.*calculator/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Skip/ }).press('Enter');
  await eventually(
    'all of it',
    async () => [ops.length, sessions.opened.length, sessions.all.stopRules.list().length],
    (counts) => counts.join() === '1,2,1',
  );
  assert.deepEqual(ops, [{ kind: 'skip', target: '1.1.2' }]);
  assert.deepEqual(
    sessions.opened.map(({ kind }) => kind),
    ['origin', 'tool'],
  );
  await page.close();
});

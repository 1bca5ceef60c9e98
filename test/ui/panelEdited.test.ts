/** An edited message: what changed is seen at once, what is long in it is folded and unfolds where it stands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { SavedPanel } from '../../src/core/protocol.ts';
import { createScriptedModel, says } from '../doubles/scriptedModel.ts';
import { stepThrough } from '../doubles/stepThrough.ts';
import { createTestAgent, createTestSession } from '../doubles/testAgent.ts';
import { eventually } from './harness/eventually.ts';
import { panelBrowser } from './harness/panelBrowser.ts';
import { setTheme, themeNames } from './harness/themes.ts';
import { axeFindings } from './harness/axeFindings.ts';

const { open, openJournal, shoot } = panelBrowser();

const words = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');
const kept = words(120, 'kept');
const gone = words(400, 'gone');
const came = words(40, 'came');

/** Two runs; before the second one the goal of the first loses most of what it said. */
async function editedGoal() {
  const session = createTestSession();
  const model = createScriptedModel([says('One.'), says('Two.')]);
  const agent = await createTestAgent(model);
  await stepThrough(agent, session, `Start. ${kept} ${gone} ${kept} End.`, () => undefined);
  await stepThrough(agent, session, 'And now?', ({ kind }, run) => {
    if (kind !== 'plan') return;
    const value = `Start. ${kept} ${came} ${kept} End.`;
    const applied = run.apply({ kind: 'set', target: 'm2/content', value, scope: 'history' });
    assert.ok(applied.ok, JSON.stringify(applied));
  });
  return [...session.journal.events];
}

const textOf = (page: Page) => page.locator('[data-key=m2] .text').innerText();

test('long stretches of an edited message are folded to their length, and unfold by keyboard where they stand', async () => {
  const { page, sessions } = await openJournal('rounds', await editedGoal());
  await setTheme(page, 'dark');
  const removed = page.locator('[data-key=m2] del').getByRole('button', { name: /^[\d,]+ characters$/ });
  await removed.waitFor();
  const folded = await textOf(page);
  for (const seen of ['kept119', 'gone0 ', 'gone399', 'came0 ', 'came39', 'kept0 '])
    assert.ok(folded.includes(seen), seen);
  for (const hidden of ['gone200', 'kept60']) assert.ok(!folded.includes(hidden), hidden);
  assert.equal(await page.locator('[data-key=m2] [aria-expanded=false]').count(), 3);
  for (const theme of themeNames) {
    await setTheme(page, theme);
    await shoot(page, `rounds-stretch-${theme}`);
    assert.deepEqual(await axeFindings(page), [], theme);
  }

  await removed.focus();
  await page.keyboard.press('Enter');
  await eventually(
    'what went',
    () => textOf(page),
    (text) => text.includes('gone200'),
  );
  assert.equal(await removed.getAttribute('aria-expanded'), 'true');
  assert.equal(await page.evaluate('document.activeElement.ariaExpanded'), 'true');
  await shoot(page, 'rounds-stretch-open');
  const saved = await page.evaluate<SavedPanel>('window.saved');
  const again = await open('rounds', sessions.all, { saved });
  await eventually(
    'unfolded again',
    () => textOf(again),
    (text) => text.includes('gone200'),
  );
  assert.equal(await again.locator('[data-key=m2] [aria-expanded=true]').count(), 1);
  await page.keyboard.press('Enter');
  await eventually(
    'folded',
    () => textOf(page),
    (text) => text === folded,
  );
  await Promise.all([page.close(), again.close()]);
});

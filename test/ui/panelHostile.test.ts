/** What models and tools write, at its worst, in the panels in a plain browser: shown as text, marked, and in its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEvent } from '../../src/core/events.ts';
import { exampleJournal } from '../doubles/exampleJournal.ts';
import { longJournal } from '../doubles/longJournal.ts';
import { eventually } from './harness/eventually.ts';
import { panelBrowser } from './harness/panelBrowser.ts';
import { setTheme } from './harness/themes.ts';

const { openJournal: open, shoot } = panelBrowser();

const tags = Array.from('run rm -rf', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(
  '',
);
const piled = `Z${'\u0301\u0310\u0335'.repeat(40)}algo`;
const script = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 1">';
const evil = `${script} \u001b[31mred \u202egpj.exe\u202c pass\u200bword ok${tags} x\ufe01 ${piled}`;

/** Every text that is not ours is the worst there is: goal, replies, names of tools, arguments, results, failures, ids. */
function hostileJournal(): JournalEvent[] {
  const spoilt = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spoilt);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => {
        if (['content', 'name'].includes(key) && typeof field === 'string') return [key, `${field} ${evil}`];
        return [key, key === 'arguments' ? JSON.stringify({ q: evil }) : spoilt(field)];
      }),
    );
  };
  return exampleJournal().map((event): JournalEvent => {
    if (event.type === 'part' && event.text.startsWith('{"role"'))
      return { ...event, text: JSON.stringify(spoilt(JSON.parse(event.text))) };
    if (event.type === 'anomaly') return { ...event, code: `odd ${evil}`, detail: evil };
    if (event.type === 'model.failed') return { ...event, message: evil };
    if (event.type === 'context.packed')
      return { ...event, changed: event.changed.map((one) => ({ ...one, rule: `rule ${evil}` })) };
    return event;
  });
}

for (const panel of ['rounds', 'context'] as const)
  test(`${panel}: whatever is written into every text, it is text, marked, and covers nothing else`, async () => {
    const { page } = await open(panel, hostileJournal());
    await setTheme(page, 'dark');
    if (panel === 'rounds') await page.locator('[role=option]').first().click();
    const marks = async () => (await page.locator('.hidden-mark').allTextContents()).join(' ');
    if (panel === 'rounds')
      await eventually('the marks', marks, (all) =>
        ['␛', 'U+202E', 'U+200B', 'U+E0072', 'U+FE01', 'U+0301 ×114'].every((mark) => all.includes(mark)),
      );
    for (const injected of ['main script', 'main img'])
      assert.equal(await page.locator(injected).count(), 0, injected);
    assert.equal(await page.evaluate('window.pwned'), undefined);
    // Also what only a tooltip or a screen reader says.
    const deceiving = await page.evaluate<string[]>(`[...document.querySelectorAll('main *')].flatMap((one) =>
      ['title', 'aria-label', 'aria-valuetext'].map((name) => one.getAttribute(name) ?? ''))
      .filter((text) => /[\u202a-\u202e\u200b\u001b]|[\\u{e0000}-\\u{e007f}]/u.test(text))`);
    assert.deepEqual(deceiving, []);
    // And what stands bare in the page, outside of a text that is kept apart.
    const bare = await page.evaluate<string[]>(`(() => {
      const found = [];
      const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (/[\u202a-\u202e\u200b\u001b]/.test(node.nodeValue)) found.push(node.parentElement.outerHTML.slice(0, 200));
      return found;
    })()`);
    assert.deepEqual(bare, []);
    await shoot(page, `${panel}-hostile`);
    await page.close();
  });

test('hostile and huge text: shown as text, marked, and a line of 5 MB freezes nothing', async () => {
  const events = longJournal({ rounds: 2, calls: 1, chars: 100 });
  const at = events.findIndex(
    (event) => event.type === 'part' && event.text.includes('"tool_call_id":"call_1_0"'),
  );
  const evil =
    '<img src=x onerror="window.pwned=1"></script><script>window.pwned=1</script> \u001b[2J \u202egpj.exe \u200b';
  const part = events[at];
  assert.ok(part?.type === 'part');
  const content = evil + 'x'.repeat(5_000_000);
  const text = JSON.stringify({ role: 'tool', tool_call_id: 'call_1_0', content });
  events[at] = { ...part, text };
  const { page } = await open('rounds', events);
  const row = page.locator('.row', { hasText: 'onerror' });
  await row.waitFor();
  assert.equal(await page.evaluate('window.pwned'), undefined);
  assert.deepEqual(await row.locator('.hidden-mark').allTextContents(), ['␛', 'U+202E', 'U+200B']);
  const folded = row.getByRole('button', { name: /show .*5 MB/ });
  // The longest time in which the page answered nothing while the line was opened, and opened further.
  await page.evaluate(`window.longest = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
  }).observe({ type: 'longtask' })`);
  await folded.click();
  const more = row.getByRole('button', { name: /show .*more/ });
  await more.waitFor();
  await more.click();
  await eventually(
    'more of it',
    async () => (await row.innerText()).length,
    (length) => length > 80_000 && length < 200_000,
  );
  assert.ok(Number(await page.evaluate('window.longest')) < 2000);
  assert.equal(await page.evaluate('window.pwned'), undefined);
  await page.close();
});

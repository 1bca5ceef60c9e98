/**
 * Both panels in a plain browser, for what needs no VS Code around them: narrow places, 200 % zoom, forced colours, less
 * motion, hostile and huge texts, the keyboard, and what a screen reader is told.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { JournalEvent } from '../../src/core/events.ts';
import type { SavedPanel } from '../../src/core/protocol.ts';
import { exampleJournal } from '../doubles/exampleJournal.ts';
import { longJournal } from '../doubles/longJournal.ts';
import { createScriptedSessions } from '../doubles/panelSessions.ts';
import { writeRichJournal } from '../doubles/richJournal.ts';
import { eventually } from './harness/eventually.ts';
import { panelBrowser } from './harness/panelBrowser.ts';

const { open: openPanel, openJournal: open, shoot } = panelBrowser();

/** What sticks out sideways, by its class; boxes that scroll or clip by themselves are read to their end there. */
const cutOff = (page: Page) =>
  page.evaluate<{ page: number; wide: string[] }>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const wide = [...document.querySelectorAll('main *')].filter((element) => {
      if (element.closest('.sr-only, .cells, [aria-hidden="true"], select')) return false;
      return element.getBoundingClientRect().right > clientWidth + 1;
    });
    return { page: scrollWidth - clientWidth, wide: wide.slice(0, 5).map((one) => one.tagName + '.' + one.className) };
  })()`);

/** The example up to where its second call waits. */
const atCall = () => {
  const events = exampleJournal();
  const end = events.findIndex((event) => event.type === 'checkpoint' && event.key === '1.1.2');
  const paused: JournalEvent = {
    seq: end + 1,
    at: events[end]!.at,
    type: 'paused',
    reason: 'step',
    hits: [],
  };
  return [...events.slice(0, end + 1), paused];
};

for (const panel of ['rounds', 'context'] as const)
  test(`${panel}: nothing is cut at 220 pixels, nor at 200 % zoom`, async () => {
    for (const events of [exampleJournal(), atCall(), await writeRichJournal()]) {
      const { page } = await open(panel, events);
      for (const [name, width] of [
        ['wide', 900],
        ['zoomed', 450],
        ['narrow', 220],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await eventually(
          `${panel} at ${width}`,
          () => cutOff(page),
          ({ page: over, wide }) => over <= 0 && wide.length === 0,
        );
        await shoot(page, `${panel}-${name}`);
      }
      await page.close();
    }
  });

test('less motion: nothing turns or slides', async () => {
  const { page } = await open('rounds', exampleJournal());
  const moves = () =>
    page.evaluate<string>(`(() => {
      const icon = document.body.appendChild(document.createElement('span'));
      icon.className = 'codicon codicon-loading';
      const { animationName } = getComputedStyle(icon);
      icon.remove();
      return animationName;
    })()`);
  assert.equal(await moves(), 'turn');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.equal(await moves(), 'none');
  await page.close();
});

test('forced colours: what was told by a colour is told by a frame or a sign as well', async () => {
  const { page } = await open('rounds', exampleJournal());
  await page.emulateMedia({ forcedColors: 'active' });
  const signs = await page.evaluate<(string | null)[]>(
    `[...document.querySelectorAll('.virtual .sign')].map((one) => one.ariaLabel)`,
  );
  assert.ok(signs.length > 0 && signs.every((sign) => sign));
  await shoot(page, 'rounds-forced');
  await page.close();
});

test('by keyboard: from the lane to the rows, along them, to what can be done with one, and back', async () => {
  const { page, ops, sessions } = await open('rounds', atCall());
  const name = () =>
    page.evaluate<string>(`(() => {
      const { role, tagName, ariaLabel, textContent } = document.activeElement;
      return (role ?? tagName) + ' ' + (ariaLabel ?? textContent.slice(0, 40));
    })()`);
  await page.getByRole('listbox').focus();
  const seen = new Set<string>();
  for (let step = 0; step < 60 && !(await name()).startsWith('listitem'); step++) {
    seen.add(await name());
    assert.equal(await page.evaluate(`document.activeElement.matches(':focus-visible')`), true);
    await page.keyboard.press('Tab');
  }
  assert.match(await name(), /^listitem /);
  for (const control of ['History', 'As sent', 'Wire', 'Find in all rounds', 'Filter'])
    assert.ok(
      [...seen].some((one) => one.includes(control)),
      control,
    );
  await page.keyboard.press('End');
  await eventually(
    'the last row',
    () =>
      page.evaluate<boolean>(
        `[...document.querySelectorAll('[role=listitem]')].at(-1) === document.activeElement`,
      ),
    (isThere) => isThere,
  );
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.locator('[role=listitem]:focus .actions button').first().waitFor();
  // The call that waits: answered for its tool, by keyboard alone.
  await page.getByRole('button', { name: 'Answer for the tool…' }).press('Enter');
  await page.keyboard.type('{"done": true}');
  await page.keyboard.press('Escape');
  await eventually(
    'the button that asked has the focus again',
    name,
    (one) => one === 'BUTTON Answer for the tool…',
  );
  await page.keyboard.press('Enter');
  await page.keyboard.type('[7]');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Run this call/ }).press('Enter');
  await eventually(
    'what was said',
    async () => [ops, sessions.gone],
    ([said, gone]) => said?.length === 1 && gone?.length === 1,
  );
  assert.deepEqual(ops, [{ kind: 'mock', target: '1.1.2', data: [7] }]);
  await page.close();
});

test('at plan: a message is pinned in the one panel, and left out of the request in the other', async () => {
  const events = exampleJournal();
  const plans = events.flatMap((event, at) =>
    event.type === 'checkpoint' && event.kind === 'plan' ? [at] : [],
  );
  const until = events.slice(0, (plans[1] ?? 0) + 1);
  const paused: JournalEvent = { seq: until.length, at: 0, type: 'paused', reason: 'step', hits: [] };
  const said = [];
  for (const [panel, action] of [
    ['rounds', 'Pin m4'],
    ['context', 'Leave m4 out of this request'],
  ] as const) {
    const { page, ops } = await open(panel, [...until, paused]);
    await page.locator('[role=listitem][data-key=m4]').hover();
    await page.getByRole('button', { name: action }).click();
    await eventually(
      action,
      async () => ops.length,
      (count) => count === 1,
    );
    said.push(...ops);
    await page.close();
  }
  assert.deepEqual(said, [
    { kind: 'pin', target: 'm4' },
    { kind: 'drop', target: 'm4' },
  ]);
});

test('a screen reader is told of stops and ends, and not of every token', async () => {
  const { page, write, stream } = await open('rounds', exampleJournal().slice(0, 20));
  const live = () =>
    page.evaluate<string>(
      `[...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map((one) => one.textContent).join(' | ')`,
    );
  const quiet = await live();
  stream('one two three');
  await eventually(
    'the streamed text, and the regions as they were',
    async () => [await page.locator('main').innerText(), await live()],
    ([, now]) => now === quiet,
  );
  write(...exampleJournal().slice(20));
  await eventually('the end', live, (now) => now !== quiet && /done|answered/i.test(now));
  await page.close();
});

test('by keyboard beyond the last round: at a pause Enter runs to one that has not begun', async () => {
  const { page, sessions } = await open('rounds', atCall());
  const lane = page.getByRole('listbox');
  const active = () => lane.getAttribute('aria-activedescendant');
  await lane.focus();
  await page.keyboard.press('End');
  const last = await eventually('the last round', active);
  const newest = Number(last?.split('-').at(-1));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await eventually('the second round ahead', active, (id) => id === 'ahead-2');
  const option = page.locator('#ahead-2');
  assert.equal(await option.getAttribute('aria-label'), `Round ${newest + 2}, not begun. Enter runs to it.`);
  const menu = JSON.parse((await lane.getAttribute('data-vscode-context')) ?? '') as object;
  assert.deepEqual(
    { ...menu, preventDefaultContextMenuItems: 0 },
    {
      webviewSection: 'ahead',
      session: 's1',
      round: newest + 2,
      preventDefaultContextMenuItems: 0,
    },
  );
  await shoot(page, 'rounds-ahead');
  await page.keyboard.press('Enter');
  await eventually(
    'the run to it',
    async () => sessions.gone,
    (gone) => gone.length === 1,
  );
  assert.deepEqual(sessions.gone, [newest + 2]);
  await eventually('back in the lane', active, (id) => id === last);
  await page.keyboard.press('ArrowRight');
  await eventually('the first round ahead', active, (id) => id === 'ahead-1');
  await page.keyboard.press('ArrowLeft');
  await eventually('the last round again', active, (id) => id === last);
  await page.close();
});

test('at plan a message is edited for good or for this request only', async () => {
  const events = exampleJournal();
  const plans = events.flatMap((event, at) =>
    event.type === 'checkpoint' && event.kind === 'plan' ? [at] : [],
  );
  const until = events.slice(0, (plans[1] ?? 0) + 1);
  const paused: JournalEvent = { seq: until.length, at: 0, type: 'paused', reason: 'step', hits: [] };
  const { page, sessions } = await open('rounds', [...until, paused]);
  await page.locator('[role=listitem][data-key=m4]').hover();
  await page.getByRole('button', { name: 'Edit m4 for this request only' }).click();
  await page.getByRole('button', { name: 'Edit m4 for good' }).click();
  await eventually(
    'both',
    async () => sessions.opened.length,
    (count) => count === 2,
  );
  assert.deepEqual(sessions.opened, [
    { kind: 'edit', target: 'm4/content', scope: 'request' },
    { kind: 'edit', target: 'm4/content', scope: 'history' },
  ]);
  await page.close();
});

test('of a file, which never runs, nothing is offered that would stop it', async () => {
  for (const panel of ['rounds', 'context'] as const) {
    const { page, session } = await open(panel, panel === 'rounds' ? atCall() : exampleJournal());
    const offers = () => page.getByRole('button', { name: /^(Stop|Break)/ }).count();
    await page.locator('[role=listitem]').last().hover();
    await eventually(`what ${panel} offers for a run`, offers, (count) => count > 0);
    if (panel === 'rounds') assert.ok((await page.locator('.cell.ahead').count()) > 0);
    await page.close();

    Object.assign(session, { isFile: true, live: false });
    const file = await openPanel(panel, createScriptedSessions(session).all);
    await file.locator('[role=listitem]').last().hover();
    const there = panel === 'rounds' ? '.actions button' : '.truncations li';
    await file.locator(there).first().waitFor();
    assert.equal(await file.getByRole('button', { name: /^(Stop|Break)/ }).count(), 0);
    assert.equal(await file.locator('.cell.ahead').count(), 0);
    await file.close();
  }
});

test('a page that is made anew is scrolled to the message that it was left at', async () => {
  const { page, sessions } = await open('rounds', longJournal({ rounds: 40, calls: 1, chars: 300 }));
  const top = (one: Page) =>
    one.evaluate<string>(`(() => {
      const scroll = document.querySelector('.scroll');
      const edge = scroll?.getBoundingClientRect().top;
      const first = [...(scroll?.querySelectorAll('[data-key]') ?? [])].find((row) => row.getBoundingClientRect().bottom > edge);
      return first === undefined ? '' : first.dataset.key + ' ' + Math.round(edge - first.getBoundingClientRect().top);
    })()`);
  await page.getByRole('button', { name: 'History' }).click();
  await page.locator('.scroll').hover();
  await page.mouse.wheel(0, 1503);
  const saved = await eventually(
    'the place',
    () => page.evaluate<SavedPanel>('window.saved'),
    ({ place }) => place !== undefined,
  );
  // What is seen, and not a place on its way there.
  const place = await eventually(
    'the place of what is seen',
    () => top(page),
    (seen) => seen.startsWith(`${saved.place?.key} `),
  );
  const settled = await page.evaluate<SavedPanel>('window.saved');
  await page.close();
  const again = await openPanel('rounds', sessions.all, { saved: settled });
  await eventually(
    'the same place',
    () => top(again),
    (seen) => seen === place,
  );
  await again.close();
});

test('looked back at, a run stands before its call, and nobody is asked', async () => {
  const events = exampleJournal();
  const { page, lookBack } = await open('rounds', events);
  // Written before it stopped there.
  lookBack(events.findIndex((event) => event.type === 'checkpoint' && event.key === '1.1.1') + 1);
  await eventually(
    'the calls as they were',
    () => page.locator('.call-state').allTextContents(),
    (states) => states.join() === 'waiting,waiting its turn',
  );
  await page.close();
});

test('a budget under which the goal of an earlier run would leave says so', async () => {
  const { page } = await open('context', exampleJournal());
  const text = () => page.locator('.what-if').innerText();
  for (const limit of [400, 300, 250, 200]) {
    await page.getByRole('spinbutton', { name: 'limit' }).fill(String(limit));
    await eventually('an answer', text, (all) => /Stop There|Use in the Agent File/.test(all));
  }
  await eventually('the goal', text, (all) =>
    /The goal of run 1 \(m\d+\) is no longer sent from run 2/.test(all),
  );
  await page.close();
});

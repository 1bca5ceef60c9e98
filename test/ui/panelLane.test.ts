/** The lane of a long run from afar: what a round spent, the limit, what is marked and found is read in all themes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { longJournal } from '../doubles/longJournal.ts';
import { createScriptedSession, createScriptedSessions } from '../doubles/panelSessions.ts';
import { eventually } from './harness/eventually.ts';
import { panelBrowser } from './harness/panelBrowser.ts';
import { setTheme, themeNames } from './harness/themes.ts';

const { open, shoot } = panelBrowser();

/** What WCAG 1.4.11 asks of what is no text and has a meaning. */
const least = 3;

/** Fractions of an element's box, from its left and its top. */
type Point = readonly [selector: string, x: number, y: number];

/** The contrast of what is painted at each pair of places, by its name. */
async function contrasts(page: Page, pairs: Readonly<Record<string, readonly [Point, Point]>>) {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate<Record<string, number>>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${picture}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const luminance = ([selector, x, y]) => {
      const box = document.querySelector(selector).getBoundingClientRect();
      const place = [Math.floor(box.left + box.width * x), Math.floor(box.top + box.height * y)];
      const [red, green, blue] = [...context.getImageData(...place, 1, 1).data].map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    return Object.fromEntries(Object.entries(${JSON.stringify(pairs)}).map(([name, [one, other]]) => {
      const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
      return [name, Math.round((light / dark) * 100) / 100];
    }));
  })()`);
}

/** The middle of something, and the empty place at the top of the same cell. */
const inCell = (cell: string, what: string): readonly [Point, Point] => [
  [`${cell} ${what}`, 0.5, 0.5],
  [`${cell} .bar-space`, 0.5, 0.02],
];

test('far away, 500 rounds: bars, the limit, marks, and what is found, in four themes', async () => {
  const scripted = createScriptedSession('s1');
  scripted.write(...longJournal({ rounds: 500, calls: 3, chars: 400, window: 300, limit: 8000 }));
  const { all } = createScriptedSessions(scripted.session);
  const page = await open('rounds', all, {
    saved: { session: 's1', selection: { run: 1, round: 480 }, looks: { zoom: 2 } },
  });
  await page.locator('.cell.tiny').first().waitFor();
  for (const theme of themeNames) {
    await setTheme(page, theme);
    await shoot(page, `rounds-lane-${theme}`);
    const plain = await contrasts(page, {
      bar: inCell('#cell-1-470', '.bar'),
      'bar of the chosen round': inCell('#cell-1-480', '.bar'),
      mark: inCell('#cell-1-470', '.mark'),
      limit: [
        ['#cell-1-470 .limit', 0.5, 0],
        ['#cell-1-470 .bar-space', 0.5, 0.02],
      ],
      'limit between the cells': [
        ['#cell-1-470 .limit', 0.95, 0],
        ['#cell-1-470 .bar-space', 0.5, 0.02],
      ],
    });
    for (const [what, ratio] of Object.entries(plain))
      assert.ok(ratio >= least, `${theme}: ${what} ${ratio}`);
  }
  await page.getByRole('textbox', { name: 'Find in all rounds' }).fill('line 11');
  await eventually(
    'what is found and what is not',
    async () => [await page.locator('.cell.found').count(), await page.locator('.cell.not-found').count()],
    ([found = 0, others = 0]) => found > 0 && others > 0,
  );
  // In the middle of what is drawn, which is more than what is seen.
  const numberOf = async (selector: string) => {
    const cells = page.locator(selector);
    return `#${await cells.nth(Math.floor((await cells.count()) / 2)).getAttribute('id')}`;
  };
  const [found, other] = [await numberOf('.cell.found'), await numberOf('.cell.not-found')];
  for (const theme of themeNames) {
    await setTheme(page, theme);
    await shoot(page, `rounds-lane-found-${theme}`);
    const searched = await contrasts(page, {
      'bar of a round without it': inCell(other, '.bar'),
      'mark of a round without it': inCell(other, '.mark'),
      'what tells a round with it': [
        [found, 0.5, 0.985],
        [other, 0.5, 0.985],
      ],
    });
    for (const [what, ratio] of Object.entries(searched))
      assert.ok(ratio >= least, `${theme}: ${what} ${ratio}`);
  }
  await page.close();
});

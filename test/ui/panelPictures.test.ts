/**
 * Both panels in a plain browser in the colours of VS Code's four themes, in the states in which people meet them, each
 * as a picture to be looked at, and with what axe finds in it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { JournalEvent } from '../../src/core/events.ts';
import type { SavedPanel } from '../../src/core/protocol.ts';
import { oddJournals } from '../doubles/oddJournals.ts';
import { longJournal } from '../doubles/longJournal.ts';
import type { PageOptions } from '../doubles/panelPage.ts';
import { createScriptedSession, createScriptedSessions } from '../doubles/panelSessions.ts';
import { chineseWords } from '../doubles/panelTexts.ts';
import { axeFindings } from './harness/axeFindings.ts';
import { panelBrowser } from './harness/panelBrowser.ts';
import { setTheme, themeNames } from './harness/themes.ts';

const { open, shoot } = panelBrowser();

type Scripted = ReturnType<typeof createScriptedSession>;

interface Scene {
  readonly events: readonly JournalEvent[];
  /** What comes after the panel is there. */
  readonly then?: (scripted: Scripted, page: Page) => unknown;
  readonly looks?: Partial<NonNullable<SavedPanel['looks']>>;
  readonly selection?: SavedPanel['selection'];
  readonly options?: PageOptions;
  /** Pixels of each panel; 900 and 380 without it. */
  readonly width?: number;
}

/** A journal up to an event of a kind, and a pause there. */
function pausedAt(
  events: readonly JournalEvent[],
  isThere: (event: JournalEvent) => boolean,
): readonly JournalEvent[] {
  const at = events.findLastIndex(isThere);
  assert.ok(at > 0);
  const paused: JournalEvent = { seq: at + 1, at: events[at]!.at, type: 'paused', reason: 'step', hits: [] };
  return [...events.slice(0, at + 1), paused];
}

async function scenes(): Promise<Readonly<Record<string, Scene>>> {
  const { example = [], restored = [], summaries = [], foreign = [] } = await oddJournals();
  const long = longJournal({ rounds: 500, calls: 3, chars: 400, window: 300, limit: 8000 });
  const atCall = pausedAt(example, (event) => event.type === 'checkpoint' && event.key === '1.1.2');
  const atPlan = pausedAt(restored, (event) => event.type === 'checkpoint' && event.kind === 'plan');
  const arriving = example.findLastIndex(({ type }) => type === 'model.requested') + 1;
  return {
    pause: { events: atCall },
    plan: { events: atPlan },
    edited: { events: restored, selection: { run: 1, round: 3 } },
    summary: { events: summaries },
    foreign: { events: foreign, selection: { run: 1, round: 3 } },
    past: { events: example, then: ({ lookBack }) => lookBack(arriving) },
    streaming: {
      events: example.slice(0, arriving),
      then: async ({ stream }, page) => {
        stream('Both results are in: 65 minutes in all, and the mail is on the list. ');
        stream('So the report comes first, then ');
        await page.getByText('then').or(page.locator('.context-row')).first().waitFor();
      },
    },
    long: { events: long },
    far: { events: long, looks: { zoom: 2, find: 'line 11' } },
    wire: { events: example, looks: { view: 'wire' } },
    history: { events: example, looks: { view: 'history' } },
    narrow: { events: atCall, width: 220 },
    chinese: { events: atCall, options: { words: await chineseWords(), language: 'zh-cn' } },
  };
}

for (const [name, scene] of Object.entries(await scenes()))
  for (const panel of ['rounds', 'context'] as const)
    test(`${panel}: ${name}, in four themes`, async () => {
      const { events, then, looks = {}, selection = null, options = {}, width } = scene;
      const scripted = createScriptedSession('s1');
      scripted.write(...events);
      const sessions = createScriptedSessions(scripted.session);
      const saved = { session: 's1', selection, looks };
      const page = await open(panel, sessions.all, { saved, ...options });
      if (width !== undefined) await page.setViewportSize({ width, height: 800 });
      await page.locator('main').waitFor();
      await then?.(scripted, page);
      for (const theme of themeNames) {
        await setTheme(page, theme);
        await page.evaluate(
          'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
        );
        await shoot(page, `${panel}-${name}-${theme}`);
        assert.deepEqual(await axeFindings(page), [], theme);
      }
      await page.close();
    });

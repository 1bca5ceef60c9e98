import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { JournalEvent } from '../../../src/core/events.ts';
import type { PanelSessions } from '../../../src/entry/vscode/panelChannel.ts';
import { openPanelPage, type PageOptions } from '../../doubles/panelPage.ts';
import { createScriptedSession, createScriptedSessions } from '../../doubles/panelSessions.ts';
import { launchBrowser } from '../../hosts/launchBrowser.mjs';

const pictures = resolve(import.meta.dirname, '../../../out/pictures');

export type Panel = 'rounds' | 'context';

/** A browser without VS Code for the panels of a test file: started before its tests, closed behind them. */
export function panelBrowser() {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
    await mkdir(pictures, { recursive: true });
  });
  after(() => browser.close());

  /** What a page throws fails the test. */
  async function open(panel: Panel, sessions: PanelSessions, options: PageOptions = {}): Promise<Page> {
    const page = await openPanelPage(browser, panel, sessions, options);
    page.on('pageerror', (error) => assert.fail(error));
    return page;
  }

  return {
    open,
    /** With one session of these events, when its first row is there. */
    openJournal: async (panel: Panel, events: readonly JournalEvent[]) => {
      const scripted = createScriptedSession('s1');
      scripted.write(...events);
      const sessions = createScriptedSessions(scripted.session);
      const page = await open(panel, sessions.all);
      await page
        .locator(panel === 'rounds' ? '.row' : '.context-row')
        .first()
        .waitFor();
      return { page, sessions, ...scripted };
    },
    /** Saves out/pictures/page-NAME.png. */
    shoot: (page: Page, name: string) => page.screenshot({ path: join(pictures, `page-${name}.png`) }),
  };
}

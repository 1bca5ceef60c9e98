import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import type { PageElement } from './pageElement.ts';

export interface Notifications {
  /** Opens the list of notifications; its buttons can be pressed in it. */
  openNotifications(): Promise<Locator>;
  /** The messages of all notifications that were not dismissed, newest first. */
  notifications(): Promise<string[]>;
}

/** With the smoke-test driver VS Code shows no toasts (it would hide what tests click), so the list is what counts. */
export function createNotifications(page: Page): Notifications {
  const center = page.locator('.notifications-center');
  const bell = page.locator('[id="status.notifications"]');

  /** The bell toggles the list, and is made anew with each notification: a press on it may come to nothing. */
  async function show(state: 'visible' | 'hidden'): Promise<void> {
    await eventually(`the list of notifications ${state}`, async () => {
      if ((await center.isVisible()) === (state === 'visible')) return true;
      await bell.click({ timeout: 2000 }).catch(() => undefined);
      return center.waitFor({ state, timeout: 2000 }).then(
        () => true,
        () => false,
      );
    });
  }

  async function openNotifications(): Promise<Locator> {
    await show('visible');
    // The bell's own hover would come to lie over the buttons.
    await page.mouse.move(0, 0);
    return center;
  }

  return {
    openNotifications,
    async notifications() {
      await openNotifications();
      const messages = await center
        .locator('.notification-list-item-message')
        .evaluateAll((all: PageElement[]) => all.map((item) => item.textContent?.trim() ?? ''));
      await show('hidden');
      return messages;
    },
  };
}

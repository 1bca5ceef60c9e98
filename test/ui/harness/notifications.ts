import type { Locator, Page } from 'playwright-core';
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

  async function openNotifications(): Promise<Locator> {
    if (!(await center.isVisible())) await bell.click();
    await center.waitFor();
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
      await bell.click();
      await center.waitFor({ state: 'hidden' });
      return messages;
    },
  };
}

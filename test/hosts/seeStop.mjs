// @ts-check
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { launchBrowser } from './launchBrowser.mjs';
import { onInterrupt } from './processTree.mjs';

/**
 * Opens a workbench in a headless browser, waits until its debug session is stopped, and returns the label of
 * the top stack frame. Keeps a picture of what was there in the end, however it ended.
 * @param {string} url
 * @param {string} picture
 */
export async function seeStop(url, picture) {
  await ensureBrowser();
  await mkdir(dirname(picture), { recursive: true });
  const browser = await launchBrowser();
  const settled = onInterrupt(() => browser.close());
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(60_000);
    try {
      await page.goto(url);
      await page.locator('.debug-toolbar .codicon-debug-continue:not(.disabled)').waitFor();
      const callStack = page.locator('.debug-call-stack');
      if (!(await callStack.isVisible())) await page.keyboard.press('ControlOrMeta+Shift+D');
      const frame = callStack.locator('.stack-frame .label').first();
      return (await frame.textContent()) ?? '';
    } finally {
      await page.screenshot({ path: picture });
    }
  } finally {
    settled();
    await browser.close();
  }
}

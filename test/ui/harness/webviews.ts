import type { Frame, Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import type { PageElement } from './pageElement.ts';

/**
 * The document of a webview, by its title (a panel's tab, a view's name). VS Code nests it in two iframes:
 * `iframe.webview` holds VS Code's own page, and in that `iframe#active-frame` the extension's.
 */
export async function webviewFrame(page: Page, title: string): Promise<Frame> {
  const found = await eventually(
    `a webview "${title}" (there are: …)`,
    () => find(page, title),
    (frame) => frame !== undefined,
  );
  return found as Frame;
}

async function find(page: Page, title: string): Promise<Frame | undefined> {
  for (const frame of page.frames()) {
    if (frame.parentFrame() === null || frame.isDetached()) continue;
    // A frame may go while it is looked at; the next look sees what took its place.
    const is = await frame
      .frameElement()
      .then((element) =>
        element.evaluate(
          (node: PageElement, wanted) => node.id === 'active-frame' && node.getAttribute('title') === wanted,
          title,
        ),
      )
      .catch(() => false);
    if (is) return frame;
  }
  return undefined;
}

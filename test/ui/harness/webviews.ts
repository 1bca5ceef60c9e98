import type { Frame, Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import type { PageElement } from './pageElement.ts';

/**
 * The document of a webview, by its title (a panel's tab, a view's name). VS Code nests it in two iframes:
 * `iframe.webview` holds VS Code's own page, and in that `iframe#active-frame` the extension's.
 */
export async function webviewFrame(page: Page, title: string): Promise<Frame> {
  let frame: Frame | undefined;
  await eventually(
    `a webview "${title}" among those there are`,
    async () => {
      const all = await webviews(page);
      frame = all.get(title);
      return [...all.keys()];
    },
    () => frame !== undefined,
  );
  return frame as Frame;
}

/** The titles of those that have a document now. */
export async function webviewTitles(page: Page): Promise<string[]> {
  return [...(await webviews(page)).keys()];
}

/** All that have a document now, by title. */
async function webviews(page: Page): Promise<ReadonlyMap<string, Frame>> {
  const found = new Map<string, Frame>();
  for (const frame of page.frames()) {
    if (frame.parentFrame() === null || frame.isDetached()) continue;
    // A frame may go while it is looked at; the next look sees what took its place.
    const title = await frame
      .frameElement()
      .then((element) =>
        element.evaluate((node: PageElement) =>
          node.id === 'active-frame' ? node.getAttribute('title') : null,
        ),
      )
      .catch(() => null);
    if (title !== null) found.set(title, frame);
  }
  return found;
}

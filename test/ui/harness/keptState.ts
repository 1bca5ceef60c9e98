import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/**
 * Waits until VS Code has kept something of how the window looks, by a part of what it writes down (JSON in JSON, here
 * without its backslashes). In a browser a window that closes has no time for that: it is done each minute, and
 * whenever the window loses the focus, which is what this has it believe.
 */
export async function whenKept(page: Page, what: string, wanted: RegExp): Promise<void> {
  await eventually(
    `${what} kept for the next start`,
    async () => {
      await page.evaluate(loseFocus);
      return page.evaluate<string[]>(readKept);
    },
    (all) => all.some((text) => wanted.test(text.replace(/\\+/g, ''))),
  ).catch((error: Error) => {
    // What is kept is long.
    throw new Error(`${error.message.slice(0, 200)} …`);
  });
}

const loseFocus = `
  for (const hasFocus of [true, false, true]) {
    document.hasFocus = () => hasFocus;
    document.dispatchEvent(new Event('visibilitychange'));
  }
  delete document.hasFocus;
`;

/** All that VS Code's databases of state hold. */
const readKept = `(async () => {
  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const texts = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await answer(indexedDB.open(name));
    if (database.objectStoreNames.contains('ItemTable'))
      texts.push(...await answer(database.transaction('ItemTable').objectStore('ItemTable').getAll()));
    database.close();
  }
  return texts.map(String);
})()`;

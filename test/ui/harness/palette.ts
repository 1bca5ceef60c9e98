import type { Locator, Page } from 'playwright-core';
import { ATTEMPT_MS, eventually } from './eventually.ts';
import type { PageElement } from './pageElement.ts';

const SHORT = { timeout: ATTEMPT_MS } as const;

export interface Palette {
  /** Opens the Command Palette (text starts with `>`) or quick open with this text and leaves it open. */
  openPalette(text: string): Promise<void>;
  /** Runs a command by its title as the palette shows it ("Loopscope: Show Rounds"), through the real palette. */
  runCommand(title: string): Promise<void>;
  /** Opens a file of the workspace by its name, as quick open lists it. */
  openFile(name: string): Promise<void>;
  /** The labels of the quick pick or palette that is open. */
  quickPickLabels(): Promise<string[]>;
  /** Picks the entry whose label starts so, in the quick pick that is open. */
  quickPick(label: string): Promise<void>;
  /** Types into the quick input that is open (a quick pick or an input box); Enter accepts. */
  quickInput(text: string, accept?: 'Enter'): Promise<void>;
}

export function createPalette(page: Page): Palette {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  const rows = page.locator('.quick-input-widget .quick-input-list .monaco-list-row');

  async function openPalette(text: string, within: { readonly timeout?: number } = {}): Promise<void> {
    await page.keyboard.press('F1');
    await input.waitFor(within);
    await input.fill(text, within);
  }

  /** What takes the focus meanwhile (an editor that opens at a stop) closes it: it has to be opened again. */
  async function openToStay(text: string): Promise<void> {
    await eventually(`quick open with "${text}"`, async () => {
      if (
        await openPalette(text, SHORT).then(
          () => true,
          () => false,
        )
      )
        return true;
      await page.keyboard.press('Escape');
      return false;
    });
  }

  async function openFile(name: string): Promise<void> {
    // Quick open asked before VS Code can search files finds none, and does not ask again by itself.
    const row = await eventually(`${name} in quick open`, async () => {
      await openPalette(name);
      const found = rows.filter({ hasText: name }).first();
      if (await appears(found)) return found;
      await page.keyboard.press('Escape');
      return undefined;
    });
    await row?.click();
    const tab = page.locator('.editor-group-container.active .tab.active', { hasText: name });
    await tab.waitFor();
  }

  async function runCommand(title: string): Promise<void> {
    // A palette opened before the extensions were scanned never gets their commands, and what takes the focus meanwhile
    // (an editor that opens) closes it: it has to be opened again.
    await eventually(`the command "${title}" in the palette`, async () => {
      const attempt = async () => {
        await openPalette(`>${title}`, SHORT);
        await labelled(title).click(SHORT);
        return true;
      };
      if (await attempt().catch(() => false)) return true;
      await page.keyboard.press('Escape');
      return false;
    });
  }

  /** The label, or the label with what VS Code appends to it (keys, "recently used"). */
  function labelled(label: string): Locator {
    const start = new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(,|$)`);
    return rows.and(page.getByLabel(start)).first();
  }

  return {
    openPalette: openToStay,
    openFile,
    runCommand,
    async quickPickLabels() {
      await rows.first().waitFor();
      return rows.evaluateAll((all: PageElement[]) => all.map((row) => row.getAttribute('aria-label') ?? ''));
    },
    async quickPick(label) {
      await rows.filter({ hasText: label }).first().click();
    },
    async quickInput(text, accept) {
      await input.waitFor();
      await input.fill(text);
      if (accept !== undefined) await page.keyboard.press(accept);
    },
  };
}

async function appears(locator: Locator): Promise<boolean> {
  return locator.waitFor({ timeout: 1500 }).then(
    () => true,
    () => false,
  );
}

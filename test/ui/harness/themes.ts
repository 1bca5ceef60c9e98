import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';

export const themeNames = ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const;
export type ThemeName = (typeof themeNames)[number];

const file = fileURLToPath(new URL('../../fixtures/themes.json', import.meta.url));
const styles = ['panel', 'rounds', 'context'].map((name) =>
  fileURLToPath(new URL(`../../../media/${name}.css`, import.meta.url)),
);

type Themes = Partial<Record<ThemeName, Readonly<Record<string, string>>>>;

/** What VS Code's themes say of what our style sheets ask for, as VS Code hands it to a webview. */
export function themes(): Themes {
  return JSON.parse(readFileSync(file, 'utf8')) as Themes;
}

/**
 * Holds what a plain page takes for a theme against what VS Code gives to a webview; `UPDATE_GOLDEN=1` takes it over.
 * With them pages have VS Code's colours without VS Code.
 */
export async function assertTheme(frame: Frame, name: ThemeName): Promise<void> {
  const used = styles.flatMap((one) => readFileSync(one, 'utf8').match(/--vscode-[\w-]+/g) ?? []);
  const names = [...new Set([...used, '--vscode-editor-font-size', '--vscode-font-weight'])].toSorted();
  const found = await frame.evaluate<Record<string, string>>(
    `Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, document.documentElement.style.getPropertyValue(name).trim()]).filter(([, value]) => value !== ''))`,
  );
  if (process.env['UPDATE_GOLDEN'] === '1') {
    const sorted = Object.fromEntries(
      themeNames.flatMap((one) => {
        const own = one === name ? found : themes()[one];
        return own ? [[one, own]] : [];
      }),
    );
    writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
  }
  assert.deepEqual(found, themes()[name]);
}

/** Gives a plain page the colours of a theme. */
export async function setTheme(page: Page, name: ThemeName): Promise<void> {
  const variables = Object.entries(themes()[name] ?? {}).map(([key, value]) => `${key}: ${value}`);
  await page.evaluate(
    `document.documentElement.style.cssText = ${JSON.stringify(variables.join('; '))};
    document.body.className = ${JSON.stringify(`vscode-${name}`)};`,
  );
}

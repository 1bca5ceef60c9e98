import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { NEWEST, type Version } from '../../hosts/versions.mjs';

const PICTURES = resolve(import.meta.dirname, '..', '..', '..', 'out', 'pictures');

/** Saves out/pictures/NAME.png, from an older VS Code NAME@VERSION.png. Pictures are looked at, never compared. */
export async function savePicture(page: Page, version: Version, name: string): Promise<string> {
  await mkdir(PICTURES, { recursive: true });
  const path = join(PICTURES, `${name}${version === NEWEST ? '' : `@${version}`}.png`);
  // The pointer stays where it clicked last and would show a hover there.
  await page.mouse.move(0, 0);
  // Two frames: what was laid out in the first is painted in the second.
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  return path;
}

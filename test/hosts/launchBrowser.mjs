// @ts-check
/** Headless Chromium for a workbench of VS Code's server. */
import { chromium } from 'playwright-core';
import { findBrowser } from './browser.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Containers give /dev/shm 64 MB, which a workbench fills.
  '--disable-dev-shm-usage',
];

/** @returns {Promise<import('playwright-core').Browser>} */
export function launchBrowser() {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error('No Chromium or Chrome: run node test/hosts/browser.mjs first.');
  // Interrupts are ours to handle: the server has to go as well.
  return chromium.launch({
    executablePath,
    args: FLAGS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

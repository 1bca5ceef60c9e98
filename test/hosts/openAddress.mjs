// @ts-check
import { spawn } from 'node:child_process';
import { canShowWindows } from './desktopVSCode.mjs';

/** Opens an address in the user's browser where there is one to see; it is printed in any case. @param {string} url */
export function openAddress(url) {
  if (!canShowWindows()) return;
  const [command, args] = opener(url);
  const child = spawn(command, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true });
  child.on('error', () => {});
  child.unref();
}

/** @param {string} url @returns {[string, string[]]} */
function opener(url) {
  if (process.platform === 'darwin') return ['open', [url]];
  // `start` takes the first quoted argument as a title.
  if (process.platform === 'win32') return ['cmd', ['/c', 'start', '""', `"${url}"`]];
  return ['xdg-open', [url]];
}

// @ts-check
/** Reads what of desktop VS Code's command line has a meaning for its server build in a browser. */
import { resolve } from 'node:path';

/**
 * @typedef {object} DesktopArguments
 * @property {string[]} extensions
 * @property {string} [tests]
 * @property {string} [folder] a folder or a `.code-workspace` file
 * @property {string} [userDataDir]
 * @property {string} [extensionsDir]
 * @property {string[]} install files for `--install-extension`
 * @property {boolean} disableExtensions
 * @property {boolean} trust
 * @property {boolean} version
 */

/** Options whose value may follow as the next argument. */
const VALUED = new Set([
  'extensionDevelopmentPath',
  'extensionTestsPath',
  'folder-uri',
  'file-uri',
  'user-data-dir',
  'extensions-dir',
  'install-extension',
  'locale',
  'log',
]);

/**
 * @param {readonly string[]} argv
 * @returns {DesktopArguments}
 */
export function desktopArguments(argv) {
  /** @type {DesktopArguments} */
  const read = { extensions: [], install: [], disableExtensions: false, trust: true, version: false };
  for (let at = 0; at < argv.length; at += 1) {
    const [, name, joined] = /^--([\w-]+)(?:=(.*))?$/s.exec(argv[at] ?? '') ?? [];
    if (name === undefined) {
      if (argv[at]?.startsWith('-') === false) read.folder = resolve(argv[at] ?? '');
      continue;
    }
    const value = joined ?? (VALUED.has(name) ? argv[(at += 1)] : undefined) ?? '';
    take(read, name, value);
  }
  return read;
}

/** @param {DesktopArguments} read @param {string} name @param {string} value */
function take(read, name, value) {
  const path = () => (value.startsWith('file:') ? new URL(value).pathname : resolve(value));
  if (name === 'extensionDevelopmentPath') read.extensions.push(path());
  else if (name === 'extensionTestsPath') read.tests = path();
  else if (name === 'folder-uri' || name === 'file-uri') read.folder = path();
  else if (name === 'user-data-dir') read.userDataDir = path();
  else if (name === 'extensions-dir') read.extensionsDir = path();
  else if (name === 'install-extension') read.install.push(path());
  else if (name === 'disable-extensions') read.disableExtensions = true;
  else if (name === 'disable-workspace-trust') read.trust = false;
  else if (name === 'version') read.version = true;
  // Everything else (--no-sandbox, --skip-welcome, …) has no counterpart or is how the browser runs anyway.
}

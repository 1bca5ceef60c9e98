// @ts-check
/**
 * The program behind `code-in-browser`: runs extension tests in VS Code's server build and headless Chromium
 * and resolves with their exit code. In the environment: LOOPSCOPE_VSCODE (a version, `newest`, `oldest`) and
 * LOOPSCOPE_TRUST=on, which wins over the `--disable-workspace-trust` that @vscode/test-electron always passes.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { desktopArguments } from './desktopArguments.mjs';
import { launchBrowser } from './launchBrowser.mjs';
import { onInterrupt } from './processTree.mjs';
import { startServer } from './server.mjs';
import { versionNamed } from './versions.mjs';
import { installVSCode } from './vscode.mjs';
import { workbenchUrl } from './workbenchUrl.mjs';

/** @typedef {import('./desktopArguments.mjs').DesktopArguments} DesktopArguments */

/**
 * @param {readonly string[]} argv
 * @returns {Promise<number>}
 */
export async function codeInBrowser(argv) {
  const args = desktopArguments(argv);
  const version = versionNamed(process.env['LOOPSCOPE_VSCODE'] ?? 'newest');
  if (args.version) {
    console.log(version);
    return 0;
  }
  const vscode = await installVSCode(version);
  if (args.install.length > 0) return installExtensions(vscode, args);
  await ensureBrowser();
  const [extension, ...more] = args.extensions;
  const server = await startServer({
    vscode,
    ...(args.userDataDir === undefined ? {} : { userDataDir: args.userDataDir }),
    ...(args.extensionsDir === undefined ? {} : { extensionsDir: args.extensionsDir }),
    linked: more,
    trust: args.trust || process.env['LOOPSCOPE_TRUST'] === 'on',
    driver: true,
  });
  try {
    // Linked extensions are installed ones, so with several these stay enabled.
    const disableExtensions = args.disableExtensions && more.length === 0;
    return await inBrowser(workbenchUrl(server.port, { ...args, extension, disableExtensions }));
  } finally {
    await server.close();
  }
}

/** @param {import('./vscode.mjs').Installed} vscode @param {DesktopArguments} args */
function installExtensions(vscode, args) {
  const server = [join(vscode.root, 'out', 'server-main.js'), '--accept-server-license-terms'];
  const where = args.extensionsDir === undefined ? [] : ['--extensions-dir', args.extensionsDir];
  const files = args.install.flatMap((file) => ['--install-extension', file]);
  return spawnSync(vscode.node, [...server, ...where, ...files], { stdio: 'inherit' }).status ?? 1;
}

/** @param {string} url */
async function inBrowser(url) {
  const browser = await launchBrowser();
  const settled = onInterrupt(() => browser.close());
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    return await testsEnd(page, url);
  } finally {
    settled();
    await browser.close();
  }
}

/**
 * Opens the workbench and waits for the exit code of its tests. It reports them through two functions of the
 * page, as to VS Code's own integration tests in browsers.
 * @param {import('playwright-core').Page} page
 * @param {string} url
 * @returns {Promise<number>}
 */
function testsEnd(page, url) {
  return new Promise((resolve, reject) => {
    page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
    page.once('close', () => reject(new Error('The page of the workbench was closed.')));
    page
      .exposeFunction('codeAutomationLog', print)
      .then(() => page.exposeFunction('codeAutomationExit', resolve))
      .then(() => page.goto(url))
      .catch(reject);
  });
}

/** @param {string} type @param {unknown[]} args */
function print(type, args) {
  const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
  if (type === 'error') console.error(text);
  else console.log(text);
}

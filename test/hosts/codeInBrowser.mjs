/**
 * The program behind `code-in-browser`. Without `--extensionTestsPath` it shows the workbench until it is
 * interrupted; with it, it runs the tests and exits with their code. In the environment: LOOPSCOPE_VSCODE
 * (a version, `newest`, `oldest`) and LOOPSCOPE_TRUST=on, which wins over the `--disable-workspace-trust`
 * that @vscode/test-electron always passes.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desktopArguments } from './desktopArguments.mjs';
import { ensureBrowser } from './browser.mjs';
import { launchBrowser } from './launchBrowser.mjs';
import { onInterrupt } from './processTree.mjs';
import { startServer } from './server.mjs';
import { versionNamed } from './versions.mjs';
import { installVSCode } from './vscode.mjs';
import { workbenchUrl } from './workbenchUrl.mjs';

/** @param {readonly string[]} argv */
export async function main(argv) {
  try {
    process.exitCode = await run(desktopArguments(argv));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  // Stray handles (a socket of the browser's) do not hold a finished run.
  process.exit();
}

/** @param {import('./desktopArguments.mjs').DesktopArguments} args */
async function run(args) {
  const version = versionNamed(process.env['LOOPSCOPE_VSCODE'] ?? 'newest');
  if (args.version) {
    console.log(version);
    return 0;
  }
  const vscode = await installVSCode(version);
  if (args.install.length > 0) return installExtensions(vscode, args);
  await ensureBrowser();
  const trust = args.trust || process.env['LOOPSCOPE_TRUST'] === 'on';
  const server = await startServer({
    vscode,
    ...(args.userDataDir === undefined ? {} : { userDataDir: args.userDataDir }),
    ...(args.extensionsDir === undefined ? {} : { extensionsDir: args.extensionsDir }),
    trust,
    driver: true,
    log: (t) => process.env.VERBOSE && process.stdout.write(t),
  });
  try {
    return await inBrowser(workbenchUrl(server.port, args));
  } finally {
    await server.close();
  }
}

/** @param {import('./vscode.mjs').Installed} vscode @param {import('./desktopArguments.mjs').DesktopArguments} args */
function installExtensions(vscode, args) {
  const dirs = args.extensionsDir === undefined ? [] : ['--extensions-dir', args.extensionsDir];
  const cli = [join(vscode.root, 'out', 'server-main.js'), '--accept-server-license-terms', ...dirs];
  const files = args.install.flatMap((file) => ['--install-extension', file]);
  return spawnSync(vscode.node, [...cli, ...files], { stdio: 'inherit' }).status ?? 1;
}

/** Resolves with the exit code of the tests. @param {string} url */
async function inBrowser(url) {
  const browser = await launchBrowser();
  const settled = onInterrupt(() => browser.close());
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    return await new Promise((resolve, reject) => {
      page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
      page.once('close', () => reject(new Error('The page of the workbench was closed.')));
      void open(page, url, resolve).catch(reject);
    });
  } finally {
    settled();
    await browser.close();
  }
}

/** @param {import('playwright-core').Page} page @param {string} url @param {(code: number) => void} exited */
async function open(page, url, exited) {
  // The workbench reports to these two, which VS Code's own integration tests in browsers use.
  await page.exposeFunction('codeAutomationLog', logLine);
  await page.exposeFunction('codeAutomationExit', exited);
  await page.goto(url);
}

/** Only what the extension host printed: the workbench's own log is not part of a test run's output. @param {string} type @param {unknown[]} args */
function logLine(type, args) {
  const [first] = args;
  const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
  console.log(text, type, first === undefined);
}

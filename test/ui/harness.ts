/**
 * VS Code's server build in a real browser, for tests. One server and one browser for each test file:
 *
 *   test('the main path', async (t) => {
 *     const vscode = await openWorkbench();
 *     t.after(() => vscode.close());
 *     await vscode.step(t, 'stops at plan', async () => {
 *       await vscode.runCommand('Loopscope: Debug Agent');
 *       await vscode.whenStopped(/^plan/);
 *       await vscode.shot('stopped-at-plan');
 *     });
 *   });
 */
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, Frame, Page } from 'playwright-core';
import { ensureBrowser } from '../hosts/browser.mjs';
import { installExtensions } from '../hosts/installExtensions.mjs';
import { writeEmptyLanguagePack } from '../hosts/languagePack.mjs';
import { launchBrowser } from '../hosts/launchBrowser.mjs';
import { onInterrupt } from '../hosts/processTree.mjs';
import { createScratch } from '../hosts/scratch.mjs';
import { startServer, type ServerOptions } from '../hosts/server.mjs';
import { testEnvironment } from '../hosts/testEnvironment.mjs';
import { versionNamed, type Version } from '../hosts/versions.mjs';
import { installVSCode, type Installed } from '../hosts/vscode.mjs';
import { workbenchUrl } from '../hosts/workbenchUrl.mjs';
import { createDebugViews, type DebugViews } from './harness/debugViews.ts';
import { PATIENCE_MS } from './harness/eventually.ts';
import { createNotifications, type Notifications } from './harness/notifications.ts';
import { createPalette, type Palette } from './harness/palette.ts';
import { savePicture } from './harness/pictures.ts';
import { webviewFrame } from './harness/webviews.ts';

const repository = resolve(import.meta.dirname, '..', '..');

const THEMES: Readonly<Record<string, string>> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

export interface WorkbenchOptions {
  /** Default: what LOOPSCOPE_VSCODE names (the runner sets it), else the newest. */
  readonly version?: Version;
  /** Copied, so that tests change a copy. Default: examples/demo. `null`: an empty window. */
  readonly folder?: string | null;
  /** The extension under development, and more to run with it. Default: this repository, unless a packaged one is installed. */
  readonly extensionPaths?: readonly string[];
  /** Packaged extensions to install before VS Code starts. */
  readonly vsix?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** `zh-cn`, `de`: extensions run in this language, VS Code's own words stay English. */
  readonly locale?: string;
  /** `light` (default), `dark`, `high-contrast`, `high-contrast-light`, or a theme's name. */
  readonly theme?: string;
  /** true: workspace trust is enabled, and the folder is not trusted. */
  readonly restricted?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly env?: Readonly<Record<string, string>>;
}

export interface Workbench extends Palette, DebugViews, Notifications {
  readonly page: Page;
  readonly version: Version;
  /** The copy that is open. */
  readonly folder: string | undefined;
  /** A call of VS Code's smoke-test driver in the page: `driver('getElements', '.tab', false)`. */
  driver<T>(method: string, ...args: readonly unknown[]): Promise<T>;
  /** The document of a webview, by the title of its panel or view. */
  frame(title: string): Promise<Frame>;
  /** Saves out/pictures/NAME.png. */
  shot(name: string): Promise<string>;
  /** The name of the active editor's tab. */
  activeEditor(): Promise<string>;
  /** A subtest. When it fails, a picture of it is kept and the steps after it are skipped. */
  step(t: TestContext, name: string, run: () => Promise<void>): Promise<void>;
  /** Loads the window again, as after a restart of VS Code. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const version = options.version ?? versionNamed(process.env['LOOPSCOPE_VSCODE'] ?? 'newest');
  const vscode = await installVSCode(version);
  await ensureBrowser();
  const { path: home, remove } = await createScratch('ui');
  const closers = [remove];
  const closeAll = async () => {
    for (const closer of closers.reverse()) await closer();
    settled();
  };
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closeAll());
  const settled = onInterrupt(close);
  try {
    const folder = await copyOf(options.folder, home);
    const server = await startServer(await serverOptions(vscode, home, options));
    closers.push(server.close);
    const browser = await launchBrowser();
    closers.push(() => browser.close());
    const page = await newPage(browser, options);
    await page.goto(workbenchUrl(server.port, { folder, extension: developed(options)[0] }));
    const workbench = createWorkbench(page, version, folder, close);
    await workbench.driver('whenWorkbenchRestored');
    return workbench;
  } catch (error) {
    await close();
    throw error;
  }
}

async function copyOf(folder: string | null | undefined, home: string): Promise<string | undefined> {
  if (folder === null) return undefined;
  const copy = join(home, 'demo');
  await cp(folder ?? join(repository, 'examples', 'demo'), copy, { recursive: true });
  return copy;
}

async function serverOptions(
  vscode: Installed,
  home: string,
  options: WorkbenchOptions,
): Promise<ServerOptions> {
  const extensionsDir = join(home, 'extensions');
  const userDataDir = join(home, 'user');
  if (options.vsix !== undefined) await installExtensions(vscode, options.vsix, extensionsDir);
  if (options.locale !== undefined) await writeEmptyLanguagePack(userDataDir, options.locale);
  const theme = options.theme ?? 'light';
  return {
    vscode,
    userDataDir,
    extensionsDir,
    linked: developed(options).slice(1),
    settings: { 'workbench.colorTheme': THEMES[theme] ?? theme, ...options.settings },
    trust: options.restricted ?? false,
    driver: true,
    env: { ...testEnvironment(process.env), ...options.env },
  };
}

function developed({ extensionPaths, vsix }: WorkbenchOptions): readonly string[] {
  return extensionPaths ?? (vsix === undefined ? [repository] : []);
}

async function newPage(browser: Browser, { viewport, locale }: WorkbenchOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: viewport ?? { width: 1400, height: 900 },
    ...(locale === undefined ? {} : { locale }),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  context.setDefaultNavigationTimeout(60_000);
  // tsx has esbuild keep the names of functions by a helper, which functions that run in the page then call.
  await context.addInitScript('globalThis.__name ??= (value) => value;');
  return context.newPage();
}

function createWorkbench(
  page: Page,
  version: Version,
  folder: string | undefined,
  close: () => Promise<void>,
): Workbench {
  let failed: string | undefined;

  async function driver<T>(method: string, ...args: readonly unknown[]): Promise<T> {
    await page.waitForFunction('window.driver', undefined, { timeout: 60_000 });
    return page.evaluate(`window.driver[${JSON.stringify(method)}](...${JSON.stringify(args)})`);
  }

  return {
    ...createPalette(page),
    ...createDebugViews(page),
    ...createNotifications(page),
    page,
    version,
    folder,
    driver,
    close,
    frame: (title) => webviewFrame(page, title),
    shot: (name) => savePicture(page, version, name),
    activeEditor: async () =>
      (await page.locator('.editor-group-container.active .tab.active .label-name').textContent()) ?? '',
    async step(t, name, run) {
      await t.test(name, { skip: failed === undefined ? false : `after "${failed}" failed` }, async (own) => {
        try {
          await run();
        } catch (error) {
          failed = name;
          const picture = await savePicture(page, version, `failed-${name.replace(/[^\w-]+/g, '-')}`).catch(
            String,
          );
          own.diagnostic(`The picture of it: ${picture}`);
          throw error;
        }
      });
    },
    async reload() {
      await page.reload();
      await driver('whenWorkbenchRestored');
    },
  };
}

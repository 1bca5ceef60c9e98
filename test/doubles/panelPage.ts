/**
 * A panel's page in a plain browser, with the host's channel behind it: what a webview of VS Code is, without VS Code.
 * For what only a browser decides, where no other part of VS Code has a say.
 */
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { PanelWords } from '../../src/core/panelWords.ts';
import type { SavedPanel } from '../../src/core/protocol.ts';
import { englishWords } from './panelTexts.ts';
import { parseFromPanel } from '../../src/entry/vscode/fromPanel.ts';
import { createPanelChannel, type PanelSessions } from '../../src/entry/vscode/panelChannel.ts';

const repository = path.resolve(import.meta.dirname, '..', '..');

/** The script and style sheet of a page, built as the product's are. */
export async function buildPage(entry: string): Promise<{ readonly script: string; readonly style: string }> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.resolve(repository, entry)],
    bundle: true,
    minify: true,
    write: false,
    outdir: repository,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const textOf = (end: string) => outputFiles.find((file) => file.path.endsWith(end))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

export interface PageOptions {
  /** What it saved when it was shown before. */
  readonly saved?: SavedPanel | undefined;
  /** English without it. */
  readonly words?: PanelWords;
  readonly language?: string;
}

/** Shows a panel of these sessions; what it saves is `window.saved` in the page. */
export async function openPanelPage(
  browser: Browser,
  panel: 'rounds' | 'context',
  sessions: PanelSessions,
  { saved, words: given, language = 'en' }: PageOptions = {},
): Promise<Page> {
  const [{ script, style }, diff] = await Promise.all([
    buildPage(`media/${panel}.tsx`),
    buildPage('media/diff.ts'),
  ]);
  const words = given ?? (await englishWords());
  const icons = await iconStyle();
  const page = await browser.newPage({ viewport: { width: panel === 'rounds' ? 900 : 380, height: 800 } });
  let toHost: ((raw: unknown) => void) | undefined;
  const channel = createPanelChannel(
    {
      post: (message) =>
        page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`).then(
          () => true,
          () => false,
        ),
      onMessage: (listener) => {
        toHost = (raw: unknown) => {
          const message = parseFromPanel(raw);
          if (message) listener(message);
        };
        return { dispose: () => (toHost = undefined) };
      },
    },
    sessions,
    { words: () => words },
  );
  page.on('close', () => channel.dispose());
  await page.exposeFunction('toHost', (message: unknown) => toHost?.(message));
  await page.setContent(
    `<html lang="${language}"><head><style>${icons}</style><style>${style}</style></head><body class="vscode-dark"><div id="root"></div></body></html>`,
  );
  await page.addScriptTag({
    content: `window.acquireVsCodeApi = () => ({ postMessage: (m) => window.toHost(m), setState: (s) => { window.saved = s; }, getState: () => (${JSON.stringify(saved ?? null)} ?? undefined) });`,
  });
  // The page has no folder to fetch it from.
  await page.addScriptTag({ content: diff.script });
  await page.addScriptTag({ content: script });
  return page;
}

/** The icons with their font inside: the page loads nothing. */
export async function iconStyle(): Promise<string> {
  const folder = path.join(repository, 'node_modules/@vscode/codicons/dist');
  const [style, font] = await Promise.all([
    readFile(path.join(folder, 'codicon.css'), 'utf8'),
    readFile(path.join(folder, 'codicon.ttf'), 'base64'),
  ]);
  return style.replace(/url\("[^"]*"\)/, `url("data:font/ttf;base64,${font}")`);
}

import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as esbuild from 'esbuild';
import type { PanelWords } from '../../src/core/panelWords.ts';

const repository = path.resolve(import.meta.dirname, '../..');

/** The panels' words in English, as the extension has them: its module with a `vscode` that translates nothing. */
export function englishWords(): Promise<PanelWords> {
  return wordsBy({});
}

/** The same in Simplified Chinese, by the bundle that is shipped. */
export function chineseWords(): Promise<PanelWords> {
  const bundle = readFileSync(path.join(repository, 'l10n/bundle.l10n.zh-cn.json'), 'utf8');
  return wordsBy(JSON.parse(bundle) as Readonly<Record<string, string>>);
}

async function wordsBy(bundle: Readonly<Record<string, string>>): Promise<PanelWords> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(repository, 'src/entry/vscode/panelStrings.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'vscode',
        setup: (build) => {
          build.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'double' }));
          build.onLoad({ filter: /.*/, namespace: 'double' }, () => ({
            contents: `const bundle = ${JSON.stringify(bundle)}; export const l10n = { t: (text) => bundle[text] ?? text };`,
          }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64');
  const module = (await import(`data:text/javascript;base64,${code}`)) as { panelStrings: () => PanelWords };
  return module.panelStrings();
}

import * as path from 'node:path';
import * as esbuild from 'esbuild';
import type { PanelWords } from '../../src/core/panelWords.ts';

const file = path.resolve(import.meta.dirname, '../../src/entry/vscode/panelStrings.ts');

/** The panels' words in English, as the extension has them: its module with a `vscode` that translates nothing. */
export async function englishWords(): Promise<PanelWords> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'vscode',
        setup: (build) => {
          build.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'double' }));
          build.onLoad({ filter: /.*/, namespace: 'double' }, () => ({
            contents: 'export const l10n = { t: (text) => text };',
          }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64');
  const module = (await import(`data:text/javascript;base64,${code}`)) as { panelStrings: () => PanelWords };
  return module.panelStrings();
}

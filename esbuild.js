/**
 * Builds what ships into dist/. Also the fence of the house: `core` is bundled by itself for platform
 * `neutral` with nothing external, and everything but the extension is bundled without `vscode`, so a
 * forbidden import is a build error and not a review comment.
 */
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** CommonJS dependencies call `require`; an ES module has none of its own. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  sourcesContent: false,
  logLevel: 'warning',
  legalComments: 'none',
  target: 'node20',
};

/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  format: 'esm',
  // Heavy parts (model SDK, tokenizer, sandbox) are reached by import() and become chunks loaded on first use.
  // jsonc-parser's CommonJS build hides its requires from bundlers; its module build is whole.
  mainFields: ['module', 'main'],
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  outdir: 'dist',
  banner: { js: requireBanner },
};

/** @type {esbuild.BuildOptions} */
const extension = {
  ...node,
  entryPoints: { extension: 'src/entry/vscode/extension.ts' },
  external: ['vscode'],
  // Chunks of its own: see `inOneFile`.
  chunkNames: 'chunks/extension-[name]-[hash]',
  metafile: true,
};

/** @type {esbuild.BuildOptions} */
const headless = {
  ...node,
  entryPoints: {
    cli: 'src/entry/cli.ts',
    lib: 'src/entry/lib.ts',
    // Started by the chunk beside it, of this build or of the extension's.
    'chunks/countWorker': 'src/planner/tokenizer/countWorker.ts',
    'chunks/codeWorker': 'src/toolbox/code/codeWorker.ts',
  },
  metafile: true,
};

/** @type {esbuild.BuildOptions[]} */
const builds = [
  // The fence around core: its entry points alone, neutral, nothing external; the output is thrown away.
  {
    ...common,
    entryPoints: ['src/core/**/*.ts'],
    platform: 'neutral',
    format: 'esm',
    outdir: 'dist/fence',
    write: false,
  },
  headless,
  extension,
  {
    ...common,
    entryPoints: { rounds: 'media/rounds.tsx', context: 'media/context.tsx', diff: 'media/diff.ts' },
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: 'dist/media',
  },
];

await rm('dist', { recursive: true, force: true });
await mkdir('dist/media', { recursive: true });
if (watch) {
  const contexts = await Promise.all(builds.map((options) => esbuild.context(options)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  const [outputs = {}, others = {}] = [extension, headless].map(
    (options) => results[builds.indexOf(options)]?.metafile?.outputs,
  );
  await inOneFile('dist/extension.js', outputs);
  await once(outputs, others);
}
// The loop that users step through is the loop that runs: the same file, shipped as it is.
await copyFile('src/runner/loop.ts', 'dist/loop.ts');
for (const file of ['codicon.css', 'codicon.ttf']) {
  await copyFile(`node_modules/@vscode/codicons/dist/${file}`, `dist/media/${file}`);
}
// Read on first use by the token counter, which is a chunk: its data lie beside it.
await cp('src/planner/tokenizer/data', 'dist/chunks/data', {
  recursive: true,
  filter: (file) => !file.endsWith('.mjs'),
});
if (!watch) await declarations();

/**
 * Activation waits for every file that is loaded with the entry, and each costs a turn of the loader: the chunks that the
 * entry imports at once are put into it. What is loaded later still imports them, and finds in their place a file that
 * hands on what the entry exports for it.
 * @param {string} entry
 * @param {esbuild.Metafile['outputs']} outputs
 */
async function inOneFile(entry, outputs) {
  const folder = dirname(entry);
  const chunks = [...importedAtOnce(entry, outputs)].filter((file) => file !== entry);
  const handed = (/** @type {string} */ file) =>
    (outputs[file]?.exports ?? []).map((name) => [name, `c${chunks.indexOf(file)}_${name}`]);
  const exported = chunks.map((file) => {
    const names = handed(file).map(([name, given]) => `${name} as ${given}`);
    return `export { ${names.join(', ')} } from './${relative(folder, file)}';`;
  });
  await esbuild.build({
    ...common,
    stdin: {
      contents: [`export * from './${basename(entry)}';`, ...exported].join('\n'),
      resolveDir: folder,
    },
    platform: 'node',
    format: 'esm',
    outfile: entry,
    allowOverwrite: true,
    // What is not needed has been left out by the build before; what is there stays, in its order.
    ignoreAnnotations: true,
    external: ['vscode'],
    banner: { js: requireBanner },
    plugins: [laterChunks(folder), withoutBanners()],
  });
  for (const file of chunks) {
    const names = handed(file).map(([name, given]) => `${given} as ${name}`);
    await writeFile(file, `export { ${names.join(', ')} } from '../${basename(entry)}';\n`);
    await rm(`${file}.map`, { force: true });
  }
}

/**
 * Libraries that both builds load later come out the same in both: the package holds each of them once. Only what is
 * made of nothing but packages, and imports no more than esbuild's own helpers.
 * @param {esbuild.Metafile['outputs']} extensions
 * @param {esbuild.Metafile['outputs']} others
 */
async function once(extensions, others) {
  const known = new Map();
  for (const [file] of libraries(others)) known.set(await withoutHelpers(file, others), file);
  for (const [file, { exports: names }] of libraries(extensions)) {
    const same = known.get(await withoutHelpers(file, extensions));
    if (same === undefined) continue;
    await writeFile(file, `export { ${names.join(', ')} } from './${basename(same)}';\n`);
    await rm(`${file}.map`, { force: true });
  }
}

/** @param {esbuild.Metafile['outputs']} outputs */
function libraries(outputs) {
  return Object.entries(outputs).filter(([, { inputs, imports }]) => {
    const sources = Object.keys(inputs);
    return (
      sources.length > 0 &&
      sources.every((source) => source.startsWith('node_modules/')) &&
      imports.every(({ path, external }) => external || isHelpers(outputs[path]))
    );
  });
}

/** @param {esbuild.Metafile['outputs'][string] | undefined} output */
function isHelpers(output) {
  return output !== undefined && Object.keys(output.inputs).length === 0;
}

/** The text of a chunk, whatever its helpers and its source map are called. */
async function withoutHelpers(
  /** @type {string} */ file,
  /** @type {esbuild.Metafile['outputs']} */ outputs,
) {
  const named = (outputs[file]?.imports ?? []).filter(({ path }) => isHelpers(outputs[path]));
  const text = (await readFile(file, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, '');
  return named.reduce((rest, { path }) => rest.replaceAll(basename(path), 'helpers'), text);
}

/** @param {string} entry @param {esbuild.Metafile['outputs']} outputs */
function importedAtOnce(entry, outputs) {
  const seen = new Set([entry]);
  for (const file of seen)
    for (const { kind, path } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && outputs[path]) seen.add(path);
  return seen;
}

/** What `import()` names stays a file of its own; its path is written as seen from the entry. @returns {esbuild.Plugin} */
function laterChunks(/** @type {string} */ folder) {
  return {
    name: 'later-chunks',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import'
          ? { path: `./${relative(resolve(folder), join(resolveDir, path))}`, external: true }
          : undefined,
      );
    },
  };
}

/** Each chunk has a `require` of its own, which takes time to make; in one file one does for all. @returns {esbuild.Plugin} */
function withoutBanners() {
  return {
    name: 'without-banners',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, async ({ path }) => ({
        // Its line stays, so that the lines of the source map do.
        contents: (await readFile(path, 'utf8')).replace(requireBanner, ''),
        loader: 'js',
      }));
    },
  };
}

/** `dist/lib.js` is typed: declarations of the library entry and of what it reaches. */
async function declarations() {
  await writeFile('dist/lib.d.ts', "export * from './types/entry/lib.js';\n");
  await promisify(execFile)(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    'src/entry/tsconfig.lib.json',
  ]);
}

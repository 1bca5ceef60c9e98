/**
 * Token counting against the published libraries: load, speed on texts not seen before, exactness against tiktoken
 * on odd strings, hostile texts under a time limit, size. Times are the processor's. `--quick` repeats less.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { oddKinds } from '../unit/planner/tokenizer/oddStrings.ts';
import { createRandom } from '../unit/planner/tokenizer/random.ts';
import {
  installPeers,
  peersFolder,
  printTable,
  repository,
  runFresh,
  shown,
  type Spread,
  spread,
  takeTurns,
  writeResult,
} from './bench.ts';
import { type LibraryName, libraryNames, peerVersions } from './tokens.libraries.ts';
import { benchTexts, hostileTexts } from './tokens.texts.ts';

const repetitions = process.argv.includes('--quick') ? 3 : 7;
const limitMs = 120_000;
/** For one hostile text, the load included. */
const hostileMs = 20_000;
const oddStringsPerKind = 70;
const tokenizer = path.join(repository, 'src/planner/tokenizer');
const texts = path.join(peersFolder, 'tokens-texts');
const child = path.join(peersFolder, 'tokens.child.js');

await installPeers(peerVersions);
await buildChild();
await mkdir(texts, { recursive: true });

const load = await measureLoad();
const speed = await measureSpeed();
const exact = await measureExactness();
const hostile = await measureHostile();
const size = await measureSize();
await writeResult('tokens', {
  repetitions,
  load,
  speed,
  exact,
  hostile: { limitMs: hostileMs, ms: hostile },
  size,
});

/** As the product is built: our code in chunks, with its worker and data beside it. */
async function buildChild(): Promise<void> {
  await build({
    entryPoints: {
      'tokens.child': path.join(repository, 'test/bench/tokens.child.ts'),
      'chunks/countWorker': path.join(tokenizer, 'countWorker.ts'),
    },
    bundle: true,
    minify: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    outdir: peersFolder,
    logLevel: 'warning',
  });
  const data = path.join(peersFolder, 'chunks/data');
  await mkdir(data, { recursive: true });
  for (const file of await readdir(path.join(tokenizer, 'data'))) {
    await copyFile(path.join(tokenizer, 'data', file), path.join(data, file));
  }
}

async function textFile(name: string, text: string): Promise<string> {
  const file = path.join(texts, name);
  await writeFile(file, text);
  return file;
}

/** Both encodings of ours, each in new processes: from nothing to the first count. */
async function measureLoad() {
  const contestants = [...libraryNames, 'loopscope cl100k_base'] as const;
  const measured = await takeTurns(contestants, 3 * repetitions, (name) =>
    runFresh(child, [name, 'load'], limitMs),
  );
  const of = (name: (typeof contestants)[number]) =>
    (measured.get(name) ?? []) as { loadMs: number; peakMb: number }[];
  const rows = contestants.map((name) => ({
    name,
    ms: spread(of(name).map((one) => one.loadMs)),
    ratio: spread(of(name).map((one, turn) => one.loadMs / (of('gpt-tokenizer')[turn]?.loadMs ?? NaN))),
    mb: spread(of(name).map((one) => one.peakMb)),
  }));
  printTable(
    'Load and first count',
    ['library', 'CPU ms', '× gpt-tokenizer', 'peak MB'],
    rows.map(({ name, ms, ratio, mb }) => [name, shown(ms), shown(ratio), shown(mb)]),
  );
  return rows;
}

interface Counted {
  readonly kilobytes: number;
  readonly tokens: number;
  readonly ms: number;
}

interface SpeedRow {
  readonly text: string;
  readonly name: LibraryName;
  readonly mbPerSecond: Spread;
  /** Of gpt-tokenizer's speed in the same repetition. */
  readonly ratio: Spread;
  /** The same for what was counted first, with nothing compiled and nothing remembered. */
  readonly coldRatio: Spread;
  readonly sameCount: boolean;
}

async function measureSpeed() {
  const rows: SpeedRow[] = [];
  for (const [text, { warmUp, unseen }] of Object.entries(benchTexts())) {
    const files = [await textFile(`${text}-1.txt`, warmUp), await textFile(`${text}-2.txt`, unseen)];
    const measured = await takeTurns(libraryNames, repetitions, (name) =>
      runFresh(child, [name, 'speed', ...files], limitMs),
    );
    type Result = Readonly<Record<'cold' | 'warm', Counted>>;
    const of = (name: LibraryName, part: keyof Result) =>
      ((measured.get(name) ?? []) as (Result | undefined)[]).map((result) => result?.[part]);
    const ratio = (name: LibraryName, part: keyof Result) => {
      const reference = of('gpt-tokenizer', part);
      return spread(of(name, part).map((own, turn) => (reference[turn]?.ms ?? NaN) / (own?.ms ?? NaN)));
    };
    const tokens = (name: LibraryName) => of(name, 'warm').map((own) => own?.tokens);
    for (const name of libraryNames) {
      rows.push({
        text: `${text}, ${(Buffer.byteLength(unseen) / 1e6).toFixed(2)} MB`,
        name,
        mbPerSecond: spread(of(name, 'warm').map((own) => (own ? own.kilobytes / own.ms : NaN))),
        ratio: ratio(name, 'warm'),
        coldRatio: ratio(name, 'cold'),
        sameCount: tokens(name).every((own) => own !== undefined && own === tokens('tiktoken')[0]),
      });
    }
  }
  printTable(
    'Texts not seen before: the first quarter cold, the rest after 1.5 s of warming up on another text',
    ['text', 'library', 'MB/s of CPU', '× gpt-tokenizer', 'cold ×', 'as tiktoken'],
    rows.map(({ text, name, mbPerSecond, ratio, coldRatio, sameCount }) => [
      text,
      name,
      shown(mbPerSecond),
      shown(ratio),
      shown(coldRatio),
      sameCount ? 'yes' : 'no',
    ]),
  );
  return rows;
}

async function measureExactness() {
  const random = createRandom(3);
  const strings = oddKinds.flatMap(([, make]) =>
    Array.from({ length: oddStringsPerKind }, () => make(random)),
  );
  const file = await textFile('odd.json', JSON.stringify(strings));
  const counts = new Map<LibraryName, (number | null)[]>();
  for (const name of libraryNames) {
    counts.set(name, ((await runFresh(child, [name, 'counts', file], limitMs)) ?? []) as (number | null)[]);
  }
  const right = counts.get('tiktoken') ?? [];
  const rows = libraryNames.map((name) => {
    const own = counts.get(name) ?? [];
    return {
      name,
      strings: strings.length,
      wrong: own.filter((count, index) => count !== null && count !== right[index]).length,
      threw: own.filter((count) => count === null).length,
      finished: own.length === strings.length,
    };
  });
  printTable(
    `Exactness on ${strings.length} odd strings, against tiktoken`,
    ['library', 'wrong', 'threw'],
    rows.map(({ name, wrong, threw, finished }) => [
      name,
      finished ? String(wrong) : 'failed',
      String(threw),
    ]),
  );
  return rows;
}

async function measureHostile() {
  const rows: { text: string; name: LibraryName; ms: number | null }[] = [];
  for (const [text, megabyte] of Object.entries(hostileTexts())) {
    const file = await textFile('hostile.txt', megabyte);
    for (const name of libraryNames) {
      const result = await runFresh(child, [name, 'hostile', file], hostileMs);
      rows.push({ text, name, ms: (result as { ms: number } | undefined)?.ms ?? null });
    }
  }
  const texts = [...new Set(rows.map(({ text }) => text))];
  const cell = (text: string, name: LibraryName) => {
    const ms = rows.find((row) => row.text === text && row.name === name)?.ms;
    return typeof ms === 'number' ? ms.toFixed(0) : `over ${hostileMs / 1000} s, or failed`;
  };
  printTable(
    'A megabyte of hostile text, CPU ms, cold',
    ['library', ...texts],
    libraryNames.map((name) => [name, ...texts.map((text) => cell(text, name))]),
  );
  return rows;
}

/** Compressed bytes of what each library needs to count with o200k_base, and of ours with both encodings. */
async function measureSize() {
  const zipped = async (...files: readonly string[]) => {
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(file), { level: 9 }).length),
    );
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };
  const bundled = async (contents: string) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: peersFolder },
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      write: false,
      logLevel: 'error',
    });
    return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
  };
  const ours = await bundled(`export * from '${path.join(repository, 'src/planner/tokens.ts')}'`);
  const data = (name: string) => zipped(path.join(tokenizer, 'data', name));
  const peer = (file: string) => path.join(peersFolder, 'node_modules', file);
  const classes = await data('classes.bin');
  const o200k = await data('o200k_base.bin');
  const rows = [
    { name: 'loopscope', bytes: ours + classes + o200k },
    { name: 'loopscope, both encodings', bytes: ours + classes + o200k + (await data('cl100k_base.bin')) },
    { name: 'gpt-tokenizer', bytes: await bundled(`export * from 'gpt-tokenizer/encoding/o200k_base'`) },
    {
      name: 'ai-tokenizer',
      bytes: await bundled(
        `export * from 'ai-tokenizer'; export * as data from 'ai-tokenizer/encoding/o200k_base'`,
      ),
    },
    {
      name: 'tiktoken',
      bytes: await zipped(peer('tiktoken/lite/tiktoken_bg.wasm'), peer('tiktoken/encoders/o200k_base.json')),
    },
    {
      name: 'js-tiktoken',
      bytes: await bundled(
        `export * from 'js-tiktoken/lite'; export * as data from 'js-tiktoken/ranks/o200k_base'`,
      ),
    },
  ];
  printTable(
    'Size with data, gzip',
    ['library', 'kB'],
    rows.map(({ name, bytes }) => [name, (bytes / 1e3).toFixed(0)]),
  );
  return rows;
}

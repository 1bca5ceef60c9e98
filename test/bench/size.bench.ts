/**
 * What ships and what it takes to load it: bytes of each file, minified and gz, of the panel scripts and of the VSIX
 * (all as `npm run package` makes them), and the time to import the library beside that of its parts. The targets are
 * checked, and the exit code says whether they are met.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { printTable, repository, runFresh, shown, spread, takeTurns, writeResult } from './bench.ts';

const repetitions = process.argv.includes('--quick') ? 5 : 15;
const dist = path.join(repository, 'dist');
const shell = process.platform === 'win32';
await promisify(execFile)('npm', ['run', 'package'], { cwd: repository, shell, maxBuffer: 1 << 26 });

interface Size {
  readonly file: string;
  readonly bytes: number;
  readonly gz: number;
}

const entries = ['extension.js', 'cli.js', 'lib.js', 'media/rounds.js', 'media/context.js', 'loopscope.vsix'];
const sizes = await Promise.all(entries.map(sizeOf));
const chunks = (await readdir(path.join(dist, 'chunks'))).filter((file) => file.endsWith('.js'));
const all = await Promise.all(chunks.map((file) => sizeOf(`chunks/${file}`)));
const largest = all.toSorted((a, b) => b.bytes - a.bytes).slice(0, 8);
const total: Size = {
  file: `${chunks.length} chunks, loaded when they are first needed`,
  bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  gz: all.reduce((sum, { gz }) => sum + gz, 0),
};
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
printTable(
  'What ships, kB',
  ['file', 'minified', 'gz'],
  [...sizes, total, ...largest].map(({ file, bytes, gz }) => [file, kilobytes(bytes), kilobytes(gz)]),
);

const of = (file: string) => sizes.find((one) => one.file === file) ?? { file, bytes: NaN, gz: NaN };
const targets = [
  { what: 'extension.js, minified', is: of('extension.js').bytes, most: 100_000 },
  { what: 'panel script rounds.js, gz', is: of('media/rounds.js').gz, most: 40_000 },
  { what: 'panel script context.js, gz', is: of('media/context.js').gz, most: 40_000 },
  { what: 'VSIX', is: of('loopscope.vsix').bytes, most: 3_000_000 },
];
printTable(
  'Targets, kB',
  ['', 'is', 'at most', ''],
  targets.map(({ what, is, most }) => [what, kilobytes(is), kilobytes(most), is <= most ? 'met' : 'MISSED']),
);

/** Each is imported by a process of its own; `nothing` is what the measurement itself takes. */
const imports = {
  nothing: 'data:text/javascript,',
  'the library': path.join(dist, 'lib.js'),
  'openai SDK': 'openai',
  zod: 'zod',
};
const child = path.join(repository, 'out/bench-import.mjs');
await writeFile(
  child,
  `const start = performance.now();
const before = process.cpuUsage();
await import(process.argv[2]);
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));
process.exit(0);
`,
);
const names = Object.keys(imports) as (keyof typeof imports)[];
const measured = await takeTurns(
  names,
  repetitions,
  async (name) =>
    (await runFresh(child, [imports[name]], 20_000)) as { ms: number; cpuMs: number } | undefined,
);
const times = names.map((name) => {
  const pick = (key: 'ms' | 'cpuMs') =>
    spread((measured.get(name) ?? []).flatMap((one) => (one ? [one[key]] : [])));
  return { name, ms: pick('ms'), cpuMs: pick('cpuMs') };
});
printTable(
  'Import, ms',
  ['', 'clock', 'CPU'],
  times.map(({ name, ms, cpuMs }) => [name, shown(ms), shown(cpuMs)]),
);
await writeResult('size', { sizes, chunks: all, targets, times });
process.exitCode = targets.every(({ is, most }) => is <= most) ? 0 : 1;

async function sizeOf(file: string): Promise<Size> {
  const name = path.join(dist, file);
  const { size } = await stat(name);
  return { file, bytes: size, gz: gzipSync(await readFile(name), { level: 9 }).length };
}

/**
 * How benchmarks measure: every figure in a process of its own, contestants taking turns and the order reversed
 * in each repetition, so that what else the machine does falls on all alike. Absolute figures drift with the
 * machine; ratios within one run are what counts.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const repository = fileURLToPath(new URL('../../', import.meta.url));
const out = path.join(repository, 'out');
/**
 * Peers live here, outside the product's dependencies; code that imports them is built into this folder. Each
 * benchmark has its own, since what two of them compare with may not go together.
 */
export const peersFolder = path.join(out, 'bench-peers', path.basename(process.argv[1] ?? '', '.bench.ts'));

/** Installs exact versions, unless they are there. */
export async function installPeers(versions: Readonly<Record<string, string>>): Promise<void> {
  const manifest = path.join(peersFolder, 'package.json');
  const text = await readFile(manifest, 'utf8').catch(() => undefined);
  const { dependencies = {} } = JSON.parse(text ?? '{}') as { dependencies?: Record<string, string> };
  const missing = Object.entries(versions).filter(([name, version]) => dependencies[name] !== version);
  if (missing.length === 0) return;
  await mkdir(peersFolder, { recursive: true });
  if (text === undefined) await writeFile(manifest, JSON.stringify({ private: true, type: 'module' }));
  const specifiers = missing.map(([name, version]) => `${name}@${version}`);
  console.log(`installing ${specifiers.join(', ')}`);
  const install = ['install', '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', ...specifiers];
  await promisify(execFile)('npm', install, { cwd: peersFolder, shell: process.platform === 'win32' });
}

/** What a process of its own answers: the JSON of its last line; `undefined` when it ran out of time or failed. */
export function runFresh(file: string, args: readonly string[], limitMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? JSON.parse(text.trim().split('\n').at(-1) ?? 'null') : undefined);
    });
  });
}

/** Lets contestants take turns; the order is reversed in every other repetition. Results by contestant. */
export async function takeTurns<Name extends string, Result>(
  names: readonly Name[],
  repetitions: number,
  measure: (name: Name) => Promise<Result>,
): Promise<ReadonlyMap<Name, readonly Result[]>> {
  const results = new Map<Name, Result[]>(names.map((name) => [name, []]));
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const name of repetition % 2 === 0 ? names : names.toReversed()) {
      results.get(name)?.push(await measure(name));
    }
  }
  return results;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** `12.3 (11.0–14.2)`, or a dash where nothing was measured. */
export function shown({ median, min, max }: Spread): string {
  if (Number.isNaN(median)) return '–';
  const digits = median < 10 ? 2 : median < 100 ? 1 : 0;
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Prints a Markdown table. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  console.log(`\n${title}\n\n${[head, rule, ...rows].map(line).join('\n')}`);
}

/** Writes `out/bench/<name>.json`, with what it was measured on. */
export async function writeResult(name: string, result: object): Promise<void> {
  const folder = path.join(out, 'bench');
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}.json`);
  const on = { node: process.version, platform: process.platform, arch: process.arch };
  await writeFile(file, `${JSON.stringify({ on, ...result }, undefined, 2)}\n`);
  console.log(`\n${path.relative(repository, file)}`);
}

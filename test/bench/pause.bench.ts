/**
 * A pause: from the checkpoint, as the journal has it, to the `stopped` event that leaves the debug adapter. Stepped
 * from checkpoint to checkpoint with the journal written to a file, without breakpoints and with a condition that is
 * evaluated before each call and never holds. `--quick` repeats less.
 */
import { cpSync } from 'node:fs';
import * as path from 'node:path';
import { build } from 'esbuild';
import {
  peersFolder,
  printTable,
  repository,
  runFresh,
  shown,
  spread,
  takeTurns,
  writeResult,
} from './bench.ts';

const repetitions = process.argv.includes('--quick') ? 3 : 7;
/** The median that is aimed at, in milliseconds. */
const target = 1;
const contestants = ['plain', 'conditions'] as const;
const child = path.join(peersFolder, 'child.mjs');
/** The adapter gets the loop's text from whoever starts it. */
const loopFile = path.join(repository, 'src/runner/loop.ts');

await build({
  entryPoints: [path.join(repository, 'test/bench/pause.child.ts')],
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  outfile: child,
  banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
  logLevel: 'warning',
});
// The token counter reads its tables from beside the code.
cpSync(path.join(repository, 'src/planner/tokenizer/data'), path.join(peersFolder, 'data'), {
  recursive: true,
});

const results = [];
for (const rounds of [100]) {
  const measured = await takeTurns(contestants, repetitions, async (name) => {
    const latencies = (await runFresh(child, [name, String(rounds), loopFile], 300_000)) as
      number[] | undefined;
    if (!latencies) throw new Error(`${name}, ${rounds} rounds: it failed`);
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
    return { median: at(0.5), p95: at(0.95), worst: at(1) };
  });
  const of = contestants.map((name) => {
    const own = measured.get(name) ?? [];
    const median = spread(own.map((one) => one.median));
    const [p95, worst] = [spread(own.map((one) => one.p95)), spread(own.map((one) => one.worst))];
    return { name, median, p95, worst, reached: median.median <= target };
  });
  results.push({ rounds, of });
  printTable(
    `${rounds} rounds, checkpoint to \`stopped\` in ms`,
    ['stepped', 'median', '95 of 100', 'longest', `median ≤ ${target}`],
    of.map(({ name, median, p95, worst, reached }) => [
      name,
      ...[median, p95, worst].map(shown),
      reached ? 'yes' : 'NO',
    ]),
  );
}
await writeResult('pause', { repetitions, target, results });

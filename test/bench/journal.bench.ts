/**
 * A journal at work: how long it takes from the file of a past session to the first views of it, in a fresh process,
 * and what an appended event costs beside a bare line. At 100 and 500 rounds with results of 4 KB: both must grow
 * with the length and no faster. `--quick` repeats less.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

const repetitions = process.argv.includes('--quick') ? 3 : 11;
const limitMs = 300_000;
const child = path.join(peersFolder, 'child.mjs');

interface Journal {
  readonly name: string;
  readonly rounds: number;
  readonly policy: string;
}

const journals: readonly Journal[] = [
  { name: '100 rounds', rounds: 100, policy: 'none' },
  { name: '500 rounds', rounds: 500, policy: 'none' },
  { name: '500 rounds, messages dropped', rounds: 500, policy: 'drop-oldest' },
];
const opening = ['read', 'fold', 'lane', 'views', 'all'] as const;
const appending = ['append', 'bare'] as const;

await build({
  entryPoints: [path.join(repository, 'test/bench/journal.child.ts')],
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
cpSync(path.join(repository, 'src/planner/tokenizer/data'), path.join(path.dirname(child), 'data'), {
  recursive: true,
});
const folder = mkdtempSync(path.join(tmpdir(), 'loopscope-bench-'));
const fileOf = ({ name }: Journal) => path.join(folder, `${name}.jsonl`);
const sizes = new Map<string, { bytes: number; events: number }>();
for (const journal of journals) {
  const args = ['make', fileOf(journal), String(journal.rounds), journal.policy];
  const size = (await runFresh(child, args, limitMs)) as { bytes: number; events: number } | undefined;
  if (!size) throw new Error(`${journal.name}: the run could not be made`);
  sizes.set(journal.name, size);
}
const opened = await measure('open');
const parsed = await measure('parse');
const appended = await measure('append');
rmSync(folder, { recursive: true });

const results = journals.map(({ name, rounds }) => {
  const of = (measured: typeof opened, key: string) =>
    spread((measured.get(name) ?? []).flatMap((one) => one?.[key] ?? []));
  return {
    name,
    rounds,
    ...sizes.get(name)!,
    parse: of(parsed, 'bare'),
    open: Object.fromEntries(opening.map((key) => [key, of(opened, key)])),
    append: Object.fromEntries(appending.map((key) => [key, of(appended, key)])),
  };
});
printTable(
  'From the file to the first views, CPU ms in a fresh process',
  [
    '',
    'MB',
    'events',
    'read',
    'fold',
    'lane',
    'last round and context',
    'all',
    'all, a round',
    'bare parse',
    '× bare',
  ],
  results.map(({ name, rounds, bytes, events, open, parse }) => [
    name,
    (bytes / 1e6).toFixed(2),
    String(events),
    ...opening.map((key) => shown(open[key]!)),
    (open['all']!.median / rounds).toFixed(3),
    shown(parse),
    (open['all']!.median / parse.median).toFixed(2),
  ]),
);
printTable(
  'An appended event, CPU µs',
  ['', 'journal on disk', 'a bare line'],
  results.map(({ name, append }) => [name, ...appending.map((key) => shown(append[key]!))]),
);
await writeResult('journal', { repetitions, results });

async function measure(what: string) {
  const byName = new Map(journals.map((journal) => [journal.name, journal]));
  return takeTurns([...byName.keys()], repetitions, async (name) => {
    const answer = await runFresh(child, [what, fileOf(byName.get(name)!)], limitMs);
    return answer as Readonly<Record<string, number>> | undefined;
  });
}

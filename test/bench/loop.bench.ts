/**
 * The loop against the loops of others, over real HTTP to a model that answers at once: CPU time per round, its
 * growth within a run, peak memory. `--quick` repeats less; run by itself (`tsx test/bench/loop.bench.ts pi ai`), names
 * on the command line narrow down.
 */
import { copyFile, cp, readdir, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { build, type Plugin } from 'esbuild';
import {
  installPeers,
  peersFolder,
  printTable,
  repository,
  runFresh,
  shown,
  spread,
  takeTurns,
  writeResult,
} from './bench.ts';
import { startModelServer } from './loop/modelServer.mjs';

/** What `1.00×` means, first; then ours; then the peers. */
const contestants = [
  'openai',
  'http',
  'loopscope',
  'loopscopeDebug',
  'pi',
  'ai',
  'langgraph',
  'langgraphMemory',
  'agents',
  'mastra',
];
const ours = ['loopscope', 'loopscopeDebug'];
const lengths = [10, 100, 500];
const limitMs = 180_000;
const flags = process.argv.slice(2);
const quick = flags.includes('--quick');
const named = flags.filter((flag) => !flag.startsWith('--'));
const names = contestants.filter((name) => named.length === 0 || named.includes(name) || name === 'openai');
const repetitions = quick ? 3 : 7;
const source = path.join(repository, 'test/bench/loop');
const tokenizer = path.join(repository, 'src/planner/tokenizer');

interface Measured {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly peakMb: number;
  /** Of those that keep a journal. */
  readonly journalBytes?: number;
}

/** The adapter gets the loop's text from whoever starts it. */
const textOfLoop: Plugin = {
  name: 'text-of-loop',
  setup(building) {
    building.onResolve({ filter: /\?text$/ }, ({ path: name, resolveDir }) => ({
      path: path.join(resolveDir, name.replace('?text', '')),
      namespace: 'text',
    }));
    building.onLoad({ filter: /.*/, namespace: 'text' }, async (file) => ({
      contents: await readFile(file.path, 'utf8'),
      loader: 'text',
    }));
  },
};

await installPeers({
  '@ai-sdk/openai-compatible': '3.0.92',
  '@earendil-works/pi-agent-core': '1.6.0',
  '@langchain/core': '1.4.0',
  '@langchain/langgraph': '1.7.3',
  '@langchain/openai': '1.6.0',
  '@mastra/core': '1.71.0',
  '@openai/agents': '0.20.0',
  ai: '7.0.173',
  openai: '6.49.0',
  zod: '4.6.7',
});
const child = await buildChild();
const server = await startModelServer();
let runs = 0;

const results = [];
for (const rounds of lengths) {
  const measured = await takeTurns(names, repetitions, (name) => measure(name, rounds));
  results.push({ rounds, of: report(rounds, measured) });
}
await writeResult('loop', { repetitions, results });
server.close();

/** Ours bundled as they ship; the peers run as npm installed them. */
async function buildChild(): Promise<string> {
  const outdir = peersFolder;
  await build({
    entryPoints: [
      path.join(source, 'loopscope.ts'),
      path.join(source, 'loopscopeDebug.ts'),
      path.join(tokenizer, 'countWorker.ts'),
    ],
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    outdir,
    banner: {
      js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
    },
    plugins: [textOfLoop],
    logLevel: 'warning',
  });
  // What the token counter reads and starts lies beside it.
  await cp(path.join(tokenizer, 'data'), path.join(outdir, 'data'), { recursive: true });
  for (const file of await readdir(source)) {
    if (file.endsWith('.mjs')) await copyFile(path.join(source, file), path.join(outdir, file));
  }
  return path.join(outdir, 'child.mjs');
}

/** One run in a fresh process; undefined when it took too long, failed, or did not make exactly the right calls. */
async function measure(name: string, rounds: number): Promise<Measured | undefined> {
  const run = `${name}-${runs++}`;
  const args = [
    `${name}.${ours.includes(name) ? 'js' : 'mjs'}`,
    server.base(`${run}-warm-up`, 20),
    server.base(run, rounds),
    String(rounds),
  ];
  const result = (await runFresh(child, args, limitMs)) as (Measured & { answer: string }) | undefined;
  const { requests, problems } = server.verdict(run);
  const right = result?.answer === `All done ${rounds}` && requests === rounds + 1 && problems.length === 0;
  if (!right)
    console.log(
      `${name}, ${rounds} rounds: ${result?.answer ?? 'no answer'}, ${requests} requests; ${problems[0] ?? ''}`,
    );
  return right ? result : undefined;
}

function report(rounds: number, measured: ReadonlyMap<string, readonly (Measured | undefined)[]>) {
  const of = (name: string, pick: (one: Measured) => number) =>
    spread((measured.get(name) ?? []).flatMap((one) => (one ? [pick(one)] : [])));
  const base = of('openai', ({ cpuMs }) => cpuMs).median;
  const rows = names.map((name) => ({
    name,
    cpuPerRound: of(name, ({ cpuMs }) => cpuMs / (rounds + 1)),
    ratio: of(name, ({ cpuMs }) => cpuMs / base),
    wallPerRound: of(name, ({ wallMs }) => wallMs / (rounds + 1)),
    firstFifth: of(name, ({ firstMs }) => firstMs),
    lastFifth: of(name, ({ lastMs }) => lastMs),
    growth: of(name, ({ firstMs, lastMs }) => lastMs / firstMs),
    peakMb: of(name, ({ peakMb }) => peakMb),
    journalPerRound: of(name, ({ journalBytes = NaN }) => journalBytes / (rounds + 1)),
  }));
  printTable(
    `${rounds} rounds`,
    [
      'loop',
      '× openai',
      'CPU ms a round',
      'wall ms a round',
      'first fifth',
      'last fifth',
      'growth',
      'peak MB',
      'journal bytes a round',
    ],
    rows.map(
      ({
        name,
        ratio,
        cpuPerRound,
        wallPerRound,
        firstFifth,
        lastFifth,
        growth,
        peakMb,
        journalPerRound,
      }) => [
        name,
        shown(ratio),
        ...[cpuPerRound, wallPerRound, firstFifth, lastFifth, growth, peakMb, journalPerRound].map(shown),
      ],
    ),
  );
  return rows;
}

/**
 * Differences against the published libraries: lists of messages, texts, JSON, typical and with nothing in
 * common. Whoever takes longer than the limit is ended and not tried again. `--quick` measures
 * each in one process.
 */
import * as path from 'node:path';
import { build } from 'esbuild';
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
import { inputs } from './diff.inputs.ts';
import { contestants, peerVersions, type Verdict } from './diff.libraries.ts';

const isQuick = process.argv.includes('--quick');
const repetitions = isQuick ? 1 : 7;
/** For a whole process: start, input, first result, warm-up, measurement. */
const limitMs = 30_000;
const child = path.join(peersFolder, 'diff.child.js');

interface Measured extends Verdict {
  readonly firstMs: number;
  readonly ms: readonly number[];
  readonly peakMb: number;
}

await installPeers(peerVersions);
await build({
  entryPoints: [path.join(repository, 'test/bench/diff.child.ts')],
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  outfile: child,
  logLevel: 'warning',
});
const results: Record<string, Record<string, object>> = {};
for (const [title, make] of Object.entries(inputs))
  results[title] = await measure(title, Object.keys(contestants[make().kind]));
await writeResult('diff', { repetitions, limitMs, peers: peerVersions, results });

async function measure(title: string, names: readonly string[]): Promise<Record<string, object>> {
  const tooSlow = new Set<string>();
  const measured = await takeTurns(names, repetitions, async (name) => {
    if (tooSlow.has(name)) return undefined;
    const result = (await runFresh(child, [title, name], limitMs)) as Measured | undefined;
    if (!result) tooSlow.add(name);
    return result;
  });
  const rows = names.map((name) => {
    const runs = (measured.get(name) ?? []).filter((run) => run !== undefined);
    const [ms, firstMs, peakMb] = (['ms', 'firstMs', 'peakMb'] as const).map((key) =>
      spread(runs.flatMap((run) => run[key])),
    );
    return {
      name,
      isTooSlow: tooSlow.has(name),
      ms: ms!,
      firstMs: firstMs!,
      peakMb: peakMb!,
      verdict: runs[0],
    };
  });
  const ours = rows.find(({ name }) => name.startsWith('loopscope'))!.ms.median;
  printTable(
    title,
    ['', 'CPU ms, warm', '× ours', 'CPU ms, first', 'peak MB', 'changes', 'gives the new value'],
    rows.map(({ name, isTooSlow, ms, firstMs, peakMb, verdict }) =>
      isTooSlow || !verdict
        ? [name, `over ${limitMs / 1000} s, or failed`, '–', '–', '–', '–', '–']
        : [
            name,
            shown(ms),
            (ms.median / ours).toFixed(1),
            shown(firstMs),
            peakMb.median.toFixed(0),
            `${verdict.changes}${verdict.coarse ? ', coarse' : ''}`,
            verdict.correct === undefined ? 'not applied' : verdict.correct ? 'yes' : 'NO',
          ],
    ),
  );
  return Object.fromEntries(rows.map(({ name, ...row }) => [name, row]));
}

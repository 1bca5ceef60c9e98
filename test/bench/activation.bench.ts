/**
 * What it costs VS Code to activate the extension as it ships, beside an extension with nothing in it: fresh starts of a
 * real VS Code, both in each of them, the order changed from start to start. The times are VS Code's own: to load the
 * code, to call `activate`, until what it returned is settled. `--quick` starts it less often; `--vscode=oldest`.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { versionNamed } from '../hosts/versions.mjs';
import { bundleHostTests } from '../host/runner/bundle.ts';
import { chooseProgram } from '../host/runner/program.ts';
import { runLaunch } from '../host/runner/runLaunch.ts';
import { printTable, repository, shown, spread, writeResult } from './bench.ts';

const flags = process.argv.slice(2);
const starts = flags.includes('--quick') ? 4 : 10;
const version = versionNamed(flags.find((flag) => flag.startsWith('--vscode='))?.slice(9) ?? 'newest');
const ours = 'loopscope.loopscope';
const empty = 'loopscope.empty';
/** Milliseconds of our own code that activation may take. */
const target = 15;

type Times = readonly [load: number, call: number, finish: number];

await promisify(execFile)(process.execPath, ['esbuild.js', '--production'], { cwd: repository });
const probe = path.join(repository, 'test/host/activationProbe.ts');
const { loader, bundles } = await bundleHostTests(repository, [probe]);
const program = await chooseProgram(version, repository);
const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-activation-'));
const measured: Record<string, Times>[] = [];
try {
  // The tests belong to one extension, which must not be one of the two.
  const [host, nothing] = await Promise.all([extensionAt('probe'), extensionAt('empty')]);
  for (let start = 0; start < starts; start++) {
    const file = path.join(folder, `${start}.jsonl`);
    process.env['LOOPSCOPE_ACTIVATION_FILE'] = file;
    process.env['LOOPSCOPE_ACTIVATION_ORDER'] = (start % 2 === 0 ? [ours, empty] : [empty, ours]).join();
    await runLaunch(
      {
        repository,
        extension: [host, repository, nothing],
        demo: path.join(repository, 'examples/demo'),
        program,
        version,
        launch: { kind: 'empty', folder: false, trusted: true },
        loader,
        files: [bundles.get(probe) ?? probe],
      },
      ({ state, error }) => {
        if (state === 'failed') console.log(error);
      },
    );
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') measured.push(JSON.parse(text) as Record<string, Times>);
  }
} finally {
  await rm(folder, { recursive: true });
}

const of = (id: string, pick: (times: Times) => number) =>
  spread(measured.flatMap((one) => (one[id] ? [pick(one[id])] : [])));
const own = spread(
  measured.flatMap(({ [ours]: our, [empty]: none }) => (our && none ? [whole(our) - whole(none)] : [])),
);
const rows = [ours, empty].map((id) => ({
  id,
  load: of(id, ([load]) => load),
  call: of(id, ([, call]) => call),
  finish: of(id, ([, , finish]) => finish),
  whole: of(id, whole),
}));
printTable(
  `Activation in ${program.label}, ${measured.length} fresh starts, ms`,
  ['extension', 'load code', 'call activate', 'until settled', 'load + call'],
  rows.map(({ id, load, call, finish, whole: all }) => [id, ...[load, call, finish, all].map(shown)]),
);
console.log(`\nour own code: ${shown(own)} ms; the target is ${target} ms`);
await writeResult('activation', { program: program.label, starts: measured.length, target, own, rows });
process.exitCode = measured.length > 0 && own.median <= target ? 0 : 1;

/** What the editor waits for: it does nothing else meanwhile. */
function whole([load, call]: Times): number {
  return load + call;
}

/** An extension of the same kind with nothing in it. */
async function extensionAt(name: string): Promise<string> {
  const root = path.join(folder, name);
  await mkdir(root);
  const manifest = {
    name,
    publisher: 'loopscope',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    type: 'module',
    main: './extension.js',
    extensionKind: ['workspace'],
    activationEvents: [],
  };
  await writeFile(path.join(root, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(root, 'extension.js'), 'export function activate() {}\n');
  return root;
}

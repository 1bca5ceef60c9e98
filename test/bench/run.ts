/**
 * npm run bench [-- NAME …] [--quick]: the benchmarks, one after the other; a NAME is a file here without `.bench.ts`.
 * Each prints its tables and writes `out/bench/NAME.json`. Never part of the tests: figures are compared, not asserted.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import * as path from 'node:path';
import { repository } from './bench.ts';

const folder = path.join(repository, 'test/bench');
const all = readdirSync(folder).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);
const given = process.argv.slice(2);
const flags = given.filter((one) => one.startsWith('--'));
const names = given.filter((one) => !one.startsWith('--'));
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark is named ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : all) {
  console.log(`\n# ${name}`);
  const args = ['--import', 'tsx', path.join(folder, `${name}.bench.ts`), ...flags];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: repository });
  if (status !== 0) process.exitCode = 1;
}

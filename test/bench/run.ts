/**
 * npm run bench [-- NAME …] [--quick]: the benchmarks, one after the other; a NAME is a file here without `.bench.ts`.
 * npm run bench:ui [-- NAME …] [--quick]: those in a real browser, `uiNAME.ts`.
 * Each prints its tables and writes `out/bench/NAME.json`. Never part of the tests: figures are compared, not asserted.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import * as path from 'node:path';
import { repository } from './bench.ts';

const folder = path.join(repository, 'test/bench');
const given = process.argv.slice(2).filter((one) => one !== '--ui');
const isUi = process.argv.includes('--ui');
const pattern = isUi ? /^ui(\w+)\.ts$/ : /^(.+)\.bench\.ts$/;
const files = new Map(
  readdirSync(folder).flatMap((file) => {
    const name = pattern.exec(file)?.[1]?.toLowerCase();
    return name === undefined ? [] : [[name, file] as const];
  }),
);
const all = [...files.keys()];
const flags = given.filter((one) => one.startsWith('--'));
const names = given.filter((one) => !one.startsWith('--'));
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark is named ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : all) {
  console.log(`\n# ${name}`);
  const args = ['--import', 'tsx', path.join(folder, files.get(name) ?? ''), ...flags];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: repository });
  if (status !== 0) process.exitCode = 1;
}

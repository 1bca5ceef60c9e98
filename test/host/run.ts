/**
 * Runs the tests of test/host inside VS Code:
 *   tsx test/host/run.ts [--vscode=newest|oldest|VERSION …] [--grep=TEXT] [--extension=PATH] [--demo=PATH]
 *                        [--report=FILE] [FILE …]
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findFiles } from '../hosts/findFiles.mjs';
import { NEWEST, OLDEST, versionNamed, type Version } from '../hosts/versions.mjs';
import { bundleHostTests } from './runner/bundle.ts';
import { LAUNCHES, launchOf } from './runner/launches.ts';
import { chooseProgram } from './runner/program.ts';
import type { TestResult } from './runner/results.ts';
import { runLaunch } from './runner/runLaunch.ts';

const repository = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vscode: { type: 'string', multiple: true },
    grep: { type: 'string' },
    extension: { type: 'string', default: repository },
    demo: { type: 'string', default: join(repository, 'examples', 'demo') },
    report: { type: 'string' },
  },
});

const files =
  positionals.length > 0
    ? positionals.map((file) => resolve(file))
    : findFiles(join(repository, 'test', 'host'), '.test.ts');
const { loader, bundles } = await bundleHostTests(repository, files);
const all: TestResult[] = [];
for (const version of versions()) await runIn(version);
if (values.report !== undefined) await writeFile(values.report, JSON.stringify(all, null, 2));
const count = (state: TestResult['state']) => all.filter((result) => result.state === state).length;
say(`host: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
process.exitCode = count('failed') > 0 || all.length === 0 ? 1 : 0;

/** A named VS Code is one VS Code, whatever its version: it runs the tests once. */
function versions(): readonly Version[] {
  if (process.env['VSCODE_EXECUTABLE_PATH']) return [NEWEST];
  return values.vscode?.map(versionNamed) ?? [NEWEST, OLDEST];
}

async function runIn(version: Version): Promise<void> {
  const program = await chooseProgram(version, repository);
  say(`Host tests in ${program.label}`);
  for (const launch of LAUNCHES) {
    const own = files.filter((file) => launchOf(file) === launch.kind);
    if (own.length === 0) continue;
    if (program.kind === 'desktop' && !launch.trusted) {
      // @vscode/test-electron always starts it with workspace trust disabled.
      own.forEach((file) => take({ name: `${file} (needs workspace trust)`, state: 'skipped', ms: 0 }));
      continue;
    }
    const plan = {
      repository,
      extension: resolve(values.extension),
      demo: resolve(values.demo),
      program,
      version,
      launch,
      loader,
    };
    await runLaunch(
      { ...plan, files: own.map((file) => bundles.get(file) ?? file), grep: values.grep },
      take,
    );
  }

  function take(result: TestResult): void {
    all.push({ ...result, name: `${version} › ${result.name}` });
    const mark = { passed: '✔', failed: '✖', skipped: '﹣' }[result.state];
    say(`  ${mark} ${result.name} (${result.ms} ms)`);
    if (result.error !== undefined) say(result.error.replace(/^/gm, '      '));
  }
}

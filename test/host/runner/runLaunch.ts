import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killTree, spawnTree } from '../../hosts/processTree.mjs';
import { writeQuietSettings } from '../../hosts/quietSettings.mjs';
import { createScratch } from '../../hosts/scratch.mjs';
import { testEnvironment } from '../../hosts/testEnvironment.mjs';
import type { Version } from '../../hosts/versions.mjs';
import { followResults } from './followResults.ts';
import type { Launch } from './launches.ts';
import type { Program } from './program.ts';
import { writeRoots } from './writeRoots.ts';
import { LOADER_VARIABLE, type LoaderTask, type TestResult } from './results.ts';

/** Longer than any run that makes progress; a hang ends here and not with the whole budget. */
const LIMIT_MS = 6 * 60_000;

export interface LaunchPlan {
  readonly repository: string;
  /** The extension under development, or several: the tests belong to the first. */
  readonly extension: string | readonly string[];
  readonly demo: string;
  readonly program: Program;
  readonly version: Version;
  readonly launch: Launch;
  readonly loader: string;
  readonly files: readonly string[];
  readonly grep?: string | undefined;
}

/** Starts VS Code once and returns every result. What it printed is kept in out/host/*.log. */
export async function runLaunch(plan: LaunchPlan, onResult: (result: TestResult) => void): Promise<void> {
  const scratch = await createScratch('host');
  const home = scratch.path;
  const results = join(home, 'results.jsonl');
  try {
    await writeFile(results, '');
    const folder = join(home, 'demo');
    if (plan.launch.folder) await cp(plan.demo, folder, { recursive: true });
    // The browser's VS Code saves by itself after a second; what is unsaved in a test stays so.
    await writeQuietSettings(join(home, 'user'), { 'files.autoSave': 'off' });
    const following = followResults(results, onResult);
    const opened = plan.launch.kind === 'roots' ? await writeRoots(home) : folder;
    const { code, log } = await start(plan, home, results, opened);
    const seen = await following.stop();
    const logFile = join(plan.repository, 'out', 'host', `${plan.version}-${plan.launch.kind}.log`);
    await writeFile(logFile, log);
    if (!seen.ended) {
      const error = `VS Code ended (${code}) before its tests did. The end of ${logFile}:\n${log.slice(-4000)}`;
      onResult({ name: `host tests of kind "${plan.launch.kind}" end`, state: 'failed', ms: 0, error });
    } else if (code !== 0 && seen.failed === 0) {
      onResult({
        name: `VS Code ends well (${plan.launch.kind})`,
        state: 'failed',
        ms: 0,
        error: `exit ${code}, see ${logFile}`,
      });
    }
  } finally {
    await scratch.remove();
  }
}

async function start(
  plan: LaunchPlan,
  home: string,
  results: string,
  opened: string,
): Promise<{ code: string | number; log: string }> {
  const task: LoaderTask = {
    files: plan.files,
    results,
    ...(plan.grep === undefined ? {} : { grep: plan.grep }),
  };
  const options = {
    vscodeExecutablePath: plan.program.executable,
    extensionDevelopmentPath: plan.extension,
    extensionTestsPath: plan.loader,
    launchArgs: [
      ...(plan.launch.folder ? [opened] : []),
      `--user-data-dir=${join(home, 'user')}`,
      `--extensions-dir=${join(home, 'extensions')}`,
      '--disable-extensions',
    ],
  };
  const env = {
    ...testEnvironment(process.env),
    [LOADER_VARIABLE]: JSON.stringify(task),
    LOOPSCOPE_VSCODE: plan.version,
    LOOPSCOPE_TRUST: plan.launch.trusted ? 'off' : 'on',
  };
  const script = join(import.meta.dirname, 'launch.ts');
  const child = spawnTree(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)], {
    cwd: plan.repository,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout?.on('data', (chunk) => (log += String(chunk)));
  child.stderr?.on('data', (chunk) => (log += String(chunk)));
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    void killTree(child, 8000);
  }, LIMIT_MS);
  const code = await new Promise<string | number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit, signal) =>
      resolve(late ? `after the limit of ${LIMIT_MS / 1000} s` : (exit ?? signal ?? 'unknown')),
    );
  });
  clearTimeout(limit);
  return { code, log };
}

/**
 * VS Code's `extensionTestsPath`: runs the bundled test files with mocha inside the extension host and appends
 * every result to a file at once. The file, not the console, is the truth: a crash loses nothing that was seen.
 */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type { MochaOptions } from 'mocha';
import * as vscode from 'vscode';
import { LOADER_VARIABLE, type LoaderTask, type ResultLine } from './results.ts';

const OPTIONS: MochaOptions = { ui: 'bdd', timeout: 60_000, color: false, reporter: class {} as never };

export async function run(): Promise<void> {
  const task = JSON.parse(process.env[LOADER_VARIABLE] ?? '') as LoaderTask;
  const tell = (line: ResultLine) => appendFileSync(task.results, `${JSON.stringify(line)}\n`);
  process.setSourceMapsEnabled(true);
  tell({ type: 'started', vscode: vscode.version, node: process.versions.node });
  const failures = await runMocha(task, tell);
  tell({ type: 'ended' });
  if (failures > 0) throw new Error(`${failures} host tests failed`);
}

async function runMocha(task: LoaderTask, tell: (line: ResultLine) => void): Promise<number> {
  // Not bundled: mocha keeps state that its own modules must share.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha(OPTIONS);
  if (task.grep !== undefined) mocha.grep(task.grep);
  let broken = 0;
  for (const file of task.files) {
    try {
      load(mocha, file);
    } catch (error) {
      broken += 1;
      tell({
        type: 'test',
        name: `${basename(file)} loads`,
        state: 'failed',
        ms: 0,
        error: described(error),
      });
    }
  }
  return new Promise((resolve) => {
    const runner = mocha.run((failures) => resolve(failures + broken));
    runner.on('pass', (test) => tell(line(test, 'passed')));
    runner.on('pending', (test) => tell(line(test, 'skipped')));
    // Also called for a hook that failed, and again for a test that failed after it had passed.
    runner.on('fail', (test, error) => tell({ ...line(test, 'failed'), error: described(error) }));
  });
}

/** What mocha's own loader does, with a `require` that VS Code serves `vscode` to. */
function load(mocha: Mocha, file: string): void {
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  mocha.suite.emit('require', createRequire(file)(file), file, mocha);
  mocha.suite.emit('post-require', globalThis, file, mocha);
}

function line(test: Mocha.Test, state: 'passed' | 'failed' | 'skipped') {
  return { type: 'test', name: test.fullTitle(), state, ms: test.duration ?? 0 } as const;
}

/** The message of an assertion shows both values; its stack points into the sources by the inline source map. */
function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Which VS Code runs the host tests: a desktop one where there is or can be one, the server build elsewhere. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { ensureBrowser } from '../../hosts/browser.mjs';
import type { Version } from '../../hosts/versions.mjs';
import { installVSCode } from '../../hosts/vscode.mjs';

export interface Program {
  readonly executable: string;
  readonly kind: 'desktop' | 'server';
  readonly label: string;
}

export async function chooseProgram(version: Version, repository: string): Promise<Program> {
  const named = process.env['VSCODE_EXECUTABLE_PATH'];
  if (named !== undefined && named !== '') {
    return {
      executable: named,
      kind: 'desktop',
      label: `the desktop VS Code ${versionOf(named)} named in VSCODE_EXECUTABLE_PATH`,
    };
  }
  const downloaded = canShowWindows() ? await download(version, repository) : undefined;
  if (downloaded !== undefined)
    return { executable: downloaded, kind: 'desktop', label: `desktop VS Code ${version}` };
  // Both are prepared here, so that their time and errors are not those of a test.
  await installVSCode(version);
  await ensureBrowser();
  const executable = join(repository, 'test', 'hosts', 'code-in-browser');
  return { executable, kind: 'server', label: `VS Code ${version}, server build, in headless Chromium` };
}

/** A desktop VS Code on Linux needs a display, and on a machine that only runs tests there is none. */
function canShowWindows(): boolean {
  if (process.env['LOOPSCOPE_HOST'] === 'server') return false;
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

async function download(version: Version, repository: string): Promise<string | undefined> {
  try {
    return await downloadAndUnzipVSCode({
      version,
      cachePath: join(repository, '.vscode-test'),
      timeout: 15_000,
    });
  } catch (error) {
    process.stdout.write(`No desktop VS Code ${version} here (${(error as Error).message}).\n`);
    return undefined;
  }
}

function versionOf(executable: string): string {
  const shell = process.platform === 'win32';
  const { stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8', timeout: 20_000, shell });
  return /^\d+\.\d+\.\d+/m.exec(stdout ?? '')?.[0] ?? '(version unknown)';
}

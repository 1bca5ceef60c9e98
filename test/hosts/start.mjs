// @ts-check
/**
 * npm start: opens VS Code on examples/demo with the extension loaded and an agent stopped before its first
 * request. In desktop VS Code where there is one, otherwise in its server build and the user's browser.
 *   --server  the server build in any case
 *   --check   the server build, driven by a headless browser until the agent is stopped; then it ends
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';
import { findDesktopVSCode } from './desktopVSCode.mjs';
import { openAddress } from './openAddress.mjs';
import { spawnTree } from './processTree.mjs';
import { startServer } from './server.mjs';
import { NEWEST } from './versions.mjs';
import { installVSCode } from './vscode.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, '..', '..');
const demo = join(repository, 'examples', 'demo');
const extensions = [repository, join(here, 'starter-extension')];

const check = process.argv.includes('--check');
try {
  await ensureDependencies(repository);
  console.log('Building …');
  await run(process.execPath, ['esbuild.js']);
  const desktop = check || process.argv.includes('--server') ? undefined : findDesktopVSCode();
  if (desktop === undefined) await inServer();
  else await inDesktop(desktop);
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}

/** @param {string} program */
async function inDesktop(program) {
  console.log(`Opening ${program} on examples/demo.`);
  // As root it refuses to start without these two.
  const asRoot =
    process.getuid?.() === 0
      ? ['--no-sandbox', `--user-data-dir=${join(repository, '.vscode-test', 'start')}`]
      : [];
  await run(program, [
    '--new-window',
    ...asRoot,
    ...extensions.map((path) => `--extensionDevelopmentPath=${path}`),
    demo,
  ]);
}

async function inServer() {
  const vscode = await installVSCode(NEWEST);
  const server = await startServer({ vscode, linked: extensions, defaultFolder: demo });
  const url = `${server.origin}/`;
  if (check) {
    const { seeStop } = await import('./seeStop.mjs');
    console.log(`Stopped at: ${await seeStop(url, join(repository, 'out', 'pictures', 'start.png'))}`);
    await server.close();
    process.exit(0);
  }
  console.log(`\nVS Code ${NEWEST} with Loopscope is at\n\n  ${url}\n\nCtrl-C ends it.`);
  openAddress(url);
}

/** @param {string} command @param {readonly string[]} args */
async function run(command, args) {
  const shell = process.platform === 'win32' && command.endsWith('.cmd');
  const quoted = shell ? args.map((arg) => `"${arg}"`) : args;
  const child = spawnTree(shell ? `"${command}"` : command, quoted, {
    cwd: repository,
    stdio: 'inherit',
    shell,
  });
  const code = await new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed (exit ${code}).`);
}

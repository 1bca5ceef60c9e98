// @ts-check
/** Installs packaged extensions (.vsix) for VS Code's server. */
import { join } from 'node:path';
import { spawnTree } from './processTree.mjs';
import { createScratch } from './scratch.mjs';

/**
 * @param {import('./vscode.mjs').Installed} vscode
 * @param {readonly string[]} files
 * @param {string} extensionsDir
 */
export async function installExtensions(vscode, files, extensionsDir) {
  const scratch = await createScratch('install');
  const args = [
    join(vscode.root, 'out', 'server-main.js'),
    '--accept-server-license-terms',
    ...['--server-data-dir', scratch.path, '--extensions-dir', extensionsDir],
    ...files.flatMap((file) => ['--install-extension', file]),
  ];
  try {
    const child = spawnTree(vscode.node, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    // It exits with 0 when a file could not be installed.
    if (code !== 0 || !/was successfully installed/.test(output)) {
      throw new Error(`${files.join(', ')} could not be installed in VS Code ${vscode.version}:\n${output}`);
    }
  } finally {
    await scratch.remove();
  }
}

// @ts-check
import { spawnTree } from '../hosts/processTree.mjs';

/**
 * Runs a command to its end. Its output is returned, and shown as it comes when `show` is set.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, show?: boolean }} options
 * @returns {Promise<{ code: number, output: string, ms: number }>}
 */
export function runCommand(command, args, { cwd, env = process.env, show = false }) {
  const started = Date.now();
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && command === 'npm';
    const child = spawnTree(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    /** @param {Buffer} chunk */
    const take = (chunk) => {
      output += chunk;
      if (show) process.stdout.write(chunk);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output, ms: Date.now() - started }));
  });
}

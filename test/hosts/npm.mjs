// @ts-check
/** Runs npm for a folder of its own: neither this repository's settings nor an outer `npm run` reach it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnTree } from './processTree.mjs';

/** What an outer npm may hand down: how to reach the registry. All else (omit, prefix, save, …) is ours to say. */
const CONNECTION =
  /^npm_config_(registry|cache|.*proxy|cafile|ca|strict_ssl|userconfig|globalconfig|nodedir|_.*|\/\/.*)$/i;

/**
 * @param {readonly string[]} args
 * @param {{ cwd: string, inherit?: boolean }} options `inherit` shows npm's own output as it comes
 * @returns {Promise<string>} standard output
 */
export async function npm(args, { cwd, inherit = false }) {
  const [command, ...first] = npmCommand();
  const child = spawnTree(command, [...first, ...args], {
    cwd,
    env: cleanEnvironment(),
    stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => (err += chunk));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Error(`npm ${args.join(' ')} failed (exit ${code}) in ${cwd}\n${err.trim().slice(-2000)}`);
  return out;
}

/** @returns {[string, ...string[]]} */
function npmCommand() {
  const outer = process.env['npm_execpath'];
  if (outer?.endsWith('npm-cli.js') && existsSync(outer)) return [process.execPath, outer];
  const beside = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return existsSync(beside) ? [process.execPath, beside] : ['npm'];
}

function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        name !== 'INIT_CWD' && name !== 'NODE_ENV' && (!/^npm_/i.test(name) || CONNECTION.test(name)),
    ),
  );
}

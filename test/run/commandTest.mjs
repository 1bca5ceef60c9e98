// @ts-check
import { runCommand } from './command.mjs';

/**
 * A command that is a test: it passes when it exits with 0.
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<import('./result.mjs').Result>}
 */
export async function commandTest(name, command, args, cwd) {
  const { code, output, ms } = await runCommand(command, args, { cwd });
  const passed = code === 0;
  console.log(`  ${passed ? '✔' : '✖'} ${name} (${(ms / 1000).toFixed(1)} s)`);
  if (!passed) console.log(output.trim().replace(/^/gm, '      '));
  return passed ? { name, state: 'passed', ms } : { name, state: 'failed', ms, error: `exit ${code}` };
}

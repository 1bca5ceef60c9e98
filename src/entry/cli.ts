#!/usr/bin/env node
/** The headless entry: `run` an agent, `check` a journal, show its `tools` and its `memory`, `dap` for any debug client. */
import { checkCommand } from './cli/check.ts';
import { dapCommand } from './cli/dap.ts';
import { exitCodes } from './cli/exitCodes.ts';
import { memoryCommand } from './cli/memory.ts';
import { runCommand } from './cli/run.ts';
import { toolsCommand } from './cli/tools.ts';

const help = `Loopscope: run and debug LLM agents.

Usage: loopscope <command> [options]

Commands:
  run <agent file> [goal]   run an agent; log lines and the answer on stdout
  dap                       speak the Debug Adapter Protocol on stdin and stdout
  check <journal file>      prove a journal: every request body rebuilds to its hash
  tools <agent file>        show an agent's tools: effects, approval, cost, and what is sent of them
  memory <agent file>       show what an agent remembers of earlier sessions, or forget it

Each command explains itself with --help.
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case 'run':
      return runCommand(rest);
    case 'dap':
      return dapCommand(rest);
    case 'check':
      return checkCommand(rest);
    case 'tools':
      return toolsCommand(rest);
    case 'memory':
      return memoryCommand(rest);
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(help);
      return exitCodes.done;
    default:
      process.stderr.write(command === undefined ? help : `Unknown command "${command}".\n\n${help}`);
      return exitCodes.badInput;
  }
}

// A reader that goes away (`loopscope run … | head`) is no fault of the run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const exitCode = await main(process.argv.slice(2));
// What was said is written out first; what still hangs (a read, a tool that ignored its signal) is not waited for.
for (const stream of [process.stdout, process.stderr])
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
process.exit(exitCode);

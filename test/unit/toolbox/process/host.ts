/** A process that runs a command, so that a test can end it in any way. */
import { runProcess } from '../../../../src/toolbox/process/runProcess.ts';

await runProcess({
  command: process.argv.slice(2),
  cwd: '.',
  env: process.env,
  stdin: '',
  signal: new AbortController().signal,
});

/** One start of VS Code with host tests, by @vscode/test-electron, which writes all that VS Code prints to stdout. */
import { runTests } from '@vscode/test-electron';

const [options] = process.argv.slice(2);
try {
  process.exitCode = await runTests(JSON.parse(options ?? '') as Parameters<typeof runTests>[0]);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}

import { readFile } from 'node:fs/promises';
import type { ResultLine, TestResult } from './results.ts';

/**
 * Passes results on while the file grows. `stop` reads what is left and says how it ended: without an `ended`
 * line VS Code went away before its tests did.
 */
export function followResults(file: string, onResult: (result: TestResult) => void) {
  let taken = 0;
  let ended = false;
  let failed = 0;

  async function read(): Promise<void> {
    const text = await readFile(file, 'utf8');
    // A line that is being written has no end yet.
    const lines = text.split('\n').slice(taken, -1);
    taken += lines.length;
    for (const line of lines) take(JSON.parse(line) as ResultLine);
  }

  function take(line: ResultLine): void {
    if (line.type === 'ended') ended = true;
    if (line.type !== 'test') return;
    const { type: _, ...result } = line;
    if (result.state === 'failed') failed += 1;
    onResult(result);
  }

  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, 300);
  return {
    async stop(): Promise<{ ended: boolean; failed: number }> {
      clearInterval(timer);
      await reading;
      await read();
      return { ended, failed };
    },
  };
}

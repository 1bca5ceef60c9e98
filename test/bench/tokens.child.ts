/**
 * One measurement of the token benchmark, in its own process: `tokens.child <library> <task> <file…>`. Prints one
 * line of JSON. Times are the processor's, not the clock's: what else the machine does falls out of them.
 */
import { readFileSync } from 'node:fs';
import { type LibraryName, loadLibrary } from './tokens.libraries.ts';

const [name, task, ...files] = process.argv.slice(2) as [LibraryName, string, ...string[]];
const text = (index: number) => readFileSync(files[index] ?? '', 'utf8');
const megabytes = (bytes: number) => bytes / 2 ** 20;

const before = process.memoryUsage.rss();
const start = process.cpuUsage();
const count = await loadLibrary(name);
count('Hello world');
const loadMs = millisecondsSince(start);

console.log(JSON.stringify(measure()));

function measure(): unknown {
  switch (task) {
    case 'load':
      return { loadMs, peakMb: megabytes(process.resourceUsage().maxRSS * 1024 - before) };
    case 'speed':
      return speed(text(0), text(1));
    case 'counts':
      return (JSON.parse(text(0)) as string[]).map(countOrNull);
    default:
      throw new Error(`unknown task ${task}`);
  }
}

/** Warmed up on one text (often, as compilers of hot code want it), measured on another that was never seen. */
function speed(warmUp: string, unseen: string) {
  // Not the same text twice: some remember what they counted.
  for (let round = 0; round < 5; round++) count(`${round}${warmUp}`);
  const from = process.cpuUsage();
  const tokens = count(unseen);
  return { tokens, ms: millisecondsSince(from) };
}

/** null: it threw. */
function countOrNull(odd: string): number | null {
  try {
    return count(odd);
  } catch {
    return null;
  }
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

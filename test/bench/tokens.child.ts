/**
 * One measurement of the token benchmark, in its own process: `tokens.child <library> <task> <file…>`. Prints one
 * line of JSON. Times are the processor's, not the clock's: what else the machine does falls out of them.
 */
import { readFileSync } from 'node:fs';
import { type Contestant, loadLibrary } from './tokens.libraries.ts';

const [name, task, ...files] = process.argv.slice(2) as [Contestant, string, ...string[]];
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
      return speed(text(0), text(1), 1500);
    case 'hostile':
      return counted(text(0));
    case 'counts':
      return (JSON.parse(text(0)) as string[]).map(countOrNull);
    default:
      throw new Error(`unknown task ${task}`);
  }
}

/**
 * The first quarter of the unseen text while all is cold; then the warm-up text, over and over, for as much of the
 * processor's time as every contestant gets (compilers of hot code need time, not text, and caches fill up on either
 * side); then the rest of the unseen text, once. No text is measured twice, so what anybody remembers of it is what a
 * language repeats.
 */
function speed(warmUp: string, unseen: string, warmUpMs: number) {
  const quarter = unseen.indexOf('\n', unseen.length / 4) + 1;
  const cold = counted(unseen.slice(0, quarter));
  const from = process.cpuUsage();
  // Not the same text twice: some remember what they counted.
  for (let round = 0; millisecondsSince(from) < warmUpMs; round++) count(`${round}${warmUp}`);
  return { cold, warm: counted(unseen.slice(quarter)) };
}

function counted(once: string) {
  const kilobytes = Buffer.byteLength(once) / 1e3;
  const from = process.cpuUsage();
  const tokens = count(once);
  return { kilobytes, tokens, ms: millisecondsSince(from) };
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

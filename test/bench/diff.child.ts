/**
 * One contestant on one input, in a process of its own: `diff.child.js <input> <contestant>`. The first result is
 * timed (a panel compares once) and judged; then, warmed up, the median of several. In CPU time: other programs
 * on the machine stretch the time on the clock, and V8's helpers count.
 */
import { inputs } from './diff.inputs.ts';
import { contestants } from './diff.libraries.ts';

const [title = '', name = ''] = process.argv.slice(2);
const input = inputs[title]?.();
const enter = input && contestants[input.kind][name];
if (!enter) throw new Error(`no such contest: ${title}, ${name}`);
const { run, judge } = await enter(input);

function timed<Result>(work: () => Result): readonly [ms: number, result: Result] {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return [(user + system) / 1000, result];
}

const batches = 7;
/** CPU milliseconds that a batch takes at least, and all the warm-up. */
const batchMs = 10;
const warmUpMs = 150;

const [firstMs, first] = timed(run);
const peakMb = process.resourceUsage().maxRSS / 1024;
const verdict = judge(first);
let spent = 0;
let runs = 0;
for (; spent < warmUpMs && runs < 40; runs++) spent += timed(run)[0];
const perBatch = Math.max(1, Math.ceil(batchMs / (spent / runs)));
const measured = Array.from({ length: firstMs > 1000 ? 1 : batches }, () => {
  const [ms] = timed(() => {
    for (let index = 0; index < perBatch; index++) run();
  });
  return ms / perBatch;
});
process.stdout.write(`${JSON.stringify({ firstMs, ms: measured, peakMb, ...verdict })}\n`);

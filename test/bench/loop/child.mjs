// @ts-check
/**
 * One measurement of the loop benchmark, in a process of its own: `child.mjs FILE WARM-UP-BASE BASE ROUNDS`.
 * A run of 20 rounds warms up; then CPU and wall time of the run are taken from call to call. One line of JSON.
 */
import { resultOf } from './modelServer.mjs';

const [file = '', warmUp = '', base = '', rounds = '0'] = process.argv.slice(2);
/** @type {{ run(options: { base: string, rounds: number, step: (n: number) => string }): Promise<string>, journalBytes?: number }} */
const contestant = await import(`./${file}`);

await contestant.run({ base: warmUp, rounds: 20, step: resultOf });

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const total = Number(rounds);
const fifth = Math.max(1, Math.floor(total / 5));
/** CPU after so many calls, where it is looked at: reading it costs time too. @type {Map<number, number>} */
const marks = new Map();
const atStart = cpuMs();
let calls = 0;
const started = performance.now();
const answer = await contestant.run({
  base,
  rounds: total,
  step(n) {
    if (n !== calls++) throw new Error(`step ${n} was called ${calls}th`);
    if (calls === fifth || calls === total - fifth || calls === total) marks.set(calls, cpuMs());
    return resultOf(n);
  },
});
const wallMs = performance.now() - started;
const all = cpuMs() - atStart;
const at = (/** @type {number} */ calls) => marks.get(calls) ?? NaN;
console.log(
  JSON.stringify({
    answer,
    calls,
    journalBytes: contestant.journalBytes,
    cpuMs: all,
    wallMs,
    firstMs: (at(fifth) - atStart) / fifth,
    lastMs: (at(total) - at(total - fifth)) / fifth,
    peakMb: process.resourceUsage().maxRSS / 1024,
  }),
);
// Some contestants keep sockets or timers that would hold the process.
process.exit(0);

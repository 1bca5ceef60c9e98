/** Real processes as tests watch them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processList } from '../../../../src/toolbox/process/processList.ts';

/** Milliseconds after which what is waited for is taken for something that never comes: a failure, never a pass. */
const longest = 20_000;

/** Resolves as soon as the condition holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + longest; !(await holds());) {
    assert.ok(performance.now() < end, `waited in vain: ${what}`);
    await delay(10);
  }
}

/** The process id that a script wrote to a file, once it has. */
export async function pidIn(file: string): Promise<number> {
  await until(`${file} is written`, () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  return Number(readFileSync(file, 'utf8'));
}

/** Something of it still runs; one that has ended and that nobody has reaped does not. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await processList()).some((one) => one.pid === pid && !one.isZombie);
}

export async function ended(pid: number): Promise<void> {
  await until(`process ${pid} ends`, async () => !(await isRunning(pid)));
}

// @ts-check
/**
 * Child processes that cannot outlive us: each is the leader of its own process group, and the whole group
 * goes when it is asked to, when this process ends, and when it is interrupted.
 */
import { spawn, spawnSync } from 'node:child_process';

const windows = process.platform === 'win32';

/** @type {Set<import('node:child_process').ChildProcess>} */
const alive = new Set();
/** @type {WeakMap<import('node:child_process').ChildProcess, Promise<void>>} */
const ending = new WeakMap();
let guarded = false;
let interrupted = false;

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function spawnTree(command, args, options) {
  guard();
  if (interrupted) throw new Error('Interrupted: nothing is started any more.');
  const child = spawn(command, [...args], { ...options, detached: !windows });
  alive.add(child);
  child.once('exit', () => {
    alive.delete(child);
    // Its group can hold members that it forgot. One that was told to end has members that clean up.
    if (!ending.has(child)) signalTree(child, 'SIGKILL');
  });
  child.once('error', () => alive.delete(child));
  return child;
}

/**
 * Asks the tree to end, insists after `patience` ms, and resolves when all of it is gone.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<void>}
 */
export function killTree(child, patience = 5000) {
  if (!alive.has(child)) return ending.get(child) ?? Promise.resolve();
  const end = ending.get(child) ?? endTree(child, patience);
  ending.set(child, end);
  return end;
}

/** @param {import('node:child_process').ChildProcess} child @param {number} patience */
async function endTree(child, patience) {
  signalTree(child, 'SIGTERM');
  const deadline = Date.now() + patience;
  while (isThere(child) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 30));
  signalTree(child, 'SIGKILL');
}

/**
 * process.exit, unless this process was interrupted and is cleaning up: then that ends it.
 * @param {number} code
 */
export function exit(code) {
  if (!interrupted) process.exit(code);
}

/**
 * Runs the clean-up first when this process is told to end: newest first, once. Returns how to take it back.
 * @param {() => unknown} cleanUp
 */
export function onInterrupt(cleanUp) {
  guard();
  cleanUps.unshift(cleanUp);
  return () => {
    const at = cleanUps.indexOf(cleanUp);
    if (at >= 0) cleanUps.splice(at, 1);
  };
}

/** @type {(() => unknown)[]} */
const cleanUps = [];

function guard() {
  if (guarded) return;
  guarded = true;
  process.on('exit', () => {
    for (const child of alive) signalTree(child, 'SIGKILL');
  });
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    process.once(signal, () => {
      // A second signal, or a clean-up that hangs, ends us at once; 'exit' still kills the trees. Signals that
      // come together are one: a group's, and that of a parent which passes it on.
      const first = Date.now();
      process.on(signal, () => void (Date.now() - first > 1000 && process.exit(code)));
      interrupted = true;
      // What was going on fails now, which is no news and must not cut the clean-up short.
      for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => {});
      setTimeout(() => process.exit(code), 15_000).unref();
      void cleanUp().finally(() => process.exit(code));
    });
  }
}

async function cleanUp() {
  await Promise.all([...alive].map((child) => killTree(child)));
  for (const step of cleanUps.splice(0)) {
    try {
      await step();
    } catch (error) {
      console.error(error);
    }
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function isThere(child) {
  if (windows) return child.exitCode === null && child.signalCode === null;
  try {
    process.kill(-(child.pid ?? 0), 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalTree(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (!windows) process.kill(-child.pid, signal);
    else if (child.exitCode === null) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
  } catch (error) {
    // ESRCH: the group is gone already, which is what was wanted.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

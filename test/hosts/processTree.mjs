// @ts-check
/**
 * Child processes that cannot outlive us: each is the leader of its own process group, and the whole group
 * goes when it is asked to, when this process ends, and when it is interrupted.
 */
import { spawn, spawnSync } from 'node:child_process';

const windows = process.platform === 'win32';

/** @type {Set<import('node:child_process').ChildProcess>} */
const alive = new Set();
let guarded = false;

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function spawnTree(command, args, options) {
  guard();
  const child = spawn(command, [...args], { ...options, detached: !windows });
  alive.add(child);
  // The group can hold members after its leader has gone: sweep it.
  child.once('exit', () => {
    signalTree(child, 'SIGKILL');
    alive.delete(child);
  });
  child.once('error', () => alive.delete(child));
  return child;
}

/**
 * Asks the tree to end, insists after `patience` ms, and resolves when its leader is gone.
 * @param {import('node:child_process').ChildProcess} child
 */
export async function killTree(child, patience = 3000) {
  if (!alive.has(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  signalTree(child, 'SIGTERM');
  const insist = setTimeout(() => signalTree(child, 'SIGKILL'), patience);
  await gone;
  clearTimeout(insist);
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
      // A second signal, or a clean-up that hangs, ends us at once; 'exit' still kills the trees.
      process.once(signal, () => process.exit(code));
      setTimeout(() => process.exit(code), 5000).unref();
      void runCleanUps().finally(() => process.exit(code));
    });
  }
}

async function runCleanUps() {
  for (const cleanUp of cleanUps.splice(0)) {
    try {
      await cleanUp();
    } catch (error) {
      console.error(error);
    }
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

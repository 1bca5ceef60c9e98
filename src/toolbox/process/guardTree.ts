/**
 * No command outlives the process that runs it, however that ends: by a signal that nobody handles, killed outright,
 * crashed. A process that has ended can end nothing, so on POSIX a small shell waits beside the command at a pipe
 * that only this process holds open. Windows has no such shell; there it is done when the process exits in order.
 */
import { spawn, spawnSync } from 'node:child_process';
import { taskkill } from './endTree.ts';

/** Reads a line when the command is over; the end of the pipe without one means that its holder is gone. */
const script = '{ read -r over || { kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"; }; } 2>/dev/null';

/** Guards the group that a command leads. The function that it returns says that the command is over. */
export function guardTree(pid: number): () => void {
  return process.platform === 'win32' ? guardByExit(pid) : guardByShell(pid);
}

function guardByShell(pid: number): () => void {
  // In a group of its own: what a terminal sends to ours must not end the guard.
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it a command is as well guarded as any other child.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  return () => guard.stdin.end('\n');
}

const guarded = new Set<number>();

function guardByExit(pid: number): () => void {
  if (guarded.size === 0) process.on('exit', endAll);
  guarded.add(pid);
  return () => {
    guarded.delete(pid);
    if (guarded.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const pid of guarded) {
    const [file, args] = taskkill(pid, process.env);
    spawnSync(file, args, { windowsHide: true, stdio: 'ignore', timeout: 1000 });
  }
}

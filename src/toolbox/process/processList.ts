import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** It has ended and nobody has asked how: nothing of it runs. */
  readonly isZombie: boolean;
}

/** The processes of a POSIX system as they are now; empty where they can not be told. Never rejects. */
export async function processList(): Promise<readonly ProcessEntry[]> {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** Linux, without `ps`: small images have none, or one with other options. */
function fromProc(): readonly ProcessEntry[] {
  return names('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    // `pid (name) state ppid pgrp …`, where the name may hold blanks and brackets.
    const [state, parent, group] = afterName(`/proc/${name}/stat`).split(' ');
    return entry(name, parent, group, state);
  });
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function afterName(file: string): string {
  try {
    const text = readFileSync(file, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2);
  } catch {
    // It has ended since.
    return '';
  }
}

async function fromPs(): Promise<readonly ProcessEntry[]> {
  try {
    const columns = ['-A', '-o', 'pid=,ppid=,pgid=,stat='];
    const { stdout } = await promisify(execFile)('ps', columns, { timeout: 1000, maxBuffer: 2 ** 24 });
    return stdout.split('\n').flatMap((line) => {
      const [pid, parent, group, state] = line.trim().split(/\s+/);
      return entry(pid, parent, group, state);
    });
  } catch {
    return [];
  }
}

function entry(
  pid: string | undefined,
  parent: string | undefined,
  group: string | undefined,
  state: string | undefined,
): ProcessEntry[] {
  if (!pid || !parent || !group || !state) return [];
  const isZombie = state.startsWith('Z') || state.startsWith('X');
  return [{ pid: Number(pid), parent: Number(parent), group: Number(group), isZombie }];
}

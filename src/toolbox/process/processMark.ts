/**
 * A mark in the environment of a command, which all that it starts inherits: a process that left the command's group and
 * lost its parent (a double fork, `setsid`) is found by nothing else. Where the system shows it: on Linux.
 */
import { readFileSync } from 'node:fs';
import type { ProcessEntry } from './processList.ts';

const name = 'LOOPSCOPE_COMMAND';
let made = 0;

export interface ProcessMark {
  /** What a command is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether a process was started by the command, at whatever distance. */
  isOn(process: ProcessEntry): boolean;
}

export function createProcessMark(): ProcessMark {
  const value = `${process.pid}.${++made}`;
  if (process.platform !== 'linux') return { env: {}, isOn: () => false };
  return { env: { [name]: value }, isOn: ({ pid }) => environmentOf(pid).includes(`${name}=${value}`) };
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended since, or is somebody else's.
    return [];
  }
}

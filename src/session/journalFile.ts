/** A journal on disk: one writer at a time, appended to with complete lines. Files are readable by their owner only. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { JournalEvent } from '../core/events.ts';
import type { JournalSink } from '../core/ports.ts';
import { readJournalText } from './journalText.ts';

export type OpenedJournal =
  | {
      readonly ok: true;
      readonly sink: JournalSink;
      /** The events that the file held. */
      readonly past: readonly JournalEvent[];
      /** Said to the user when the file was repaired. */
      readonly notice?: string;
    }
  | { readonly ok: false; readonly message: string };

/** Opens a journal file to append to, creating it and its folder when they are not there. Never throws. */
export function openJournalFile(file: string): OpenedJournal {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const lock = takeLock(`${file}.lock`);
    if (!lock.ok)
      return {
        ok: false,
        message: `${file} is being written by process ${lock.owner}; close that session first.`,
      };
    const opened = openLocked(file, lock.release);
    if (!opened.ok) lock.release();
    return opened;
  } catch (error) {
    return { ok: false, message: `Can not open the journal ${file}: ${(error as Error).message}` };
  }
}

function openLocked(file: string, release: () => void): OpenedJournal {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const read = readJournalText(text);
  if (!read.ok)
    return { ok: false, message: `${file}:${read.line}: ${read.message}. Name another journal file.` };
  if (read.torn !== undefined) fs.truncateSync(file, Buffer.byteLength(text.slice(0, read.whole)));
  const fd = fs.openSync(file, 'a', 0o600);
  return {
    ok: true,
    past: read.events,
    sink: createSink(fd, release),
    ...(read.torn === undefined
      ? {}
      : { notice: `${file}: the last line was torn (${read.torn.length} characters) and was cut off.` }),
  };
}

function createSink(fd: number, release: () => void): JournalSink {
  let open = true;
  return {
    write(lines) {
      if (!open) return;
      const bytes = Buffer.from(lines);
      for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
    },
    sync() {
      if (open) fs.fsyncSync(fd);
    },
    close() {
      if (!open) return;
      open = false;
      fs.closeSync(fd);
      release();
    },
  };
}

type Lock =
  { readonly ok: true; readonly release: () => void } | { readonly ok: false; readonly owner: number };

/** A lock file that names its owner; one left by a process that is gone is taken over. */
function takeLock(file: string): Lock {
  for (let attempt = 0; ; attempt++) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return { ok: true, release: () => fs.rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 0) throw error;
      const owner = Number(fs.readFileSync(file, 'utf8'));
      if (isAlive(owner)) return { ok: false, owner };
      fs.rmSync(file, { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

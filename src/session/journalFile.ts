/** A journal on disk: one writer at a time, appended to with complete lines. Files are readable by their owner only. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { JournalEvent } from '../core/events.ts';
import type { JournalSink } from '../core/ports.ts';
import { readJournalText } from './journalText.ts';
import { takeLock } from './lockFile.ts';

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
export function openJournalFile(named: string): OpenedJournal {
  let release: (() => void) | undefined;
  try {
    fs.mkdirSync(path.dirname(named), { recursive: true });
    // One lock per file, whatever path leads to it.
    const file = fs.existsSync(named) ? fs.realpathSync(named) : named;
    if (fs.existsSync(file) && !fs.statSync(file).isFile())
      return { ok: false, message: `Can not open the journal ${named}: it is not a file.` };
    const lock = takeLock(`${file}.lock`);
    if (!lock.ok)
      return { ok: false, message: `${named} is being written by ${lock.owner}; close that session first.` };
    release = lock.release;
    const opened = openLocked(file, lock.release);
    if (!opened.ok) release();
    return opened;
  } catch (error) {
    release?.();
    return { ok: false, message: `Can not open the journal ${named}: ${(error as Error).message}` };
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
    sink: createFileSink(fd, release),
    ...(read.torn === undefined
      ? {}
      : { notice: `${file}: the last line was torn (${read.torn.length} characters) and was cut off.` }),
  };
}

/** Writes all or nothing: what was written of lines that did not fit is cut off again. */
export function createFileSink(fd: number, release: () => void): JournalSink {
  let open = true;
  /** Bytes of whole lines: where the next ones go. */
  let size = fs.fstatSync(fd).size;
  let isTorn = false;
  const cutTorn = () => {
    fs.ftruncateSync(fd, size);
    isTorn = false;
  };
  return {
    write(lines) {
      if (!open) throw new Error('the journal is closed');
      // Writing to a file that was deleted succeeds, and nobody would ever read it.
      if (fs.fstatSync(fd).nlink === 0) throw new Error('the journal file was deleted');
      if (isTorn) cutTorn();
      const bytes = Buffer.from(lines);
      try {
        for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
      } catch (error) {
        isTorn = true;
        try {
          cutTorn();
        } catch {
          // It is cut before the next write.
        }
        throw error;
      }
      size += bytes.length;
    },
    sync() {
      if (open) fs.fsyncSync(fd);
    },
    close() {
      if (!open) return;
      open = false;
      try {
        fs.closeSync(fd);
      } finally {
        release();
      }
    },
  };
}

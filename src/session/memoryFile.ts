/**
 * Long-term memory: what the last sessions of an agent came to, in a JSON file that people read, edit and delete. It is
 * written whole and in one step, and a file that can not be read is never written over.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { capText } from '../core/capText.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import { type Lock, takeLock } from './lockFile.ts';

/** One session, in a few sentences. */
export interface Memory {
  readonly session: string;
  /** When it was written, ISO 8601. */
  readonly at: string;
  readonly summary: string;
}

export type Memories =
  { readonly ok: true; readonly memories: readonly Memory[] } | { readonly ok: false; readonly why: string };

/** Characters (code points) of one summary. */
export const longestMemory = 1200;
/** Sessions that are kept, and characters of all their summaries. */
const most = 5;
const longestOfAll = 4000;
/** Bytes: whatever is larger was not written here. */
const largestFile = 1_000_000;
/** How often a lock that another holds is tried for, and milliseconds between: it is held for one write. */
const attempts = 100;
const pauseMs = 20;

/** What is remembered, oldest first and bounded; nothing where there is no file. Never throws. */
export function readMemories(file: string): Memories {
  try {
    const { size } = fs.statSync(file);
    if (size > largestFile) return broken(file, `it is larger than ${largestFile} bytes`);
    return parse(file, fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ok: true, memories: [] };
    return broken(file, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Adds what a session came to, in place of what it had come to before. The text must be free of secrets. Another window
 * that writes at the same time is waited for: neither's session is lost. Never rejects.
 */
export async function addMemory(file: string, memory: Memory): Promise<Memories> {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const lock = await takePatiently(`${file}.lock`);
    if (!lock.ok) return { ok: false, why: `the memory file ${file} is written by ${lock.owner}` };
    try {
      return addTo(file, memory);
    } finally {
      lock.release();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, why: `the memory file ${file} can not be written: ${why}` };
  }
}

/** Deletes the file; false when there is none. Throws what the disk throws. */
export function forgetMemories(file: string): boolean {
  const isThere = fs.existsSync(file);
  fs.rmSync(file, { force: true });
  return isThere;
}

function addTo(file: string, memory: Memory): Memories {
  const known = readMemories(file);
  if (!known.ok) return known;
  const others = known.memories.filter(({ session }) => session !== memory.session);
  const memories = bounded([...others, memory]);
  writeWhole(file, `${JSON.stringify({ v: 1, memories }, undefined, 2)}\n`);
  return { ok: true, memories };
}

async function takePatiently(file: string): Promise<Lock> {
  for (let attempt = 1; ; attempt++) {
    const lock = takeLock(file);
    if (lock.ok || attempt >= attempts) return lock;
    await delay(pauseMs);
  }
}

function parse(file: string, text: string): Memories {
  const value = parseJson(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (!isRecord(value)) return broken(file, 'it is not a JSON object');
  if (value['v'] !== 1) return broken(file, 'its version ("v") is not 1');
  const { memories } = value;
  if (!Array.isArray(memories)) return broken(file, '"memories" is not a list');
  const wrong = memories.findIndex((one) => !isMemory(one));
  if (wrong >= 0) return broken(file, `memories[${wrong}] has not the texts "session", "at" and "summary"`);
  return { ok: true, memories: bounded(memories as readonly Memory[]) };
}

function broken(file: string, why: string): Memories {
  return { ok: false, why: `the memory file ${file} can not be used: ${why}` };
}

function isMemory(value: unknown): value is Memory {
  return isRecord(value) && ['session', 'at', 'summary'].every((key) => typeof value[key] === 'string');
}

/** The newest ones that fit. Lines are joined: a summary can not look like another entry. */
function bounded(memories: readonly Memory[]): readonly Memory[] {
  const short = memories
    .map(({ session, at, summary }) => ({ session, at, summary: oneLine(summary) }))
    .slice(-most);
  while (short.reduce((sum, { summary }) => sum + summary.length, 0) > longestOfAll) short.shift();
  return short;
}

function oneLine(text: string): string {
  return capText(text.replace(/\s+/g, ' ').trim(), longestMemory);
}

/** A reader finds the old text or the new one, whatever happens in between; a link stays one. */
function writeWhole(given: string, text: string): void {
  const file = fs.existsSync(given) ? fs.realpathSync(given) : given;
  const draft = `${file}.${process.pid}.tmp`;
  try {
    fs.writeFileSync(draft, text, { mode: 0o600, flush: true });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

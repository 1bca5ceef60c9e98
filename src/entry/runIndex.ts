/**
 * The journals of a folder as a list of runs. Each is read once: what was read is kept beside them, by name, size and
 * time, so that a list of hundreds of journals costs one look at each file's size.
 */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { parseJson } from '../core/parseMessage.ts';
import { type JournalSummary, summariseJournal } from './journalSummary.ts';
import type { Entry } from './runIndexShape.ts';

export interface StoredSession extends JournalSummary {
  readonly file: string;
}

export interface RunIndex {
  /**
   * The sessions of the folder, the one written last first; files that are given are left out. Never rejects: a
   * file that can not be read costs the others nothing, and is told of.
   */
  list(except?: ReadonlySet<string>): Promise<readonly StoredSession[]>;
  /** The file of a session; undefined when the folder has none. */
  find(session: string): Promise<string | undefined>;
}

/** Beside the journals, for this user alone. It can be deleted: it is made anew. */
export const indexName = 'runs.json';

/** @param onUnread told, in words, of each file that can not be read */
export function createRunIndex(folder: string, onUnread: (why: string) => void): RunIndex {
  const indexFile = path.join(folder, indexName);
  let known: Map<string, Entry> | undefined;
  /** One look at a time: two would read the same files twice. */
  let looking: Promise<unknown> = Promise.resolve();

  async function look(except: ReadonlySet<string>): Promise<readonly StoredSession[]> {
    known ??= await readIndex(indexFile);
    const names = await fs.readdir(folder).catch((): string[] => []);
    const journals = names.filter((name) => name.endsWith('.jsonl'));
    let isNew = false;
    for (const name of [...known.keys()]) if (!journals.includes(name)) isNew = known.delete(name);
    const found: (StoredSession & { readonly mtime: number })[] = [];
    for (const name of journals) {
      const file = path.join(folder, name);
      if (except.has(file)) continue;
      const before = known.get(name);
      const entry = await entryOf(file, before, onUnread);
      if (entry !== before) isNew = true;
      if (entry) known.set(name, entry);
      if (entry?.summary) found.push({ ...entry.summary, file, mtime: entry.mtime });
    }
    if (isNew) await writeIndex(indexFile, known);
    return found.sort((a, b) => b.mtime - a.mtime);
  }

  const list = (except: ReadonlySet<string> = new Set()) => {
    const mine = looking.then(() => look(except));
    looking = mine;
    return mine;
  };
  return {
    list,
    async find(session) {
      // A journal is called by its session, unless somebody copied or renamed it.
      const named = path.join(folder, `${path.basename(session)}.jsonl`);
      if (
        await fs.access(named).then(
          () => true,
          () => false,
        )
      )
        return named;
      return (await list()).find((one) => one.session === session)?.file;
    },
  };
}

/** What is known of a file already, when it has not changed since. */
async function entryOf(
  file: string,
  before: Entry | undefined,
  onUnread: (why: string) => void,
): Promise<Entry | undefined> {
  try {
    const { size, mtimeMs: mtime } = await fs.stat(file);
    if (before?.size === size && before.mtime === mtime) return before;
    return { size, mtime, summary: ((await summariseJournal(file)) as Entry['summary']) ?? null };
  } catch (error) {
    onUnread(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function readIndex(file: string): Promise<Map<string, Entry>> {
  const text = await fs.readFile(file, 'utf8').catch(() => '');
  // Loaded with it: the index is made at activation, and asked when runs are looked at.
  const { indexShape } = await import('./runIndexShape.ts');
  const parsed = indexShape.safeParse(parseJson(text));
  return new Map(parsed.success ? Object.entries(parsed.data.files) : []);
}

/** Whole or not at all. A folder that can not be written costs time the next time, and nothing else. */
async function writeIndex(file: string, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const own = `${file}.${process.pid}`;
  const text = JSON.stringify({ v: 1, files: Object.fromEntries(entries) });
  await fs
    .writeFile(own, text, { mode: 0o600 })
    .then(() => fs.rename(own, file))
    .catch(() => undefined);
}

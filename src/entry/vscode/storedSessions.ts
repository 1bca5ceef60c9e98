import * as vscode from 'vscode';
import type { SessionInfo } from '../../core/protocol.ts';
import type { RunIndex, StoredSession } from '../runIndex.ts';
import type { PanelSession } from './panelChannel.ts';

/** The journals that this extension keeps, each read when it is asked for. */
export interface StoredSessions {
  /** Those that `runs` has found. */
  list(): readonly SessionInfo[];
  /** One that is read, as long as somebody holds it. */
  get(id: string): PanelSession | undefined;
  /** Reads it where it is not. Never rejects: undefined where it is gone; one that can't be read is told of. */
  load(id: string): Promise<PanelSession | undefined>;
  /** Looks at the files anew, but for those that are given by their paths. Newest first. */
  runs(except: ReadonlySet<string>): Promise<readonly StoredSession[]>;
  /** The file of one that was read. */
  fileOf(id: string): vscode.Uri | undefined;
  /** Its journal was deleted. */
  forget(id: string): void;
}

export function createStoredSessions(index: RunIndex): StoredSessions {
  /** Held by the panel that shows them, and let go of with it. */
  const read = new Map<string, WeakRef<PanelSession>>();
  const reading = new Map<string, Promise<PanelSession | undefined>>();
  const files = new Map<string, vscode.Uri>();
  let found: readonly StoredSession[] = [];

  async function readStored(id: string): Promise<PanelSession | undefined> {
    const file = await index.find(id);
    if (file === undefined) return undefined;
    // Loaded with the first one: what reads and folds journals is far larger than the list of them.
    const { readStoredSession } = await import('./readStoredSession.ts');
    const session = await readStoredSession(file, id);
    if (!session) return undefined;
    read.set(id, new WeakRef(session));
    files.set(id, vscode.Uri.file(file));
    return session;
  }

  const get = (id: string) => read.get(id)?.deref();
  return {
    list: () => found.map(infoOf),
    get,
    async load(id) {
      const known = get(id);
      if (known) return known;
      let mine = reading.get(id);
      if (!mine) {
        mine = readStored(id).finally(() => reading.delete(id));
        reading.set(id, mine);
      }
      return mine;
    },
    runs: async (except) => (found = await index.list(except)),
    fileOf: (id) => files.get(id),
    forget(id) {
      read.delete(id);
      files.delete(id);
      found = found.filter(({ session }) => session !== id);
    },
  };
}

function infoOf({ session, agent, model, runs }: StoredSession): SessionInfo {
  const title = runs.at(-1)?.goal ?? agent;
  return { id: session, title, agent, model, effects: {}, live: false };
}

/** The sessions of this window: live ones, and those of earlier windows, which are read when they are asked for. */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { SessionInfo } from '../../core/protocol.ts';
import { runEntries, type RunEntry } from '../../core/runsList.ts';
import type { RunIndex, StoredSession } from '../runIndex.ts';
import { readSessionFile } from '../sessionFile.ts';
import { createLiveSession, type LiveSession, type Opened } from './liveSession.ts';
import type { PanelSession } from './panelChannel.ts';
import { openPastSession } from './pastSessions.ts';

export interface SessionStore {
  /** Those that are open, newest first, then those that `runs` has found. */
  list(): readonly SessionInfo[];
  /** One that is open: live, or read. */
  get(id: string): PanelSession | undefined;
  /** Opens it where it is not. Never rejects: undefined where it is gone; one that can't be read is told of. */
  load(id: string): Promise<PanelSession | undefined>;
  /** All sessions that this extension keeps, with their runs, newest first. Looks at the files anew. */
  runs(): Promise<readonly ListedSession[]>;
  /** The session that is being debugged, or was shown last. */
  readonly current: PanelSession | undefined;
  /** Those that this window opened, still open or not, by their own id. */
  live(id: string): LiveSession | undefined;
  lives(): readonly LiveSession[];
  /** What a debug session runs now, or ran last: a restart opens another. By VS Code's id of it. */
  liveOf(debugSession: string): LiveSession | undefined;
  /** The file of a session that is open. */
  fileOf(id: string): vscode.Uri | undefined;
  /** The journal of a session that this extension keeps, open or not. */
  find(id: string): Promise<vscode.Uri | undefined>;
  readonly onDidChangeCurrent: vscode.Event<void>;
  /** A live session reached another checkpoint, paused, went on or was edited: documents made of it are out of date. */
  readonly onDidAdvance: vscode.Event<void>;
  add(opened: Opened): LiveSession;
  /** A session that was read from a file elsewhere, which the panels may follow while its editor is open. */
  addOpened(session: PanelSession, file: vscode.Uri): void;
  /** Makes it the one that panels follow. */
  show(id: string): void;
  /** Forgets a session that is not live. */
  remove(id: string): void;
}

export interface ListedSession {
  readonly session: string;
  readonly agent: string;
  readonly model: string;
  readonly runs: readonly RunEntry[];
}

const advancing: ReadonlySet<string> = new Set(['checkpoint', 'edited', 'paused', 'resumed']);

export function createSessionStore(index: RunIndex): SessionStore {
  const lives = new Map<string, LiveSession>();
  /** Open in an editor of their own. */
  const opened = new Map<string, PanelSession>();
  /** Read from our journals: held by the panel that shows them, and let go of with it. */
  const read = new Map<string, WeakRef<PanelSession>>();
  const reading = new Map<string, Promise<PanelSession | undefined>>();
  const files = new Map<string, vscode.Uri>();
  let stored: readonly StoredSession[] = [];
  const changed = new vscode.EventEmitter<void>();
  const advanced = new vscode.EventEmitter<void>();
  let current: PanelSession | undefined;

  const get = (id: string) => lives.get(id) ?? opened.get(id) ?? read.get(id)?.deref();

  async function readStored(id: string): Promise<PanelSession | undefined> {
    const file = await index.find(id);
    const session = file === undefined ? undefined : await readJournalFile(file, id);
    if (file === undefined || !session) return undefined;
    // It may have been continued while it was read.
    if (lives.has(id)) return lives.get(id);
    read.set(id, new WeakRef(session));
    files.set(id, vscode.Uri.file(file));
    return session;
  }

  return {
    list() {
      const open = [...opened.values(), ...lives.values()].toReversed();
      const others = stored.filter(({ session }) => !lives.has(session));
      return [...open, ...others.map(infoOf)];
    },
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
    async runs() {
      const open = [...lives.values()].toReversed();
      stored = await index.list(new Set(open.map(({ journalFile }) => journalFile)));
      return [
        ...open.map(({ id, agent, model, state }) => ({
          session: id,
          agent,
          model,
          runs: runEntries(id, state),
        })),
        ...stored,
      ];
    },
    get current() {
      return current;
    },
    live: (id) => lives.get(id),
    lives: () => [...lives.values()],
    liveOf: (id) => [...lives.values()].findLast(({ debugSession }) => debugSession.id === id),
    fileOf: (id) => files.get(id),
    async find(id) {
      const file = lives.get(id)?.journalFile ?? (await index.find(id));
      return file === undefined ? undefined : vscode.Uri.file(file);
    },
    onDidChangeCurrent: changed.event,
    onDidAdvance: advanced.event,
    add(given) {
      const { session, journalFile } = given;
      const live = createLiveSession(given, () => changed.fire());
      session.journal.onEvent(({ type }) => {
        if (advancing.has(type)) advanced.fire();
      });
      // Set anew, so that the newest stands last.
      lives.delete(session.id);
      read.delete(session.id);
      lives.set(session.id, live);
      files.set(session.id, vscode.Uri.file(journalFile));
      current = live;
      changed.fire();
      return live;
    },
    addOpened(session, file) {
      opened.set(session.id, session);
      files.set(session.id, file);
    },
    show(id) {
      const session = get(id);
      if (!session || current === session) return;
      current = session;
      changed.fire();
    },
    remove(id) {
      const session = get(id);
      for (const known of [lives, opened, read, files]) known.delete(id);
      stored = stored.filter((one) => one.session !== id);
      // What was debugged last is what there is to be seen then.
      if (current === session) current = [...lives.values()].at(-1);
      changed.fire();
    },
  };
}

function infoOf({ session, agent, model, runs }: StoredSession): SessionInfo {
  const title = runs.at(-1)?.goal ?? agent;
  return { id: session, title, agent, model, effects: {}, live: false };
}

async function readJournalFile(file: string, id: string): Promise<PanelSession | undefined> {
  try {
    const name = path.basename(file);
    const found = await readSessionFile(await fs.readFile(file), { name, session: id });
    if (!found.ok) throw new Error(found.problem);
    for (const notice of found.notices) void vscode.window.showWarningMessage(notice);
    return await openPastSession(id, found.events);
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

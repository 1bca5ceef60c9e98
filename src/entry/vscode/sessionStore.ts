/** The sessions of this window: live ones, and those of earlier windows, which are read when they are asked for. */
import * as vscode from 'vscode';
import type { SessionInfo } from '../../core/protocol.ts';
import { runEntries, type RunEntry } from '../../core/runsList.ts';
import type { RunIndex } from '../runIndex.ts';
import { createCurrentSession } from './currentSession.ts';
import { createLiveSession, type LiveSession, type Opened } from './liveSession.ts';
import type { PanelSession } from './panelChannel.ts';
import { createStoredSessions } from './storedSessions.ts';

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
  /** A session that was read from a file elsewhere, or read anew: the panels may follow it while its editor is open. */
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

export function createSessionStore(index: RunIndex): SessionStore {
  const lives = new Map<string, LiveSession>();
  /** Open in an editor of their own. */
  const opened = new Map<string, PanelSession>();
  const stored = createStoredSessions(index);
  const files = new Map<string, vscode.Uri>();
  const advanced = new vscode.EventEmitter<void>();

  const get = (id: string) => lives.get(id) ?? opened.get(id) ?? stored.get(id);
  const current = createCurrentSession(get);

  return {
    list: () => [
      ...[...opened.values(), ...lives.values()].toReversed(),
      ...stored.list().filter(({ id }) => !lives.has(id)),
    ],
    get,
    async load(id) {
      const read = get(id) ?? (await stored.load(id));
      // It may have been continued while it was read.
      return lives.get(id) ?? read;
    },
    async runs() {
      const open = [...lives.values()].toReversed();
      const others = await stored.runs(new Set(open.map(({ journalFile }) => journalFile)));
      return [...open.map(listed), ...others];
    },
    get current() {
      return current.session;
    },
    live: (id) => lives.get(id),
    lives: () => [...lives.values()],
    liveOf: (id) => [...lives.values()].findLast(({ debugSession }) => debugSession.id === id),
    fileOf: (id) => files.get(id) ?? stored.fileOf(id),
    find: async (id) => uriOf(lives.get(id)?.journalFile ?? (await index.find(id))),
    onDidChangeCurrent: current.onDidChange,
    onDidAdvance: advanced.event,
    add(given) {
      const { session, journalFile } = given;
      const live = createLiveSession(given, current.touch, () => advanced.fire());
      // Set anew, so that the newest stands last.
      lives.delete(session.id);
      lives.set(session.id, live);
      files.set(session.id, vscode.Uri.file(journalFile));
      current.set(live);
      return live;
    },
    addOpened(session, file) {
      opened.set(session.id, session);
      files.set(session.id, file);
      if (!current.session) current.set(session);
      else current.touch();
    },
    show(id) {
      const session = get(id);
      if (session) current.set(session);
    },
    remove(id) {
      for (const known of [lives, opened, files]) known.delete(id);
      stored.forget(id);
      current.touch();
    },
  };
}

function listed({ id, agent, model, state }: LiveSession): ListedSession {
  return { session: id, agent, model, runs: runEntries(id, state) };
}

function uriOf(file: string | undefined): vscode.Uri | undefined {
  return file === undefined ? undefined : vscode.Uri.file(file);
}

/** The sessions of this window, live ones and those read from disk, as the panels and commands see them. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Applied, Op } from '../../core/ops.ts';
import { inThePast, refuse } from '../../core/refusal.ts';
import { endsLiveText } from '../../core/protocol.ts';
import type { Agent, Run } from '../../runner/run.ts';
import type { Session } from '../../session/session.ts';
import type { PermitOptions } from '../../toolbox/approvalRules.ts';
import type { PanelSession } from './panelChannel.ts';
import { readPastSessions, titleOf, type UnreadJournal } from './pastSessions.ts';

/** A session that this window holds open. */
export interface LiveSession extends PanelSession {
  /** The agent file it runs. */
  readonly agentUri: vscode.Uri;
  /** The agent, as it was made of that file. */
  readonly running: Agent;
  /** What it was started with, for calls that need a yes. */
  readonly rules: PermitOptions;
  readonly journalFile: string;
  /** The debug session that holds it open, or did last. */
  readonly debugSession: vscode.DebugSession;
  /** Whether a run is going on, paused or not; a run at `end` is over. */
  readonly busy: boolean;
  attach(run: Run): void;
  addText(delta: string): void;
  /** The debugger looks back at so many events; undefined: no longer. */
  lookBack(before: number | undefined): void;
  /** The journal was closed; what was seen stays readable. */
  close(): void;
}

/** A session as it was opened. */
export interface Opened extends Pick<
  LiveSession,
  'agentUri' | 'running' | 'rules' | 'journalFile' | 'debugSession'
> {
  readonly session: Session;
}

export interface SessionStore {
  list(): readonly PanelSession[];
  get(id: string): PanelSession | undefined;
  /** The session that was opened last. */
  readonly current: PanelSession | undefined;
  /** Those that this window opened, still open or not, by their own id. */
  live(id: string): LiveSession | undefined;
  /** What a debug session runs now, or ran last: a restart opens another. By VS Code's id of it. */
  liveOf(debugSession: string): LiveSession | undefined;
  /** Where the journal of a session is kept. */
  fileOf(id: string): string | undefined;
  readonly onDidChangeCurrent: vscode.Event<void>;
  /** A live session reached another checkpoint, paused, went on or was edited: documents made of it are out of date. */
  readonly onDidAdvance: vscode.Event<void>;
  add(opened: Opened): LiveSession;
  /** A session that was read from a file elsewhere. */
  addPast(session: PanelSession, file: string): void;
  /** Makes it the one that panels follow. */
  show(id: string): void;
  /** Forgets a session that is not open. */
  remove(id: string): void;
  /** Whether its journal is one that this extension keeps: not a file that was opened from elsewhere. */
  isOurs(id: string): boolean;
  /**
   * Reads what is on disk, so that a panel restored after a reload finds its session. Never rejects: a file that can
   * not be read costs the others nothing, and is told of.
   */
  load(folder: string): Promise<readonly UnreadJournal[]>;
}

const advancing: ReadonlySet<string> = new Set(['checkpoint', 'edited', 'paused', 'resumed']);

export function createSessionStore(): SessionStore {
  const sessions = new Map<string, PanelSession>();
  const files = new Map<string, string>();
  const foreign = new Set<string>();
  const changed = new vscode.EventEmitter<void>();
  const advanced = new vscode.EventEmitter<void>();
  let current: string | undefined;
  const lives = new Map<string, LiveSession>();

  return {
    list: () => [...sessions.values()].toReversed(),
    get: (id) => sessions.get(id),
    get current() {
      return current === undefined ? undefined : sessions.get(current);
    },
    live: (id) => lives.get(id),
    liveOf: (id) => [...lives.values()].findLast(({ debugSession }) => debugSession.id === id),
    fileOf: (id) => files.get(id),
    onDidChangeCurrent: changed.event,
    onDidAdvance: advanced.event,
    add(opened) {
      const { session, journalFile } = opened;
      const live = createLiveSession(opened, () => changed.fire());
      session.journal.onEvent(({ type }) => {
        if (advancing.has(type)) advanced.fire();
      });
      // Set anew, so that the newest stands last.
      for (const known of [sessions, lives]) known.delete(session.id);
      sessions.set(session.id, live);
      lives.set(session.id, live);
      files.set(session.id, journalFile);
      current = session.id;
      changed.fire();
      return live;
    },
    addPast(session, file) {
      sessions.set(session.id, session);
      files.set(session.id, file);
      foreign.add(session.id);
      changed.fire();
    },
    show(id) {
      if (!sessions.has(id) || current === id) return;
      current = id;
      changed.fire();
    },
    remove(id) {
      for (const known of [sessions, lives, files]) known.delete(id);
      if (current === id) current = undefined;
      changed.fire();
    },
    isOurs: (id) => !foreign.has(id),
    async load(folder) {
      const { read, unread } = await readPastSessions(folder);
      for (const { session, file } of read) {
        if (sessions.has(session.id)) continue;
        sessions.set(session.id, session);
        files.set(session.id, file);
      }
      changed.fire();
      return unread;
    },
  };
}

function createLiveSession(opened: Opened, onChange: () => void): LiveSession {
  const { session, running: agent, rules, agentUri, journalFile, debugSession } = opened;
  const { journal, state } = session;
  const events = new vscode.EventEmitter<void>();
  const texts = new vscode.EventEmitter<void>();
  let run: Run | undefined;
  let liveText = '';
  let before: number | undefined;
  let open = true;
  const stopListening = journal.onEvent((event) => {
    if (endsLiveText(event)) liveText = '';
    events.fire();
    if (event.type === 'run.started' || event.type === 'run.ended') onChange();
  });
  return {
    id: session.id,
    agent: path.posix.basename(agentUri.path),
    model: agent.model.label,
    agentUri,
    running: agent,
    rules,
    journalFile,
    debugSession,
    state,
    policy: agent.policy?.name,
    ownPolicy: agent.policy,
    effects: Object.fromEntries(agent.toolbox.tools.map(({ name, effects }) => [name, effects])),
    events: journal.events,
    get title() {
      return titleOf(state);
    },
    // Not before its run: until then its journal may end in a pause that its last writer died in.
    get live() {
      return open && run !== undefined;
    },
    get liveText() {
      return liveText;
    },
    get before() {
      return before;
    },
    get busy() {
      return open && run !== undefined && state.runs.at(-1)?.ended === undefined;
    },
    onEvents: (listener) => events.event(listener),
    onLiveText: (listener) => texts.event(listener),
    async apply(op: Op): Promise<Applied> {
      if (open && before !== undefined) return inThePast;
      return (open ? run?.apply(op) : undefined) ?? refuse('This session is not running.');
    },
    attach(started) {
      run = started;
      onChange();
    },
    lookBack(at) {
      before = at;
      events.fire();
      onChange();
    },
    addText(delta) {
      liveText += delta;
      texts.fire();
    },
    close() {
      open = false;
      // What is closed is shown to its end.
      before = undefined;
      stopListening();
      onChange();
    },
  };
}

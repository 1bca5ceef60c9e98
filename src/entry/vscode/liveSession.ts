/** A session that this window holds open, as the panels and commands see it. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { CallState } from '../../core/journalState.ts';
import type { CallKey } from '../../core/messages.ts';
import type { Applied, Op } from '../../core/ops.ts';
import type { FileLog, ToolCallRequest } from '../../core/ports.ts';
import { endsLiveText } from '../../core/protocol.ts';
import { inThePast, refuse } from '../../core/refusal.ts';
import { fileLog } from '../../runner/fileLog.ts';
import type { Agent, Run } from '../../runner/run.ts';
import { trueCall } from '../../runner/trueCall.ts';
import type { Session } from '../../session/session.ts';
import type { PermitOptions } from '../../toolbox/approvalRules.ts';
import type { PanelSession } from './panelChannel.ts';
import { titleOf } from './titleOf.ts';

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
  /** A call that waits, as the model wrote it, and what was seen of files before it. */
  trueCall(call: CallState): ToolCallRequest;
  filesOf(key: CallKey): Pick<FileLog, 'seen'>;
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

const advancing: ReadonlySet<string> = new Set(['checkpoint', 'edited', 'paused', 'resumed']);

/**
 * @param onChange a run began or ended, or the session was attached, looked back at or closed
 * @param onAdvance it reached another checkpoint, paused, went on or was edited
 */
export function createLiveSession(opened: Opened, onChange: () => void, onAdvance: () => void): LiveSession {
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
    if (advancing.has(event.type)) onAdvance();
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
    trueCall: (call) => trueCall(session, call),
    filesOf: (key) => fileLog(session, key),
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

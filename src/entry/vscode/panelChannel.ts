/**
 * The host's end of a panel: answers what the panel asks, and pushes what is new, one post per frame. Knows
 * no webview: a port hands over the messages, so the whole conversation runs in plain Node too.
 */
import type { JournalEvent } from '../../core/events.ts';
import type { JournalState } from '../../core/journalState.ts';
import type { Applied, Op } from '../../core/ops.ts';
import type { PanelWords } from '../../core/panelWords.ts';
import type {
  CopyTarget,
  FromPanel,
  OpenTarget,
  PanelCommand,
  Selection,
  SessionInfo,
  ToPanel,
} from '../../core/protocol.ts';
import type { ListedRule, StopRule, StopTarget } from '../../core/stopRules.ts';
import type { NamedPolicy } from '../../planner/pack.ts';
import { answer } from './answerPanel.ts';
import { createEventPush, type Schedule } from './eventPush.ts';
import { createPanelPage } from './panelPage.ts';
import { createPanelQuestions } from './panelQuestions.ts';
import { createShownRound } from './shownRound.ts';
import { createShownSession } from './shownSession.ts';

/** What a listener is taken off with; `vscode.Disposable` is one. */
export interface Registration {
  dispose(): void;
}

/** A session as panels see it. */
export interface PanelSession extends SessionInfo {
  /** All of its journal so far; event n has seq n. Grows, and is never rewritten. */
  readonly events: readonly JournalEvent[];
  /** Streamed text of the reply that is arriving; emptied as `endsLiveText` says. */
  readonly liveText: string;
  /** The policy that `policy` names. */
  readonly ownPolicy?: NamedPolicy | undefined;
  /** How many events are looked at, while the debugger looks back; undefined in the present. */
  readonly before: number | undefined;
  /** What `events` fold to. */
  readonly state: JournalState;
  /** After events were added to `events`, or `before` changed. */
  onEvents(listener: () => void): Registration;
  /** After `liveText` grew. */
  onLiveText(listener: () => void): Registration;
  /** The one apply: journals the edit when it is taken. Does not reject. */
  apply(op: Op): Promise<Applied>;
}

/** The sessions that panels can show, and what else they may ask of the host. */
export interface PanelSessions {
  /** Newest first: those that are known of now. */
  list(): readonly SessionInfo[];
  /** Looks which sessions of earlier windows there are; `list` has them then. Does not reject. */
  lookUp(): Promise<void>;
  /** One that is open. */
  get(id: string): PanelSession | undefined;
  /** Opens it where it is not; undefined: it is no longer there. Does not reject. */
  load(id: string): Promise<PanelSession | undefined>;
  /** The session that is being debugged, or was last. */
  readonly current: PanelSession | undefined;
  /** Makes it the current one. */
  show(id: string): void;
  /** Another session became the current one, or what is known of the current one changed (title, live). */
  onDidChangeCurrent(listener: () => void): Registration;
  /** Shared by all panels: which round is looked at. */
  readonly selection: PanelSelection;
  open(session: PanelSession, what: OpenTarget): void;
  copy(session: PanelSession, what: CopyTarget): void;
  /** Writes a budget into the agent file of a session. */
  useBudget(session: PanelSession, limit: number, policy: string): void;
  /** Step Into, or on to the plan of a round. */
  go(session: PanelSession, round: number | undefined): void;
  run(command: PanelCommand): void;
  readonly stopRules: PanelStopRules;
}

/** What the debugger stops at by rules of the user's. */
export interface PanelStopRules {
  list(): readonly ListedRule[];
  set(rule: StopRule): void;
  remove(target: StopTarget): void;
  onDidChange(listener: () => void): Registration;
}

/** The round that the panels look at, so that one follows the other. */
export interface PanelSelection {
  /** What was chosen last in this window; null: to follow the run; undefined: nothing was. */
  last(session: string): Selection | undefined;
  select(session: string, selection: Selection, by: object): void;
  onSelect(listener: (session: string, selection: Selection, by: object) => void): Registration;
}

export interface PanelPort {
  /** False (or a rejection) when nobody is there: the webview is hidden or gone. */
  post(message: ToPanel): PromiseLike<boolean>;
  /** Messages that are none of ours do not come through: what a page sends is not to be trusted. */
  onMessage(listener: (message: FromPanel) => void): Registration;
}

export interface ChannelOptions {
  readonly words: () => PanelWords;
  readonly schedule?: Schedule;
}

const timers: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return { dispose: () => clearTimeout(timer) };
};

export interface PanelChannel extends Registration {
  /** The session that the panel shows. */
  readonly session: string | undefined;
  /** Has the panel show a session and a round of it, also one that is hidden: when it is back. */
  show(session: string, selection: Selection): void;
}

/** Serves one panel until it is disposed. Nothing is posted before the panel says `ready`. */
export function createPanelChannel(
  port: PanelPort,
  sessions: PanelSessions,
  options: ChannelOptions,
): PanelChannel {
  const page = createPanelPage(port, tellRules, () => push.stop());
  const push = createEventPush(page.post, options.schedule ?? timers);
  const round = createShownRound(sessions.selection, page, () => push.session?.id);
  const shown = createShownSession(sessions, page, round, push, options.words);
  const questions = createPanelQuestions(sessions, page);
  function tellRules(): void {
    if (page.isThere) page.post({ type: 'stopRules', rules: sessions.stopRules.list() });
  }

  const registrations = [
    port.onMessage((message) => {
      if (message.type === 'ready') void shown.onReady(message);
      else if (message.type === 'find') void questions.find(message.session, message.text);
      else if (message.type === 'whatIf') void questions.tryOut(message.session, message.ask);
      else answer(message, sessions, page.post, page);
    }),
    sessions.onDidChangeCurrent(() => shown.onCurrent()),
    sessions.stopRules.onDidChange(tellRules),
    round,
    shown,
    push,
  ];
  return {
    get session() {
      return push.session?.id;
    },
    show: (session, selection) => shown.show(session, selection),
    dispose: () => {
      page.leave();
      for (const one of registrations) one.dispose();
    },
  };
}

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
import type { WhatIfAnswer, WhatIfAsk } from '../../core/whatIf.ts';
import { answer, helloOf } from './answerPanel.ts';
import { createEventPush, type Schedule } from './eventPush.ts';
import { findInSession } from './findInSession.ts';

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
  /** Has the panel show a session and a round of it, also one that is hidden: when it is back. */
  show(session: string, selection: Selection): void;
}

interface Wanted {
  readonly session: string;
  /** Undefined: what the panel looks at of it anyway. */
  readonly selection?: Selection;
}

/** Serves one panel until it is disposed. Nothing is posted before the panel says `ready`. */
export function createPanelChannel(
  port: PanelPort,
  sessions: PanelSessions,
  options: ChannelOptions,
): PanelChannel {
  const push = createEventPush(post, options.schedule ?? timers);
  const self = {};
  let isListening = false;
  /** What is to be shown instead of what the page was left with. */
  let wanted: Wanted | undefined;
  /** Questions what to show: the last one is answered. */
  let questions = 0;

  /** A post that does not arrive means that the page is gone; it says `ready` when it is back. */
  function post(message: ToPanel): void {
    const lost = () => {
      isListening = false;
      push.stop();
    };
    port.post(message).then((arrived) => (arrived ? undefined : lost()), lost);
  }

  function tellRules(): void {
    if (isListening) post({ type: 'stopRules', rules: sessions.stopRules.list() });
  }

  /** What the other panels look at: a page that was not there when it was chosen has not heard of it. */
  function tellSelection(session: PanelSession | undefined, wish?: Selection): void {
    if (!session) return;
    const selection = wish === undefined ? sessions.selection.last(session.id) : wish;
    if (selection !== undefined) post({ type: 'select', session: session.id, selection });
  }

  async function onReady(saved: string | null, next: number): Promise<void> {
    const question = ++questions;
    const asked = wanted?.session ?? saved;
    const known = asked === null ? undefined : (sessions.get(asked) ?? (await sessions.load(asked)));
    if (question !== questions) return;
    const isGone = asked !== null && !known;
    isListening = true;
    const shown = known ?? (isGone ? undefined : sessions.current);
    hello(shown, isGone);
    tellRules();
    push.start(shown, known && asked === saved && next <= known.events.length ? next : 0);
    tellSelection(shown, wanted?.selection);
    wanted = undefined;
    if (!shown) await offer(question, isGone);
  }

  /** A panel with nothing to show offers what there is; finding that out takes a moment. */
  async function offer(question: number, gone: boolean): Promise<void> {
    await sessions.lookUp();
    if (isListening && question === questions && !push.session) hello(undefined, gone);
  }

  function hello(session: PanelSession | undefined, gone: boolean): void {
    post(helloOf(sessions, session, gone, options.words()));
  }

  function onCurrent(): void {
    const { current } = sessions;
    // Who is hidden is told when it is back.
    if (!isListening) {
      if (current && current !== last) wanted = { session: current.id };
      last = current;
      return;
    }
    last = current;
    const shown = push.session;
    const isThere = shown !== undefined && sessions.get(shown.id) === shown;
    const next = current ?? (isThere ? shown : undefined);
    const question = ++questions;
    hello(next, !next && shown !== undefined);
    if (next !== shown) {
      push.start(next, 0);
      tellSelection(next);
    }
    if (!next && shown) void offer(question, true);
  }
  let last = sessions.current;

  let searches = 0;
  async function find(id: string, text: string): Promise<void> {
    const search = ++searches;
    const session = sessions.get(id);
    const hits = session && (await findInSession(session, text, () => isListening && search === searches));
    if (hits && search === searches) post({ type: 'found', session: id, text, hits });
  }

  let trials = 0;
  async function tryOut(id: string, ask: WhatIfAsk | null): Promise<void> {
    const trial = ++trials;
    const session = sessions.get(id);
    if (!session || !ask) return;
    const isWanted = () => isListening && trial === trials;
    const tell = (answer: WhatIfAnswer | number) => post({ type: 'whatIf', session: id, answer });
    // Loaded when it is first asked: it counts tokens.
    const { answerWhatIf } = await import('./answerWhatIf.ts');
    const answer = await answerWhatIf(session, ask, isWanted, tell);
    if (answer && isWanted()) tell(answer);
  }

  const registrations = [
    port.onMessage((message) => {
      if (message.type === 'ready') void onReady(message.session, message.next);
      else if (message.type === 'find') void find(message.session, message.text);
      else if (message.type === 'whatIf') void tryOut(message.session, message.ask);
      else answer(message, sessions, post, self);
    }),
    sessions.onDidChangeCurrent(onCurrent),
    sessions.stopRules.onDidChange(tellRules),
    sessions.selection.onSelect((session, selection, by) => {
      if (isListening && by !== self && session === push.session?.id)
        post({ type: 'select', session, selection });
    }),
    push,
  ];
  return {
    show(session, selection) {
      if (isListening && push.session?.id === session) post({ type: 'select', session, selection });
      else {
        wanted = { session, selection };
        if (isListening) void onReady(session, 0);
      }
    },
    dispose: () => {
      isListening = false;
      questions++;
      for (const one of registrations) one.dispose();
    },
  };
}

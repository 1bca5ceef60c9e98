/**
 * The host's end of a panel: answers what the panel asks, and pushes what is new, one post per frame. Knows
 * no webview: a port hands over the messages, so the whole conversation runs in plain Node too.
 */
import { assertNever } from '../../core/assertNever.ts';
import { isPolicyName } from '../../core/config.ts';
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
import { createEventPush, type Schedule } from './eventPush.ts';
import { findInSession } from './findInSession.ts';
import { wireOf } from './wireOf.ts';
import { opsWords } from '../../debug/opWords.ts';
import { refusalText } from '../../debug/refusalText.ts';

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
  /** Newest first. */
  list(): readonly PanelSession[];
  get(id: string): PanelSession | undefined;
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

/** Serves one panel until it is disposed. Nothing is posted before the panel says `ready`. */
export function createPanelChannel(
  port: PanelPort,
  sessions: PanelSessions,
  options: ChannelOptions,
): Registration {
  const push = createEventPush(post, options.schedule ?? timers);
  const self = {};
  let isListening = false;

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

  function onReady(id: string | null, next: number): void {
    const known = id === null ? undefined : sessions.get(id);
    const isGone = id !== null && !known;
    isListening = true;
    const shown = known ?? (isGone ? undefined : sessions.current);
    post(helloOf(sessions, shown, isGone, options.words()));
    tellRules();
    push.start(shown, known && next <= known.events.length ? next : 0);
  }

  function onCurrent(): void {
    if (!isListening) return;
    const { current } = sessions;
    const isSame = !current || current === push.session;
    post(helloOf(sessions, isSame ? push.session : current, false, options.words()));
    if (!isSame) push.start(current, 0);
  }

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
      if (message.type === 'ready') onReady(message.session, message.next);
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
    dispose: () => {
      isListening = false;
      for (const one of registrations) one.dispose();
    },
  };
}

/** All that a panel asks for but `ready`, `find` and `whatIf`. A session that is gone has no answer. */
function answer(
  message: Exclude<FromPanel, { type: 'ready' | 'find' | 'whatIf' }>,
  sessions: PanelSessions,
  post: (message: ToPanel) => void,
  self: object,
): void {
  if (message.type === 'command') return sessions.run(message.command);
  if (message.type === 'stopRule') {
    const { target, on } = message;
    return on ? sessions.stopRules.set({ target }) : sessions.stopRules.remove(target);
  }
  const session = sessions.get(message.session);
  if (!session) return;
  switch (message.type) {
    case 'fetchPart': {
      const { part } = message;
      return post({ type: 'part', session: session.id, part, text: session.state.parts.get(part) ?? null });
    }
    case 'wire':
      return post({
        type: 'wire',
        session: session.id,
        view: wireOf(session, message.request, message.attempt),
      });
    case 'useBudget':
      if (!isPolicyName(message.policy) && message.policy !== session.policy) return;
      return sessions.useBudget(session, message.limit, message.policy);
    case 'copy':
      return sessions.copy(session, message.what);
    case 'op':
      return void applyOp(session, message.op, post);
    case 'go':
      return sessions.go(session, message.round);
    case 'open':
      return sessions.open(session, message.what);
    case 'select':
      return sessions.selection.select(session.id, message.selection, self);
    default:
      assertNever(message);
  }
}

async function applyOp(session: PanelSession, op: Op, post: (message: ToPanel) => void): Promise<void> {
  const applied = await session.apply(op);
  if (applied.ok) return;
  const { offer } = applied;
  post({
    type: 'refused',
    session: session.id,
    reason: refusalText(applied),
    ...(offer ? { offer: { words: opsWords(offer), ops: offer } } : {}),
  });
}

function helloOf(
  sessions: PanelSessions,
  session: PanelSession | undefined,
  gone: boolean,
  words: PanelWords,
): ToPanel {
  const all = sessions.list().map(infoOf);
  return { type: 'hello', words, session: session ? infoOf(session) : null, sessions: all, gone };
}

function infoOf({ id, title, agent, model, effects, policy, live }: SessionInfo): SessionInfo {
  return { id, title, agent, model, effects, live, ...(policy === undefined ? {} : { policy }) };
}

import type { JournalEvent } from '../../src/core/events.ts';
import { fold } from '../../src/core/fold.ts';
import { emptyState } from '../../src/core/journalState.ts';
import type { Applied, Op } from '../../src/core/ops.ts';
import { refuse } from '../../src/core/refusal.ts';
import type { CopyTarget, OpenTarget, PanelCommand } from '../../src/core/protocol.ts';
import { type ListedRule, stopTargetId } from '../../src/core/stopRules.ts';
import type { PanelSession, PanelSessions } from '../../src/entry/vscode/panelChannel.ts';
import { createPanelSelection } from '../../src/entry/vscode/panelSelection.ts';

function createSignal() {
  const listeners = new Set<() => void>();
  return {
    fire: () => [...listeners].forEach((listener) => listener()),
    on: (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    get count() {
      return listeners.size;
    },
  };
}

/** A session whose journal the test writes. Ops are answered as told, and kept. */
export function createScriptedSession(id: string, answer: Applied = refuse('no')) {
  const events: JournalEvent[] = [];
  const state = emptyState();
  const onEvents = createSignal();
  const onLiveText = createSignal();
  const ops: Op[] = [];
  let liveText = '';
  let before: number | undefined;
  const session: PanelSession = {
    id,
    title: `title of ${id}`,
    agent: 'x.agent.json',
    model: 'demo model',
    effects: { calculator: 'none' },
    live: true,
    events,
    get liveText() {
      return liveText;
    },
    get before() {
      return before;
    },
    state,
    onEvents: onEvents.on,
    onLiveText: onLiveText.on,
    apply: (op) => {
      ops.push(op);
      return Promise.resolve(answer);
    },
  };
  return {
    session,
    ops,
    listeners: () => onEvents.count + onLiveText.count,
    write: (...more: JournalEvent[]) => {
      for (const event of more) {
        if (event.seq !== events.length) throw new Error(`seq ${event.seq} at ${events.length}`);
        if (
          event.type === 'model.requested' ||
          event.type === 'model.replied' ||
          event.type === 'model.failed'
        )
          liveText = '';
        events.push(event);
        fold(state, event);
      }
      onEvents.fire();
    },
    lookBack: (at: number | undefined) => {
      before = at;
      onEvents.fire();
    },
    stream: (text: string) => {
      liveText += text;
      onLiveText.fire();
    },
  };
}

/** The sessions of a window; what panels ask of the host is kept. */
export function createScriptedSessions(...sessions: PanelSession[]) {
  const onCurrent = createSignal();
  const opened: OpenTarget[] = [];
  const copied: CopyTarget[] = [];
  const budgets: string[] = [];
  const commands: PanelCommand[] = [];
  const gone: (number | undefined)[] = [];
  const onRules = createSignal();
  let rules: readonly ListedRule[] = [];
  let list = sessions;
  const stored: PanelSession[] = [];
  let current: PanelSession | undefined = sessions[0];
  const all: PanelSessions = {
    list: () => list,
    lookUp: () => Promise.resolve(),
    get: (id) => list.find((session) => session.id === id),
    load: (id) => Promise.resolve(stored.find((session) => session.id === id)),
    get current() {
      return current;
    },
    show: (id) => {
      current = [...list, ...stored].find((session) => session.id === id) ?? current;
      onCurrent.fire();
    },
    onDidChangeCurrent: onCurrent.on,
    selection: createPanelSelection(),
    open: (_session, what) => void opened.push(what),
    copy: (_session, what) => void copied.push(what),
    useBudget: (_session, limit, policy) => void budgets.push(`${limit} ${policy}`),
    go: (_session, round) => void gone.push(round),
    run: (command) => void commands.push(command),
    stopRules: {
      list: () => rules,
      set: (rule) => {
        rules = [...rules, { ...rule, words: stopTargetId(rule.target) }];
        onRules.fire();
      },
      remove: (target) => {
        rules = rules.filter((one) => stopTargetId(one.target) !== stopTargetId(target));
        onRules.fire();
      },
      onDidChange: onRules.on,
    },
  };
  return {
    all,
    opened,
    copied,
    budgets,
    commands,
    gone,
    /** Sessions that are read only when they are asked for. */
    stored,
    makeCurrent: (session: PanelSession | undefined) => {
      current = session;
      onCurrent.fire();
    },
    add: (session: PanelSession) => {
      list = [session, ...list];
    },
    forget: (id: string) => {
      list = list.filter((session) => session.id !== id);
      if (current?.id === id) current = undefined;
    },
  };
}

/**
 * What a panel knows: core's fold of the events it got, and what else the host told. Asks first, notices
 * gaps, and asks again. No DOM: the same store runs in plain Node tests.
 */
import { type JournalState, emptyState, fold } from '../src/core/fold.ts';
import { type LaneState, emptyLane, foldLane } from '../src/core/lane.ts';
import type { PartId } from '../src/core/messages.ts';
import type { PanelWords } from '../src/core/panelWords.ts';
import {
  type Cut,
  endsLiveText,
  type FromPanel,
  type LiveText,
  type PanelEvent,
  type SavedPanel,
  type Selection,
  type SessionInfo,
  type ToPanel,
} from '../src/core/protocol.ts';

export interface PanelStore {
  /** Absent until the host has answered. */
  readonly words: PanelWords | undefined;
  readonly session: SessionInfo | undefined;
  readonly sessions: readonly SessionInfo[];
  readonly gone: boolean;
  readonly state: JournalState;
  readonly lane: LaneState;
  /** Texts of which only the head is here. */
  readonly cuts: ReadonlyMap<PartId, Cut>;
  /** Texts asked for and not here yet. */
  readonly fetching: ReadonlySet<PartId>;
  /** Asked for, and the host has none. */
  readonly missing: ReadonlySet<PartId>;
  /** What has arrived of the running reply. */
  readonly live: string;
  readonly selection: Selection;
  /** Why the last op was refused. */
  readonly refused: string | undefined;
  /** Grows with every change: what was computed from an older version is out of date. */
  readonly version: number;
  subscribe(listener: () => void): () => void;
  receive(message: ToPanel): void;
  select(selection: Selection): void;
  fetchPart(part: PartId): void;
  choose(session: string): void;
  dismiss(): void;
  post(message: FromPanel): void;
}

export interface PanelHost {
  post(message: FromPanel): void;
  save(saved: SavedPanel): void;
  readonly saved: SavedPanel | undefined;
}

/** Says `ready` at once. */
export function createPanelStore(host: PanelHost): PanelStore {
  const store = {
    words: undefined as PanelWords | undefined,
    session: undefined as SessionInfo | undefined,
    sessions: [] as readonly SessionInfo[],
    gone: false,
    ...nothingYet(),
    selection: host.saved?.selection ?? null,
    version: 0,
  };
  const listeners = new Set<() => void>();
  const changed = () => {
    store.version++;
    for (const listener of listeners) listener();
  };
  const save = () => host.save({ session: store.session?.id ?? null, selection: store.selection });
  const ready = (session: string | null, next: number) => host.post({ type: 'ready', session, next });

  function hello(message: Extract<ToPanel, { type: 'hello' }>): void {
    const { words, session, sessions, gone } = message;
    const before = store.session?.id ?? host.saved?.session;
    // Restored, the store is empty and its selection is of the saved session.
    if (session?.id !== store.session?.id) Object.assign(store, nothingYet());
    if (session?.id !== before) store.selection = null;
    Object.assign(store, { words, session: session ?? undefined, sessions, gone });
    save();
  }

  function batch(message: Extract<ToPanel, { type: 'batch' }>): void {
    const { state, lane, cuts } = store;
    if (message.session !== store.session?.id) return;
    if (message.from > state.seq) return ready(message.session, state.seq);
    for (const event of message.events.slice(state.seq - message.from)) {
      fold(state, event);
      foldLane(lane, event);
      keepCut(cuts, event);
      if (endsLiveText(event)) store.live = '';
    }
    if (message.live) arrive(message.session, message.live);
  }

  function arrive(session: string, live: LiveText): void {
    if (live.at > store.live.length) ready(session, store.state.seq);
    else store.live = store.live.slice(0, live.at) + live.text;
  }

  function part(message: Extract<ToPanel, { type: 'part' }>): void {
    if (message.session !== store.session?.id) return;
    store.fetching.delete(message.part);
    if (message.text === null) {
      store.missing.add(message.part);
      return;
    }
    store.state.parts.set(message.part, message.text);
    store.cuts.delete(message.part);
  }

  ready(host.saved?.session ?? null, 0);
  return Object.assign(store, {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    receive: (message: ToPanel) => {
      if (message.type === 'hello') hello(message);
      else if (message.type === 'batch') batch(message);
      else if (message.type === 'part') part(message);
      else if (message.session !== store.session?.id) return;
      else if (message.type === 'refused') store.refused = message.reason;
      else store.selection = message.selection;
      changed();
    },
    select: (selection: Selection) => {
      store.selection = selection;
      save();
      if (store.session) host.post({ type: 'select', session: store.session.id, selection });
      changed();
    },
    fetchPart: (id: PartId) => {
      if (!store.session || store.fetching.has(id)) return;
      store.fetching.add(id);
      host.post({ type: 'fetchPart', session: store.session.id, part: id });
      changed();
    },
    choose: (session: string) => ready(session, 0),
    dismiss: () => {
      store.refused = undefined;
      changed();
    },
    post: (message: FromPanel) => {
      if (message.type === 'op') store.refused = undefined;
      host.post(message);
    },
  });
}

function nothingYet() {
  return {
    state: emptyState(),
    lane: emptyLane(),
    cuts: new Map<PartId, Cut>(),
    fetching: new Set<PartId>(),
    missing: new Set<PartId>(),
    live: '',
    refused: undefined as string | undefined,
  };
}

/** A text that came whole (fetched, then sent again after a gap) is not cut any more. */
function keepCut(cuts: Map<PartId, Cut>, event: PanelEvent): void {
  if (event.type !== 'part') return;
  if (event.cut) cuts.set(event.id, event.cut);
  else cuts.delete(event.id);
}
